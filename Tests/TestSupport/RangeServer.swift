internal import Foundation
internal import Synchronization

/// A server on loopback that sends ranges of files by the rules of RFC 9110, or with a fault.
package final class RangeServer: Sendable {
  package struct Request: Sendable {
    package let path: String
    package let head: String
    /// The requested bytes that the file has.
    package let range: Range<Int>
    /// Whether the last bytes were requested.
    package let isTail: Bool
    /// The number of the request, from 0 on, among those for ranges that are as conditional as it is.
    package let number: Int

    /// Whether it asks for the version of an earlier answer.
    package var isConditional: Bool {
      header("if-match") != nil || header("if-unmodified-since") != nil
    }

    package func header(_ name: String) -> String? { RangeServer.header(name, in: head) }
  }

  package struct Answer: Sendable, Hashable {
    package enum Ending: Sendable, Hashable {
      case open, close, drip, silence, endless
      /// The connection is closed without an answer.
      case nothing
      /// The connection is closed after so many bytes of the body.
      case cut(Int)
      /// Nothing follows so many bytes of the body, and the connection stays open.
      case stall(Int)
    }

    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]
    package var start = "HTTP/1.1"
    package var ending = Ending.open
  }

  /// Changes the answer that is right for a file.
  package typealias Fault = @Sendable (inout Answer, Request, _ file: [UInt8]) -> Void

  package static let etag = "\"one\""
  package static let modified = "Wed, 01 Jan 2020 10:00:00 GMT"
  private static let date = "Fri, 01 Jan 2021 10:00:00 GMT"

  private let server: LoopbackServer
  private let log = Log()

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
    let counts = Mutex<[String: Int]>([:])
  }

  /// The requests for files so far.
  package var requests: [Request] { log.requests.withLock { $0 } }
  /// "http://127.0.0.1:1234".
  package var address: String { "http://127.0.0.1:\(server.port)" }
  package var port: UInt16 { server.port }
  /// The number of connections so far.
  package var connections: Int { server.connections }

  /// Starts a server of files by path: "/photo.jpg".
  ///
  /// With a length, files seem to have it: after their end, their last four bytes are repeated.
  package init(
    _ files: [String: [UInt8]], inventing length: Int? = nil,
    fault: @escaping Fault = { _, _, _ in }
  ) throws {
    let log = self.log
    server = try .answering { head in
      let words = head.split(separator: " ")
      guard words.count > 1 else { return .raw([]) }
      let path = String(words[1].prefix { $0 != "?" })
      guard let file = files[path] else { return .status(404) }
      let count = length ?? file.count
      let request = Self.request(head, path, count, log)
      log.requests.withLock { $0.append(request) }
      var answer = Answer(
        status: 206,
        headers: [
          "Content-Range": Self.contentRange(request.range, of: count),
          "Content-Type": "image/jpeg", "ETag": Self.etag, "Last-Modified": Self.modified,
          "Date": Self.date,
        ], body: Self.bytes(of: file, request.range))
      fault(&answer, request, file)
      return Self.reply(answer)
    }
  }

  package func stop() { server.stop() }

  private static func bytes(of file: [UInt8], _ range: Range<Int>) -> [UInt8] {
    let bytes = Array(file[range.clamped(to: 0..<file.count)])
    let missing = range.count - bytes.count
    guard missing > 0 else { return bytes }
    let after = max(0, range.lowerBound - file.count)
    var more = (0..<4).map { file[file.count - 4 + (after + $0) % 4] }
    while more.count < missing { more += more }
    return bytes + more.prefix(missing)
  }

  package static func contentRange(_ range: Range<Int>, of length: Int?) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length.map { "\($0)" } ?? "*")"
  }

  fileprivate static func header(_ name: String, in head: String) -> String? {
    for line in head.split(whereSeparator: \.isNewline)
    where line.lowercased().hasPrefix(name + ":") {
      return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }
    return nil
  }

  private static func request(_ head: String, _ path: String, _ length: Int, _ log: Log) -> Request
  {
    let words =
      header("range", in: head)?.dropFirst("bytes=".count)
      .split(separator: "-", omittingEmptySubsequences: false).map { Int($0) } ?? [0, nil]
    let isTail = words[0] == nil
    let range =
      isTail
      ? max(0, length - (words[1] ?? 0))..<length
      : (words[0] ?? 0)..<min(length, (words[1] ?? length) + 1)
    let isConditional = head.lowercased().contains("\r\nif-")
    let number = log.counts.withLock { counts in
      if isTail { return 0 }
      defer { counts["\(path) \(isConditional)", default: 0] += 1 }
      return counts["\(path) \(isConditional)", default: 0]
    }
    return Request(path: path, head: head, range: range, isTail: isTail, number: number)
  }

  private static func reply(_ answer: Answer) -> LoopbackServer.Reply {
    var lines = ["\(answer.start) \(answer.status) Answer"]
    lines += answer.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let states = answer.headers.keys.contains { $0.lowercased() == "transfer-encoding" }
    if !states, answer.ending != .endless { lines.append("Content-Length: \(answer.body.count)") }
    let head = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    switch answer.ending {
    case .open: return .exact(head + answer.body)
    case .close: return .raw(head + answer.body)
    case .cut(let count): return .raw(head + answer.body.prefix(count))
    case .stall(let count): return .exact(head + answer.body.prefix(count))
    case .drip: return .drip(head: head, body: answer.body)
    case .nothing: return .raw([])
    case .silence: return .silence
    case .endless: return .endlessBody(head: head)
    }
  }
}
