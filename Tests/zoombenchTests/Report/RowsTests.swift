import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct RowsTests {
  @Test func `checks of the run pass or are undecided`() {
    let cases = [
      Samples.peek("same"), Samples.peek("A/A", role: .sameBuild),
      Samples.peek("A/A moved", verdict: .slower, role: .sameBuild),
      Samples.peek("canary", verdict: .slower, role: .canary),
      Samples.peek("blind", role: .canary),
    ]
    let result = Samples.result(contamination: ["A/A moved"], cases: cases)
    // A failed check contaminates the run.
    #expect(
      result.rows.map(\.verdict.standing)
        == [.undecided, .passed, .undecided, .passed, .undecided])
  }

  @Test func `the overall change is the geometric mean of the gated cases`() throws {
    let cases = [2, 0.5, 8].map { Samples.peek(ratio: $0) }
    let canary = Samples.peek("canary", ratio: 3, role: .canary)
    var failed = Samples.peek("failed", ratio: 9)
    failed.failure = "it crashed"
    let overall = try #require(Samples.result(cases: cases + [canary, failed]).overall)
    #expect(abs(overall - 2) < 1e-12)
    #expect(Samples.result(cases: [canary]).overall == nil)
    failed.failure = nil
    failed.cpu.pairs = 0
    #expect(Samples.result(cases: cases + [failed]).overall == nil)
  }

  @Test func `times are of one repeat of the work`() {
    let item = Samples.item("short", .gated, candidate: 100, repeats: 10)
    let figures = Samples.result(cases: [item]).rows[0].figures
    #expect(figures.cpuP50 == 100 && figures.baseCPUP50 == 999)
    #expect(figures.p50 == 200 && figures.p50Lower == 200 && figures.p50Upper == 200)
  }

  @Test func `figures of a benchmark are of the samples, and ratios of the pairs`() throws {
    let rows = Samples.report(rounds: 59, floor: 500_000).rows
    #expect(rows.map(\.name).contains("forest/other/750x750/warm"))
    #expect(rows.map { $0.figures.timesFloor?.ratio } == [16, 4, 1])
    let figures = try #require(rows.first { $0.contender == "other" }).figures
    #expect(figures.p50 == 2_000_000 && figures.p95 == 2_000_000 && figures.p99 == nil)
    #expect(figures.cpuP50 == 1_000_000 && figures.gain?.ratio == 4)
    #expect(figures.pixelsPerPixel == 6 && figures.bytesPerPixel == nil)
    #expect(figures.agreed == 59 && figures.answers == 59 && figures.memory == 12_345_678)
    #expect(Samples.report(rounds: 59).rows.allSatisfy { $0.figures.timesFloor == nil })
  }

  @Test func `answers are judged by what a source promises`() throws {
    func word(_ change: (inout Row.Answers) -> Void) throws -> Word {
      var result = Samples.report(differing: 1)
      var answers = try #require(result.rows[1].bench)
      change(&answers)
      result.rows[1].bench = answers
      result.judge()
      return result.rows[1].verdict.word
    }
    #expect(try word { _ in } == .pixelsDiffer)
    #expect(try word { $0.isExact = false } == .inexact)
    #expect(try word { ($0.isExact, $0.alike) = (false, Row.Likeness()) } == .pixelsDiffer)
    #expect(try word { $0.differing = 0 } == .agrees)
    let alike = Row.Likeness(count: 1)
    #expect(try word { ($0.differing, $0.alike) = (0, alike) } == .alike)
  }

  @Test func `an interval over launches includes the differences between processes`() throws {
    // All pairs of a process agree, and processes differ by two per cent.
    let naive = [[UInt64]](repeating: Array(repeating: 8_000_000, count: 20), count: 6)
    let other = (0..<6).map { [UInt64](repeating: UInt64(1_000_000 + $0 * 20_000), count: 20) }
    func width(_ launches: ([[UInt64]]) -> [[UInt64]]) throws -> Double {
      var result = Samples.report(rounds: 120)
      (result.rows[0].wall, result.rows[1].wall) = (launches(naive), launches(other))
      result.judge()
      let gain = try #require(result.rows[1].figures.gain)
      return try #require(gain.upper) - #require(gain.lower)
    }
    let (six, one) = (try width { $0 }, try width { [Array($0.joined())] })
    #expect(six > 2 * one)
  }
}
