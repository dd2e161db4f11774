internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A server whose addresses name regions: `http://host/crop/{x}x{y}:{right}x{bottom}/{name}`.
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

/// A connection that requests each region by an address made from it.
final class HTTPConnection: ForeignConnection {
  private let picture: Picture
  private let slack: Int
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
    slack = options.slack
    self.observations = observations
    self.address = address
    scratch = try ScratchFolder()
    client = try HTTPClient.make(options, for: picture)
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    let limits = AnswerLimits(region.size, of: picture, slack: slack)
    let answer = try client.body(
      of: address(region), limit: limits.mostBytes, until: deadline, for: picture)
    observations.note(answer.arrival)
    return try CodedAnswer.decode(answer.bytes, within: limits, in: scratch, isLocal: false)
  }

  func forget() {}
}

extension HTTPClient {
  static func make(
    _ options: ForeignOptions, for picture: Picture
  ) throws(PipelineError) -> HTTPClient {
    do { return try HTTPClient(headers: options.headers) } catch {
      throw PipelineError(.fault, operation: "open", file: picture.path, reason: error.reason)
    }
  }

  /// Returns an answer with status 200; throws for any other status.
  func body(
    of address: String, limit: Int, until deadline: AnswerDeadline, for picture: Picture
  ) throws(PipelineError) -> HTTPAnswer {
    let answer = try bodyIfPresent(of: address, limit: limit, until: deadline, for: picture)
    guard let answer else {
      throw AnswerFailure("status 404").error(of: address, reading: picture.path)
    }
    return answer
  }

  /// Returns an answer with status 200; nil if the status is one of `absent`.
  func bodyIfPresent(
    of address: String, limit: Int, until deadline: AnswerDeadline, for picture: Picture,
    absent: Set<Int> = [404]
  ) throws(PipelineError) -> HTTPAnswer? {
    let answer: HTTPAnswer
    do {
      answer = try send(
        ServerRequest("", headers: []), to: address, limit: limit, until: deadline)
    } catch {
      throw error.error(of: address, reading: picture.path)
    }
    if absent.contains(answer.status) { return nil }
    guard answer.status == 200 else {
      let words =
        String(decoding: answer.bytes.prefix(100), as: UTF8.self)
        .split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
      throw AnswerFailure("status \(answer.status)\(words)")
        .error(of: address, reading: picture.path)
    }
    return answer
  }
}
