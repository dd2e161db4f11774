import Measurement
import Synchronization
import Testing

@Suite struct StopwatchTests {
  @Test(arguments: [(0, 0), (5, 0), (3, 70), (1 << 60, 1 << 61)] as [(UInt64, UInt64)])
  func `a sample has the time that passed on each clock`(wall: UInt64, cpu: UInt64) {
    let (wallClock, cpuClock) = (ManualClock(at: 1000), ManualClock(at: 20))
    let stopwatch = Stopwatch(wall: wallClock.now, cpu: cpuClock.now)
    let (value, elapsed) = stopwatch.measure {
      wallClock.advance(by: wall)
      cpuClock.advance(by: cpu)
      return "done"
    }
    #expect(value == "done")
    #expect(elapsed == Elapsed(wallNanoseconds: wall, cpuNanoseconds: cpu))
  }

  @Test func `the slow readings of the CPU clock are outside of the wall time`() {
    let log = Log()
    let stopwatch = Stopwatch(wall: { log.note("wall") }, cpu: { log.note("cpu") })
    _ = stopwatch.measure { log.note("body") }
    #expect(log.entries == ["cpu", "wall", "body", "wall", "cpu"])
  }
}

private final class Log: Sendable {
  private let notes = Mutex<[String]>([])

  var entries: [String] { notes.withLock { $0 } }

  @discardableResult
  func note(_ entry: String) -> UInt64 {
    notes.withLock { $0.append(entry) }
    return 0
  }
}

@Suite struct TimestampsTests {
  @Test(arguments: [Timestamps.monotonic, Timestamps.processCPU] as [NanosecondClock])
  func `a clock never goes back and does not stand still`(clock: @escaping NanosecondClock) throws {
    let start = clock()
    // Bounded, so that a clock that stands still fails the test instead of hanging it. Any real
    // resolution is far finer than a million readings.
    let next = (0..<1_000_000).lazy.map { _ in clock() }.first { $0 != start }
    #expect(try #require(next) > start)
  }
}

@Suite struct SaturatingNanosecondsTests {
  static let numbers: [UInt64] = [0, 1, 2, 1 << 63, .max - 1, .max]

  @Test(arguments: numbers, numbers)
  func `sums and differences are exact or at the end of the range`(left: UInt64, right: UInt64) {
    // The exact results, in 128 bits.
    let sum = UInt128(left) + UInt128(right)
    #expect(UInt128(left.addingSaturating(right)) == min(sum, UInt128(UInt64.max)))
    let difference = Int128(left) - Int128(right)
    #expect(Int128(left.saturatingSubtract(right)) == max(difference, 0))
  }
}

@Suite struct BlackHoleTests {
  private final class Canary {}

  private struct Unique: ~Copyable {
    let canary: Canary
  }

  @Test func `a noncopyable value is accepted and not kept`() {
    weak var observer: Canary?
    do {
      let unique = Unique(canary: Canary())
      observer = unique.canary
      blackHole(unique)
      let isAlive = observer === unique.canary
      #expect(isAlive)
    }
    #expect(observer == nil)
  }
}

/// A clock that advances only when a test requests it.
final class ManualClock: Sendable {
  private let time: Mutex<UInt64>

  init(at start: UInt64 = 0) {
    time = Mutex(start)
  }

  /// The clock as a closure, for the code under test.
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
