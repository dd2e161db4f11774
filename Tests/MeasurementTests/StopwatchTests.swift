import Measurement
import Synchronization
import Testing

@Suite struct StopwatchTests {
  private struct Failure: Error, Equatable {}

  @Test(arguments: [(0, 0), (5, 0), (3, 70), (1 << 60, 1 << 61)] as [(UInt64, UInt64)])
  func `a sample is what passed on each clock during the body`(wall: UInt64, cpu: UInt64) {
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

  @Test func `the dear CPU readings lie outside of the wall readings`() {
    let log = Log()
    let stopwatch = Stopwatch(wall: { log.note("wall") }, cpu: { log.note("cpu") })
    _ = stopwatch.measure { log.note("body") }
    #expect(log.entries == ["cpu", "wall", "body", "wall", "cpu"])
  }

  @Test func `a clock that goes back counts as standing still`() {
    let (wallClock, cpuClock) = (ManualClock(at: 1000), ManualClock(at: 1000))
    let stopwatch = Stopwatch(wall: wallClock.now, cpu: cpuClock.now)
    let elapsed = stopwatch.measure {
      wallClock.set(to: 999)
      cpuClock.set(to: 0)
    }.elapsed
    #expect(elapsed == Elapsed(wallNanoseconds: 0, cpuNanoseconds: 0))
  }

  @Test func `an error of the body comes through with its type`() {
    #expect(throws: Failure()) {
      try Stopwatch().measure { () throws(Failure) -> Int in throw Failure() }
    }
  }

  @Test func `the overhead is the median on each clock, not moved by outliers`() {
    // Samples of 7, 7, 7, 900 and 900 on the wall, and of 1000 times that on the CPU.
    let steps: [UInt64] = [7, 900, 7, 900, 7]
    let (wall, cpu) = (Staircase(steps), Staircase(steps.map { $0 * 1000 }))
    let overhead = Stopwatch(wall: wall.next, cpu: cpu.next).overhead(repetitions: 5)
    #expect(overhead == Elapsed(wallNanoseconds: 7, cpuNanoseconds: 7000))
  }

  @Test func `an even number of repetitions gives the lower middle`() {
    let steps: [UInt64] = [40, 10, 30, 20]
    let (wall, cpu) = (Staircase(steps), Staircase(steps))
    let overhead = Stopwatch(wall: wall.next, cpu: cpu.next).overhead(repetitions: 4)
    #expect(overhead == Elapsed(wallNanoseconds: 20, cpuNanoseconds: 20))
  }

  @Test func `on the machine's clocks the CPU passes for work that is used`() {
    // The body works until its own clock has moved, so this depends on no speed.
    let elapsed = Stopwatch().measure {
      let start = Timestamps.processCPU()
      while Timestamps.processCPU() == start {}
    }.elapsed
    #expect(elapsed.cpuNanoseconds > 0)
    #expect(elapsed.wallNanoseconds > 0)
  }

  @Test func `no repetitions are refused`() async {
    await #expect(processExitsWith: .failure) { _ = Stopwatch().overhead(repetitions: 0) }
  }
}

/// Notes what happened in which order.
private final class Log: Sendable {
  private let notes = Mutex<[String]>([])

  var entries: [String] { notes.withLock { $0 } }

  @discardableResult
  func note(_ entry: String) -> UInt64 {
    notes.withLock { $0.append(entry) }
    return 0
  }
}

/// A clock that stands still at every first reading of a pair, and steps up at every second.
private final class Staircase: Sendable {
  private let steps: [UInt64]
  private let state = Mutex<(readings: Int, time: UInt64)>((0, 0))

  init(_ steps: [UInt64]) {
    self.steps = steps
  }

  @Sendable func next() -> UInt64 {
    state.withLock { state in
      if state.readings % 2 == 1 { state.time += steps[state.readings / 2] }
      state.readings += 1
      return state.time
    }
  }
}
