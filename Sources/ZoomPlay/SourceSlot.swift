internal import Dispatch
internal import Synchronization
internal import ZoomPipeline

/// A picture read by one source: opened at the first request and shared by all sessions.
///
/// Requests during an attempt to open it receive the result of that attempt, also an error, so that a hanging
/// program is waited for only once. The first request after a failure tries again.
final class SourceSlot: Sendable {
  let picture: Int
  let source: String
  private let latest = Mutex<Attempt?>(nil)
  /// The number of requests in progress.
  let requests = Atomic<Int>(0)

  init(_ picture: Int, _ source: String) { (self.picture, self.source) = (picture, source) }

  /// Returns the source; opens it unless that version of the file is open already.
  ///
  /// Waits for the attempt of another thread only while `isWanted` returns true.
  func opened(
    _ version: FileVersion?, isWanted: () -> Bool, by open: () throws -> any RegionSource
  ) throws -> any RegionSource {
    let (attempt, isOwn) = latest.withLock { latest in
      if let latest, latest.version == version, !latest.hasFailed { return (latest, false) }
      let attempt = Attempt(version)
      latest = attempt
      return (attempt, true)
    }
    if isOwn { attempt.end(Result { try open() }) }
    return try attempt.source(isWanted)
  }

  private final class Attempt: Sendable {
    let version: FileVersion?
    private let result = Mutex<Result<any RegionSource, any Error>?>(nil)
    private let running = DispatchGroup()

    init(_ version: FileVersion?) {
      self.version = version
      running.enter()
    }

    var hasFailed: Bool { result.withLock { if case .failure = $0 { true } else { false } } }

    func end(_ result: Result<any RegionSource, any Error>) {
      self.result.withLock { $0 = result }
      running.leave()
    }

    func source(_ isWanted: () -> Bool) throws -> any RegionSource {
      while running.wait(timeout: .now() + .milliseconds(50)) == .timedOut && isWanted() {}
      guard let result = result.withLock({ $0 }) else { throw PlayError("it is no longer wanted") }
      return try result.get()
    }
  }
}
