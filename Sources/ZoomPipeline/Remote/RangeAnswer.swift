internal import SystemPackage

/// A part of a remote file, as an answer that passed all checks holds it.
struct RangeAnswer {
  /// The offset of the first byte in the file.
  let start: Int
  /// The requested bytes, or the first of them: a server may send less than a whole range.
  let bytes: [UInt8]
  /// The file's length, if the answer says it.
  let length: Int?
  let headers: [String: String]
}

/// The result of checking an answer.
enum RangeOutcome {
  case part(RangeAnswer)
  /// The server is busy, or the connection was lost: ask again after some seconds.
  case again(seconds: Int, PipelineError)
}

/// The checks of the answers to requests for ranges of one file.
///
/// A server may send anything. RFC 9110, section 14, lets it ignore a range (200), send less of
/// it, or send several parts.
struct RangeCheck {
  /// The name of the file, for errors.
  let path: FilePath
  /// The version that every answer must have; nil for the first answer.
  var version: RemoteVersion?

  private static let fetching = "fetch"

  func error(
    _ code: PipelineError.Code, _ reason: String, advice: String? = nil
  ) -> PipelineError {
    PipelineError(code, operation: Self.fetching, file: path, reason: reason, advice: advice)
  }

  private func broken(_ reason: String) -> PipelineError {
    error(.misbehaved, "the server breaks the rules for ranges: \(reason)")
  }

  /// The error for a file that is another version than the one that was opened.
  var changed: PipelineError {
    error(.changed, "the file changed on the server after it was opened", advice: "open it again")
  }

  /// Checks the reply to a request for a range; nil is a request for the file's end.
  func outcome(
    of reply: Result<RangeReply, RangeFailure>, to range: Range<Int>?
  ) throws(PipelineError) -> RangeOutcome {
    let answer: RangeReply
    do throws(RangeFailure) { answer = try reply.get() } catch {
      let reason = self.error(
        .misbehaved, "the request to the server failed: \(error.reason)", advice: error.advice)
      guard error.isLost else { throw reason }
      return .again(seconds: 0, reason)
    }
    switch answer.status {
    case 206: return .part(try part(answer, range))
    case 200: return .part(try whole(answer))
    case 429, 503:
      return .again(
        seconds: Self.pause(answer.headers),
        error(
          .misbehaved, "the server is busy (status \(answer.status))", advice: "try again later"))
    default: throw refusal(answer)
    }
  }

  private func refusal(_ answer: RangeReply) -> PipelineError {
    let status = "status \(answer.status)"
    switch answer.status {
    case 401, 403, 407:
      return error(
        .unreadable, "the server refuses access (\(status))",
        advice: "give its headers with --headers; a signed address may have expired")
    case 404, 410:
      return error(.noSuchFile, "the server has no such file (\(status))", advice: "check the name")
    case 412 where version != nil: return changed
    case 304, 412:
      return error(
        .misbehaved, "the server obeys a condition that was not set (\(status))",
        advice: "try again later, or download it")
    case 416:
      if let version {
        let length = Self.contentRange(answer.headers)?.length
        return length == version.length || length == nil
          ? broken("it calls a range inside the file unsatisfiable (\(status))") : changed
      }
      return error(
        .notAPicture, "the file is empty (0 bytes)", advice: "get a whole copy of the file")
    case 300..<400:
      return error(
        .misbehaved, "the server redirects to no address that can be followed (\(status))",
        advice: "give the address of the picture itself")
    default: return error(.misbehaved, "the server answers with \(status)")
    }
  }

  private func assertPlain(_ answer: RangeReply) throws(PipelineError) {
    let coding = answer.headers["content-encoding"]?.lowercased() ?? "identity"
    guard coding == "identity" else {
      throw broken(
        "its answer is compressed (\(coding.prefix(20))), although that was not asked for")
    }
    guard let version, !version.isVersion(of: answer.headers) else { return }
    // RFC 9110, section 15.3.7, lets an answer to If-Range lack Last-Modified.
    guard answer.headers[version.header] == nil else { throw changed }
    throw error(
      .unsupported, "an answer of its server does not say the version", advice: "download it")
  }

  /// Checks an answer with a part of the file.
  private func part(_ answer: RangeReply, _ asked: Range<Int>?) throws(PipelineError) -> RangeAnswer
  {
    try assertPlain(answer)
    let type = answer.headers["content-type"]?.lowercased() ?? ""
    guard !type.hasPrefix("multipart/byteranges") else {
      throw broken("several parts, where one was asked for")
    }
    guard let (range, length) = Self.contentRange(answer.headers), let range else {
      throw broken("its Content-Range is missing or cannot be read")
    }
    if let length, let version, length != version.length { throw changed }
    if let length, range.upperBound > length {
      throw broken("its Content-Range ends after the file")
    }
    guard !answer.isTooLong else { throw broken("more bytes than were asked for") }
    guard answer.body.count == range.count || answer.isCut && answer.body.count < range.count else {
      throw broken("\(answer.body.count) bytes, where its Content-Range has \(range.count)")
    }
    if let asked {
      guard range.lowerBound == asked.lowerBound, range.upperBound <= asked.upperBound else {
        throw broken(
          "bytes \(range.lowerBound)-\(range.upperBound - 1), where"
            + " \(asked.lowerBound)-\(asked.upperBound - 1) were asked for")
      }
    }
    return RangeAnswer(
      start: range.lowerBound, bytes: answer.body, length: length, headers: answer.headers)
  }

  /// Checks an answer with the whole file, which some servers send if the file is short.
  private func whole(_ answer: RangeReply) throws(PipelineError) -> RangeAnswer {
    try assertPlain(answer)
    guard !answer.isTooLong else {
      throw error(
        .unsupported, "its server does not send parts of files (status 200)",
        advice: "download it, or serve it by a server that supports Range")
    }
    if let version, answer.body.count != version.length { throw changed }
    return RangeAnswer(
      start: 0, bytes: answer.body, length: answer.body.count, headers: answer.headers)
  }

  /// Reads "bytes 0-99/1234", "bytes 0-99/*" or "bytes */1234"; nil for anything else.
  static func contentRange(_ headers: [String: String]) -> (range: Range<Int>?, length: Int?)? {
    guard let text = headers["content-range"], text.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let length = number(parts[1])
    guard length != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" { return length == nil ? nil : (nil, length) }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
      return nil
    }
    return (first..<last + 1, length)
  }

  /// Reads a number of at most 15 digits, so that sums do not overflow.
  private static func number(_ text: Substring) -> Int? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Returns the seconds to wait that an answer asks for: a number or a date; one without either.
  private static func pause(_ headers: [String: String]) -> Int {
    guard let text = headers["retry-after"] else { return 1 }
    if let seconds = number(text[...]) { return seconds }
    guard let date = HTTPDate.seconds(text) else { return 1 }
    return max(0, date - (headers["date"].flatMap(HTTPDate.seconds) ?? date - 1))
  }
}
