import Measurement
import Synchronization

/// A clock that only passes when a test says so.
final class ManualClock: Sendable {
  private let time: Mutex<UInt64>

  init(at start: UInt64 = 0) {
    time = Mutex(start)
  }

  /// The clock as the code under test wants it.
  var now: NanosecondClock {
    { self.time.withLock { $0 } }
  }

  func advance(by nanoseconds: UInt64) {
    time.withLock { $0 += nanoseconds }
  }

  func set(to nanoseconds: UInt64) {
    time.withLock { $0 = nanoseconds }
  }
}
