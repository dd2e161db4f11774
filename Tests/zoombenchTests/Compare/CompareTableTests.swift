import Measurement
import Testing

@testable import zoombench

@Suite struct CompareTableTests {
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
