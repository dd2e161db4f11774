internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The requests for one opened picture and its index, counted and bounded.
final class RemoteSession: Sendable {
  /// A request for a part of a file: a range, or the last bytes.
  struct Wanted {
    enum Part {
      case range(Range<Int>)
      case tail(Int)
    }

    let address: RemoteAddress
    var moved: String?
    let part: Part
    var conditions: [String] = []
    /// The time limit if other requests should not wait for it.
    var seconds: Double?

    var question: RangeQuestion {
      let (words, count) =
        switch part {
        case .range(let range): ("\(range.lowerBound)-\(range.upperBound - 1)", range.count)
        case .tail(let count): ("-\(count)", count)
        }
      // A compressed answer would hold a range of the compressed file.
      return RangeQuestion(
        address: address.text, moved: moved,
        headers: ["Range: bytes=\(words)", "Accept-Encoding: identity"] + conditions, limit: count,
        seconds: seconds)
    }
  }

  let access: RemoteAccess
  private let counts = Mutex(Work.Fetched())
  /// The counts at the start of the present opening or read, and the bytes that it may fetch.
  private let budget = Mutex((start: Work.Fetched(), bytes: RemoteSession.spareBytes))
  private let lanes = Atomic<Int>(0)

  init(_ access: RemoteAccess) { self.access = access }

  /// The requests, bytes and round trips so far.
  var fetched: Work.Fetched { counts.withLock { $0 } }

  /// The bytes that an opening or a read may fetch in addition to those that are known to be needed.
  private static let spareBytes = 64 << 20
  /// The round trips that it may take in addition to one for 16 kB, the least that is read ahead.
  private static let spareRoundTrips = 10_000

  /// Begins an opening or a read, whose requests and bytes are limited together.
  ///
  /// A server invents the length of its file, so the length does not end a search in it. `bytes` is
  /// the most that the picture is known to need, from now on.
  func begin(needing bytes: Int) {
    let start = fetched
    budget.withLock { $0 = (start, max($0.bytes, Self.spareBytes + bytes)) }
  }

  private var isOverBudget: Bool {
    let (start, bytes) = budget.withLock { $0 }
    let spent = fetched - start
    return spent.bytes > bytes || spent.roundTrips > Self.spareRoundTrips + bytes >> 14
  }

  /// The connection by which requests are planned.
  var link: RequestPlan.Link {
    var link = access.settings.link
    let known = lanes.load(ordering: .relaxed)
    if known > 0 { link.lanes = known }
    return link
  }

  /// Returns the end of the time for a read: the time limit, and four times what the requests take
  /// by the assumed connection.
  func deadline(requests: Int, bytes: Int) -> ContinuousClock.Instant {
    let transfer = link.seconds(requests: requests, bytes: bytes)
    return .now.advanced(by: .seconds(access.settings.seconds + 4 * transfer))
  }

  /// The most requests that are sent at once, in lanes: others would only wait in memory.
  private static let mostPerLane = 4

  /// Sends requests, as many at once as is useful, and returns one reply for each.
  func send(
    _ wanted: [Wanted], until deadline: ContinuousClock.Instant
  ) -> [Result<RangeReply, RangeFailure>] {
    var replies: [Result<RangeReply, RangeFailure>] = []
    while replies.count < wanted.count {
      let next = wanted[replies.count...].prefix(Self.mostPerLane * max(32, link.lanes))
      replies += sendAtOnce(Array(next), until: deadline)
    }
    return replies
  }

  private func sendAtOnce(
    _ wanted: [Wanted], until deadline: ContinuousClock.Instant
  ) -> [Result<RangeReply, RangeFailure>] {
    guard deadline > .now else {
      let over = RangeFailure("the time limit of the read is over")
      return wanted.map { _ in .failure(over) }
    }
    guard !isOverBudget else {
      let over = RangeFailure("the server sends more than such a picture can need")
      return wanted.map { _ in .failure(over) }
    }
    let answers = access.withTransport { $0.send(wanted.map(\.question), until: deadline) }
    lanes.store(answers.lanes, ordering: .relaxed)
    counts.withLock { counts in
      counts.requests += answers.requests
      counts.roundTrips += answers.roundTrips
      for case .success(let reply) in answers.replies { counts.bytes += reply.body.count }
    }
    return answers.replies
  }

  /// Waits as a busy server asks; throws `reason` if that is longer than the time that is left.
  func pause(
    _ seconds: Int, until deadline: ContinuousClock.Instant, _ reason: PipelineError
  ) throws(PipelineError) {
    guard .now.advanced(by: .seconds(seconds)) < deadline else { throw reason }
    if seconds > 0 { usleep(UInt32(min(seconds, 3600)) * 1_000_000) }
  }
}
