internal import Measurement
internal import Synchronization

/// Observations of a program while it answers, shared by all connections of a pipeline.
final class ForeignObservations: Sendable {
  private struct Seen {
    var isLossy: Bool?
    var arrival: ForeignPipeline.Arrival?
    var peakResidentBytes: UInt64?
  }
  private let seen = Mutex(Seen())
  let processor = ProcessorAccount()
  /// Whether the memory of processes is sampled every millisecond while they work, which costs time.
  let watchesMemory: Bool

  init(watchesMemory: Bool = false) { self.watchesMemory = watchesMemory }

  /// Whether any answer came in a lossy format; nil before the first answer.
  var isLossy: Bool? { seen.withLock { $0.isLossy } }

  func note(isLossy: Bool) {
    seen.withLock { $0.isLossy = isLossy || $0.isLossy == true }
  }

  /// The most memory that one process held, in bytes.
  var peakResidentBytes: UInt64? { seen.withLock { $0.peakResidentBytes } }

  func note(residentBytes: UInt64) {
    seen.withLock { $0.peakResidentBytes = max($0.peakResidentBytes ?? 0, residentBytes) }
  }

  func note(_ arrival: ForeignPipeline.Arrival) { seen.withLock { $0.arrival = arrival } }

  /// Returns the last arrival, unless an earlier call has.
  func takeArrival() -> ForeignPipeline.Arrival? {
    seen.withLock { seen in
      defer { seen.arrival = nil }
      return seen.arrival
    }
  }
}

extension ForeignPipeline {
  /// The times of a server's answer in nanoseconds since the request, as libcurl measured them.
  package struct Arrival: Sendable, Hashable {
    /// The time when the connection was made; 0 if it was already open.
    package var connected: UInt64
    package var firstByte: UInt64
    package var lastByte: UInt64
  }
}
