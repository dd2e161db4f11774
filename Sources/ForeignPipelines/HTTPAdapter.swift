internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A server that gives a region for an address: `http://host/crop/{x}x{y}:{right}x{bottom}/{name}`.
struct HTTPAdapter: ForeignAdapter {
  let template: String
  let options: ForeignOptions
  var summary: String { "ask a server: \(template)" }
  var opensAnyFile: Bool { false }

  func open(
    _ picture: Picture, _ observations: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection {
    let template = template
    return try HTTPConnection(picture, options, observations) { region in
      Placeholders.fill(
        template, Placeholders.values(region, of: picture.path), encoding: Placeholders.encoded)
    }
  }
}

/// Asks a server for regions, by addresses made from them.
final class HTTPConnection: ForeignConnection {
  private let picture: Picture
  private let client: HTTPClient
  private let scratch: ScratchFolder
  private let observations: ForeignObservations
  private let address: @Sendable (PixelRegion) -> String
  let state = SourceState.openFile

  init(
    _ picture: Picture, _ options: ForeignOptions, _ observations: ForeignObservations,
    address: @escaping @Sendable (PixelRegion) -> String
  ) throws(PipelineError) {
    self.picture = picture
    self.observations = observations
    self.address = address
    scratch = try ScratchFolder()
    client = try HTTPClient.make(options, for: picture)
  }

  func region(_ region: PixelRegion) throws(PipelineError) -> ForeignAnswer {
    let answer = try client.body(of: address(region), limit: CodedAnswer.mostBytes, for: picture)
    observations.note(answer.arrival)
    return try CodedAnswer.decode(answer.bytes, of: picture, in: scratch, isLocal: false)
  }

  func forget() {}
}

extension HTTPClient {
  static func make(
    _ options: ForeignOptions, for picture: Picture
  ) throws(PipelineError) -> HTTPClient {
    do { return try HTTPClient(seconds: options.seconds, headers: options.headers) } catch {
      throw PipelineError(.fault, operation: "open", file: picture.path, reason: error.reason)
    }
  }

  /// An answer with status 200.
  func body(
    of address: String, limit: Int, for picture: Picture
  ) throws(PipelineError) -> HTTPAnswer {
    let answer: HTTPAnswer
    do { answer = try get(address, limit: limit) } catch {
      throw PipelineError(
        .fault, operation: "read", file: picture.path, reason: "\(address): \(error.reason)")
    }
    guard answer.status == 200 else {
      let words =
        String(decoding: answer.bytes.prefix(100), as: UTF8.self)
        .split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
      throw PipelineError(
        .fault, operation: "read", file: picture.path,
        reason: "\(address): status \(answer.status)\(words)")
    }
    return answer
  }
}
