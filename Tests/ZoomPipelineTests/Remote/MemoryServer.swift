import Synchronization
import SystemPackage

@testable import ZoomPipeline

/// A server in memory, which answers by the rules and keeps a log of the ranges.
final class MemoryServer: RangeTransport {
  struct Asked: Hashable {
    let address: String
    let range: Range<Int>
    let isTail: Bool
  }

  /// Returns the status of a failure; nil for the right answer.
  ///
  /// `batch` counts the times that requests were sent at once, and `number` the requests in a batch.
  typealias Fault = @Sendable (_ question: RangeQuestion, _ batch: Int, _ number: Int) -> Int?

  private let files: [String: [UInt8]]
  private let lanes: Int
  private let fault: Fault
  private let log = Mutex<[[Asked]]>([])
  private let received = Mutex<[[RangeQuestion]]>([])
  private let ends = Mutex<[ContinuousClock.Instant]>([])

  static let headers = ["etag": "\"one\"", "last-modified": "Wed, 01 Jan 2020 10:00:00 GMT"]

  /// Creates a server of files by address.
  init(_ files: [String: [UInt8]], lanes: Int = 32, fault: @escaping Fault = { _, _, _ in nil }) {
    (self.files, self.lanes, self.fault) = (files, lanes, fault)
  }

  /// The ranges sent so far, one array for each time that requests were sent at once.
  var asked: [[Asked]] { log.withLock { $0 } }

  /// The requests so far, failed ones included, one array for each time they were sent at once.
  var questions: [[RangeQuestion]] { received.withLock { $0 } }

  /// The end of the time for each batch of requests so far.
  var deadlines: [ContinuousClock.Instant] { ends.withLock { $0 } }

  /// The bytes of the answers so far.
  var sent: Int { asked.joined().reduce(0) { $0 + $1.range.count } }

  /// Returns limits that read from the server.
  func limits(memory: Int = 1 << 30, expectsIndex: Bool = false) -> PictureLimits {
    let access = RemoteAccess(RemoteAccess.Settings(), RemoteAddressBook()) { self }
    var limits = PictureLimits(
      memory: MemoryBudget(limit: memory), loaders: .all, remote: access)
    limits.expectsIndexBeside = expectsIndex
    return limits
  }

  func send(
    _ questions: [RangeQuestion], until deadline: ContinuousClock.Instant
  ) -> RangeReplies {
    var asked: [Asked] = []
    let batch = log.withLock { $0.count }
    received.withLock { $0.append(questions) }
    ends.withLock { $0.append(deadline) }
    let replies = questions.enumerated().map {
      number, question -> Result<RangeReply, RangeFailure> in
      if let status = fault(question, batch, number) {
        return .success(RangeReply(status: status, headers: ["retry-after": "0"], body: []))
      }
      guard let file = files[question.address] else {
        return .success(RangeReply(status: 404, headers: [:], body: []))
      }
      let words = question.headers[0].dropFirst("Range: bytes=".count)
        .split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      let range: Range<Int>
      if let first = words[0] {
        range = first..<min(file.count, (words[1] ?? file.count) + 1)
      } else {
        range = max(0, file.count - (words[1] ?? 0))..<file.count
      }
      asked.append(Asked(address: question.address, range: range, isTail: words[0] == nil))
      var headers = Self.headers
      headers["content-range"] =
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)"
      return .success(RangeReply(status: 206, headers: headers, body: Array(file[range])))
    }
    log.withLock { $0.append(asked) }
    return RangeReplies(
      replies, requests: questions.count, roundTrips: (questions.count + lanes - 1) / lanes,
      lanes: lanes)
  }
}
