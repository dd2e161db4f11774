internal import Synchronization
internal import SystemPackage

/// A file on a server, read by requests for ranges of it; safe to use from several threads at once.
///
/// Every answer must have the version that the first one had. Bytes are requested once, as long as
/// the cache holds them. One thread requests at a time; the others wait, because they mostly need
/// the same bytes.
final class RemoteFile: Sendable {
  let version: RemoteVersion
  let session: RemoteSession
  private let address: RemoteAddress
  private let check: RangeCheck
  private let cache: Mutex<PieceCache>
  /// Held by the thread that requests.
  private let fetching: Mutex<Fetching>
  private let faults = Mutex(Faults())
  private let besideIndex = Mutex<Result<RemoteFile, PipelineError>?>(nil)

  private struct Fetching {
    /// The address that the last request was redirected to.
    var moved: String?
    /// The end of the last read-ahead, and its length.
    var aheadEnd: Int
    var aheadCount = 0
  }

  private struct Faults {
    /// The number of failed reads by C code, which can only report that there was one.
    var count = 0
    /// The error of the last of them.
    var last: PipelineError?
    /// Whether C code reads on after an error, for which it would wait once more.
    var isFailing = false
    /// Set once the file has changed: what is cached must not be shown beside the new file.
    var changed: PipelineError?
  }

  /// The bytes requested for an unplanned read: a header or a table is seldom longer.
  private static let least = 1 << 14
  /// The lengths of requests while a decoder reads on and on; each is twice as long as the last.
  private static let ahead = 1 << 16...1 << 22
  /// The most bytes of one request, so that a lost connection costs little.
  private static let most = 1 << 23
  /// The most successive rounds of requests that bring no bytes, and the most rounds of a read.
  private static let (mostFailures, mostRounds) = (4, 64)

  /// Creates a file of a version from the parts that the first answers hold.
  init(
    _ address: RemoteAddress, named path: FilePath, _ version: RemoteVersion, moved: String?,
    in session: RemoteSession, holding pieces: [(start: Int, bytes: [UInt8])], upTo limit: Int
  ) {
    self.address = address
    self.version = version
    self.session = session
    check = RangeCheck(path: path, version: version)
    var cache = PieceCache(limit: limit)
    cache.insert(pieces)
    self.cache = Mutex(cache)
    fetching = Mutex(Fetching(moved: moved, aheadEnd: pieces.first?.bytes.count ?? 0))
  }

  var length: Int { version.length }

  /// The index beside it, if it was requested when the file was opened.
  var index: Result<RemoteFile, PipelineError>? { besideIndex.withLock { $0 } }

  func setIndex(_ index: Result<RemoteFile, PipelineError>) {
    besideIndex.withLock { $0 = index }
  }

  /// Begins an opening or a read, as `RemoteSession.begin` does; C code may then read again.
  func begin(needing bytes: Int) {
    faults.withLock { $0.isFailing = false }
    session.begin(needing: bytes)
  }

  /// The number of reads by C code that failed so far.
  var failedReads: Int { faults.withLock { $0.count } }

  /// Throws if the file has changed, or more reads by C code have failed than an earlier number.
  ///
  /// Other threads may read the file at the same time. It is not known whose read failed, so all
  /// of them throw.
  func assertUntouched(since failedReads: Int?) throws(PipelineError) {
    let error = faults.withLock { faults in
      faults.changed ?? (faults.count > failedReads ?? .max ? faults.last : nil)
    }
    if let error { throw error }
  }

  /// Reads for C code, which reads less after an error; `assertUntouched` throws it then.
  /// - Returns: The number of bytes, or -1 after an error.
  func readForC(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    if faults.withLock({ $0.isFailing }) { return -1 }
    do throws(PipelineError) {
      return try unsafe read(at: offset, into: target)
    } catch {
      faults.withLock { ($0.count, $0.last, $0.isFailing) = ($0.count + 1, error, true) }
      return -1
    }
  }

  /// Reads bytes and returns their number, which is smaller than the target only at the end.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(PipelineError) -> Int
  {
    guard offset < length, target.count > 0 else { return 0 }
    let range = offset..<min(length, offset + min(target.count, length))
    if cache.withLock({ unsafe $0.copy(range, into: target) }) { return range.count }
    return try fetching.withLock { fetching throws(PipelineError) in
      let missing = cache.withLock { $0.missing(in: range) }
      if let first = missing.first, let last = missing.last {
        let count: Int
        if first.lowerBound == fetching.aheadEnd {
          count = min(max(2 * fetching.aheadCount, Self.ahead.lowerBound), Self.ahead.upperBound)
        } else {
          count = Self.least
        }
        let end = min(length, max(last.upperBound, first.lowerBound + count))
        try fetch(
          cache.withLock { $0.missing(in: first.lowerBound..<end) }, keeping: [range], &fetching)
        (fetching.aheadEnd, fetching.aheadCount) = (end, count)
      }
      // Only a thread that holds this lock drops pieces.
      guard cache.withLock({ unsafe $0.copy(range, into: target) }) else {
        throw check.error(.fault, "the bytes just fetched are not kept")
      }
      return range.count
    }
  }

