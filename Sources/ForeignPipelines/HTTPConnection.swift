internal import ZoomGeometry
internal import ZoomPipeline

/// A connection that requests each region by an address made from it.
final class HTTPConnection: ForeignConnection {
  private let session: ForeignSession
  private let client: HTTPClient
  private let scratch: ScratchFolder
  private let address: @Sendable (PixelRegion) -> String
  let state = SourceState.openFile

  init(
    _ session: ForeignSession, address: @escaping @Sendable (PixelRegion) -> String
  ) throws(PipelineError) {
    (self.session, self.address) = (session, address)
    scratch = try ScratchFolder()
    client = try session.client()
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    let limits = AnswerLimits(
      region.size, of: session.picture, slack: session.options.slack)
    let answer = try client.body(
      of: address(region), limit: limits.mostBytes, until: deadline, for: session)
    session.observations.note(answer.arrival)
    return try CodedAnswer.decode(answer.bytes, within: limits, in: scratch, isLocal: false)
  }
}

extension HTTPClient {
  typealias Body = (bytes: [UInt8], arrival: ForeignPipeline.Arrival)

  /// Returns the body of an answer with status 200; throws for any other status.
  func body(
    of address: String, limit: Int, until deadline: AnswerDeadline, for session: ForeignSession
  ) throws(PipelineError) -> Body {
    guard
      let answer = try bodyIfPresent(
        of: address, limit: limit, until: deadline, for: session, absent: [404])
    else { throw session.error(AnswerFailure("status 404"), of: address) }
    return answer
  }

  /// Returns the body of an answer with status 200; nil if the status is one of `absent`.
  func bodyIfPresent(
    of address: String, limit: Int, until deadline: AnswerDeadline, for session: ForeignSession,
    absent: Set<Int>
  ) throws(PipelineError) -> Body? {
    do throws(AnswerFailure) {
      let (answer, arrival) = try send(
        ServerRequest(""), to: address, limit: limit, until: deadline)
      if absent.contains(answer.status) { return nil }
      guard answer.status == 200 else {
        let words =
          String(decoding: answer.body.prefix(100), as: UTF8.self)
          .split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
        throw AnswerFailure("status \(answer.status)\(words)")
      }
      return (answer.body, arrival)
    } catch {
      throw session.error(error, of: address)
    }
  }
}

extension IIIFInformation {
  /// The most bytes of an info.json; some kilobytes are usual.
  private static let mostBytes = 1 << 20

  /// Reads the information of a picture service; throws unless it has the size of the session's picture.
  init(_ service: String, _ session: ForeignSession) throws(PipelineError) {
    let address = service + "/info.json"
    let bytes = try session.client().body(
      of: address, limit: Self.mostBytes, until: session.options.deadline(), for: session
    ).bytes
    do { try self.init(json: bytes) } catch {
      throw session.error("\(address): \(error.reason)", .misbehaved, "open")
    }
    guard size == session.size else {
      throw session.error(
        "\(address) says \(size) for a picture of \(session.size)", .misbehaved, "open")
    }
  }
}
