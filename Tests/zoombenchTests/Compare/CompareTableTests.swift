import Measurement
import Testing

@testable import zoombench

@Suite struct CompareTableTests {
  @Test func `the clock that decides is named, and wall time is shown where it differs`() {
    func peek(
      cpu: UInt64, wall: UInt64, clock: PairedLaunch.Clock?
    ) -> CaseComparison {
      var one = HandmadeComparison.peek("peek", ratio: 1.5, verdict: .slower)
      for arm in [\PairedLaunch.base, \.candidate] {
        one.launches[0][keyPath: arm].cpuNanoseconds = [cpu, cpu]
        one.launches[0][keyPath: arm].wallNanoseconds = [wall, wall]
      }
      one.decidingClock = clock
      return one
    }
    func text(_ one: CaseComparison) -> String {
      CompareTable(HandmadeComparison.result([one])).rendered()
    }
    let waiting = text(peek(cpu: 680_000, wall: 10_000_000, clock: .wall))
    #expect(waiting.contains("10.0 ms") && !waiting.contains("0.680 ms"), "\(waiting)")
    #expect(waiting.contains(#/peek +wall/#) && !waiting.contains("wall time  "), "\(waiting)")
    let counted = text(peek(cpu: 680_000, wall: 10_000_000, clock: nil))
    #expect(counted.contains(#/peek +CPU +0.680 ms/#) && counted.contains("10.0 ms, 10.0 ms"))
    let busy = text(peek(cpu: 10_000_000, wall: 10_500_000, clock: .cpu))
    #expect(busy.contains(#/peek +CPU/#) && !busy.contains("10.5 ms"), "\(busy)")
  }

  @Test func `a check that is not decided is named beside a verdict of times`() {
    let slow = HandmadeComparison.peek("petronas", ratio: 1.05, verdict: .slower)
    let check = HandmadeComparison.peek("twice", verdict: .inconclusive, role: .sameBuild)
    let verdict = HandmadeComparison.result([slow, check]).verdict
    #expect(verdict.headline == "Slower: 1 of 1 case, without a check: twice")
    #expect(verdict.explanation.hasSuffix(", without a check: twice"))
    let sound = HandmadeComparison.peek("twice", role: .sameBuild)
    #expect(HandmadeComparison.result([slow, sound]).verdict.headline == "Slower: 1 of 1 case")
  }

  @Test func `everything that is known stands in the table`() {
    let slow = HandmadeComparison.peek(
      "petronas", ratio: 1.05, verdict: .slower, base: ["bytes read": 10],
      candidate: ["bytes read": 12], differing: [4], reason: "it was measured twice")
    let control = HandmadeComparison.peek("control", role: .control)
    let text = CompareTable(HandmadeComparison.result([slow, control])).rendered()
    for part in [
      "petronas", "+5.00 %", "pixels differ", "frozen control", "bytes read rose from 10 to 12",
      "1 of 20 answers", "it was measured twice", "pixels differ: 1", "5.01 ms",
      "main (b000)", "working tree (c000, with changes)",
    ] {
      #expect(text.contains(part), "\(part) is missing in \(text)")
    }
    let contaminated = HandmadeComparison.result([slow], contamination: ["the machine slept"])
    #expect(CompareTable(contaminated).rendered().contains("cannot be trusted: the machine slept"))
  }
}
