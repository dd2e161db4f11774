package import ForeignPipelines
package import ZoomPipeline

/// An IIIF picture service of level 2 for tests of clients and verifiers, correct or with a planted fault.
///
/// It answers within the process; the command `reference-server` adds HTTP. Faults keep state per server.
package final class ReferenceServer: ServerTransport {
  package let settings: ReferenceSettings
  private let stages: Stages

  /// Creates a server of decoded 8-bit pixels: grey or sRGB, with or without alpha.
  package init(
    _ pixels: Pixels, _ settings: ReferenceSettings = ReferenceSettings(), fault: ServerFault? = nil
  ) throws(PipelineError) {
    self.settings = settings
    guard pixels.format == .uint8, (1...4).contains(pixels.bands),
      pixels.interpretation == (pixels.bands >= 3 ? .srgb : .grey)
    else {
      throw PipelineError(
        .unsupported, operation: "serve", file: nil,
        reason:
          "\(pixels.bands) bands of \(pixels.format) \(pixels.interpretation.rawValue) are neither"
          + " grey nor sRGB of 8 bits")
    }
    let sound = Stages(pixels, settings)
    stages = fault?.planted(in: sound) ?? sound
  }

  package func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
    var request = request
    for _ in 0..<5 {
      let answer = try stages.exchange(request) { inner throws(ServerFailure) in
        self.stages.answer(inner)
      }
      guard request.followsRedirects, (301...308).contains(answer.status), answer.status != 304,
        let place = answer.headers["location"], place.hasPrefix(settings.address)
      else { return answer }
      request.path = String(place.dropFirst(settings.address.count))
    }
    throw ServerFailure("too many redirects")
  }
}

extension Stages {
  /// Returns the answer to a request, with the headers that HTTP requires.
  func answer(_ request: ServerRequest) -> ServerAnswer {
    var answer = request.method == .options ? preflight : content(of: request)
    answer.headers["access-control-allow-origin"] = "*"
    if request.method != .options { answer.headers["content-length"] = "\(answer.body.count)" }
    if request.method == .head { answer.body = [] }
    return answer
  }

  private var preflight: ServerAnswer {
    let methods = "GET, HEAD, OPTIONS"
    return ServerAnswer(
      status: 204,
      headers: [
        "allow": methods, "access-control-allow-methods": methods,
        "access-control-allow-headers": "Accept, Content-Type", "access-control-max-age": "3600",
      ])
  }

  private func content(of request: ServerRequest) -> ServerAnswer {
    let path = request.path.prefix { $0 != "?" }
    if path.isEmpty {
      return ServerAnswer(status: 303, headers: ["location": settings.address + "/info.json"])
    }
    if path == "/info.json" { return informationAnswer(request) }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    do throws(RequestError) {
      guard path.hasPrefix("/"), segments.count > 1 else {
        throw RequestError(status: 404, "there is nothing at this address")
      }
      return picture(try plan(segments.map { $0 }))
    } catch {
      return failure(error)
    }
  }

  private func informationAnswer(_ request: ServerRequest) -> ServerAnswer {
    ServerAnswer(
      status: 200,
      headers: [
        "content-type": informationType(request.header("accept")), "vary": "Accept",
        "link": profileLink,
      ],
      body: serialized(information()))
  }

  private var profileLink: String { "<\(settings.api.profile(level: 2))>;rel=\"profile\"" }

  private func picture(_ plan: Plan) -> ServerAnswer {
    ServerAnswer(
      status: 200,
      headers: [
        "content-type": pictureType(plan.request.format),
        "link": "<\(settings.address)\(canonical(plan))>;rel=\"canonical\", \(profileLink)",
      ],
      body: encode(render(plan), plan))
  }

  private func plan(_ segments: [Substring]) throws(RequestError) -> Plan {
    let texts = segments.compactMap { decode($0) }
    guard segments.count == 4, texts.count == 4 else {
      throw RequestError("the address is not /{region}/{size}/{rotation}/{quality}.{format}")
    }
    let ending = texts[3].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard ending.count == 2 else {
      throw RequestError("\"\(texts[3])\" is not {quality}.{format}")
    }
    let request = ImageRequest(
      region: try region(texts[0]), size: try size(texts[1]), rotation: try rotation(texts[2]),
      quality: try quality(ending[0]), format: try format(ending[1]))
    let box = try box(request.region)
    return Plan(
      request: request, picture: source.extent, box: box, size: try scaledSize(request.size, box))
  }
}

extension ServerRequest {
  /// Returns a header's value; `name` is in lower case.
  func header(_ name: String) -> String? {
    for line in headers {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name else { continue }
      return String(parts[1].drop { $0 == " " })
    }
    return nil
  }
}
