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

  private let files: [String: [UInt8]]
  private let lanes: Int
  private let log = Mutex<[[Asked]]>([])

  static let headers = ["etag": "\"one\"", "last-modified": "Wed, 01 Jan 2020 10:00:00 GMT"]

  /// Creates a server of files by address.
  init(_ files: [String: [UInt8]], lanes: Int = 32) {
    (self.files, self.lanes) = (files, lanes)
  }

  /// The ranges so far, one array for each time that requests were sent at once.
  var asked: [[Asked]] { log.withLock { $0 } }

  /// The bytes of the answers so far.
  var sent: Int { asked.joined().reduce(0) { $0 + $1.range.count } }

  /// Returns limits that read from the server.
  func limits(memory: Int = 1 << 30, expectsIndex: Bool = false) -> PictureLimits {
    let access = RemoteAccess(RemoteAccess.Settings(), RemoteAddressBook()) { self }
    var limits = PictureLimits(
      memory: MemoryBudget(limit: memory), loaders: .trusted, remote: access)
    limits.expectsIndexBeside = expectsIndex
    return limits
  }

  func send(
    _ questions: [RangeQuestion], until deadline: ContinuousClock.Instant
  ) -> RangeReplies {
    var asked: [Asked] = []
    let replies = questions.map { question -> Result<RangeReply, RangeFailure> in
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
