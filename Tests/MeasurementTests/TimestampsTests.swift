import Measurement
import Testing

@Suite struct TimestampsTests {
  @Test func `the monotonic clock never goes back and does not stand still`() {
    let start = Timestamps.monotonic()
    var before = start
    var readings = 0
    // Bounded, so that a clock that stands still fails the test instead of hanging it. Any real
    // resolution is far finer than a million readings.
    while before == start, readings < 1_000_000 {
      let reading = Timestamps.monotonic()
      #expect(reading >= before)
      before = reading
      readings += 1
    }
    #expect(before > start)
  }

  @Test func `the CPU clock passes with work and never goes back`() {
    let start = Timestamps.processCPU()
    var before = start
    var readings = 0
    while before == start, readings < 1_000_000 {
      let reading = Timestamps.processCPU()
      #expect(reading >= before)
      before = reading
      readings += 1
    }
    #expect(before > start)
  }
}