  /// Requests what the cache lacks of ranges that will be read, all at once.
  func expect(_ ranges: [Range<Int>]) throws(PipelineError) {
    let wanted = RangeSet(ranges.map { $0.clamped(to: 0..<length) })
    if cache.withLock({ cache in wanted.ranges.allSatisfy { cache.missing(in: $0).isEmpty } }) {
      return
    }
    try fetching.withLock { fetching throws(PipelineError) in
      let (requests, limit) = cache.withLock { cache in
        let missing = wanted.ranges.flatMap { cache.missing(in: $0) }
        let requests = RequestPlan.requests(for: missing, over: session.link) {
          cache.lacksAll(of: $0)
        }
        return (requests, cache.limit / 2)
      }
      // What exceeds the cache is requested when it is read.
      var rest = limit
      var kept: [Range<Int>] = []
      for range in requests where rest > 0 {
        kept.append(range.lowerBound..<min(range.upperBound, range.lowerBound + rest))
        rest -= range.count
      }
      try fetch(kept, keeping: Array(wanted.ranges), &fetching)
      // A pass may read on where the announced part ends.
      if let last = kept.last { (fetching.aheadEnd, fetching.aheadCount) = (last.upperBound, 0) }
    }
  }

  /// Fetches ranges that the cache lacks, all at once, and keeps them.
  ///
  /// What it holds of the ranges in `wanted` is not dropped meanwhile.
  private func fetch(
    _ ranges: [Range<Int>], keeping wanted: [Range<Int>], _ fetching: inout Fetching
  ) throws(PipelineError) {
    if let error = faults.withLock({ $0.changed }) { throw error }
    let deadline = session.deadline(
      requests: ranges.count, bytes: ranges.reduce(0) { $0 + $1.count })
    var missing = ranges.flatMap { range in
      stride(from: range.lowerBound, to: range.upperBound, by: Self.most).map {
        $0..<min($0 + Self.most, range.upperBound)
      }
    }
    var (failures, rounds) = (0, 0)
    do throws(PipelineError) {
      while !missing.isEmpty {
        let moved = fetching.moved
        let replies = session.send(
          missing.map {
            RemoteSession.Wanted(
              address: address, moved: moved, part: .range($0), conditions: version.conditions)
          }, until: deadline)
        var (rest, wait, reason) = ([Range<Int>](), 0, PipelineError?.none)
        var pieces: [(start: Int, bytes: [UInt8])] = []
        // What has arrived is kept, so that a later read does not request it again.
        defer { cache.withLock { $0.insert(pieces, keeping: wanted) } }
        for (range, reply) in zip(missing, replies) {
          if moved != nil, Self.isRefused(reply) {
            // A target of redirects may expire; the address that the user gave names a new one.
            fetching.moved = nil
            rest.append(range)
            continue
          }
          switch try check.outcome(of: reply, to: range) {
          case .again(let seconds, let error):
            rest.append(range)
            (wait, reason) = (max(wait, seconds), error)
          case .part(let part):
            if let target = try? reply.get().moved { fetching.moved = target }
            pieces.append((part.start, part.bytes))
            if part.bytes.count < range.count {
              rest.append(range.lowerBound + part.bytes.count..<range.upperBound)
            }
          }
        }
        rounds += 1
        if let reason {
          // A server that answers a few requests at a time is slow, but no failure.
          failures = pieces.isEmpty ? failures + 1 : 0
          guard failures < Self.mostFailures else { throw reason }
          try session.pause(wait, until: deadline, reason)
        }
        guard rest.isEmpty || rounds < Self.mostRounds else {
          throw check.error(.misbehaved, "the server sends too little in \(rounds) answers")
        }
        missing = rest
      }
    } catch {
      if error.code == .changed { faults.withLock { $0.changed = error } }
      throw error
    }
  }

  /// Whether the answer of a redirect's target may mean that the target has expired.
  private static func isRefused(_ reply: Result<RangeReply, RangeFailure>) -> Bool {
    guard let status = try? reply.get().status else { return false }
    return [400, 401, 403, 404, 410].contains(status)
  }
}
