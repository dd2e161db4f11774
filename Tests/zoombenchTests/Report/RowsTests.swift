import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct RowsTests {
  private func standings(
    _ effects: [Samples.Effect], contamination: [String] = []
  ) throws -> [Standing] {
    RunResult(try Samples.comparison(effects: effects, contamination: contamination))
      .rows.map(\.verdict.standing)
  }

  @Test func `checks of the run pass or are undecided`() throws {
    let standings = try self.standings(
      [
        .init(name: "same"), .init(name: "A/A", role: .sameBuild),
        .init(name: "A/A moved", role: .sameBuild, factor: 1.1),
        .init(name: "canary", role: .canary, factor: 1.05), .init(name: "blind", role: .canary),
      ], contamination: ["A/A moved"])
    // A failed check contaminates the run.
    #expect(standings == [.undecided, .passed, .undecided, .passed, .undecided])
  }

  @Test func `times are of one piece of work`() throws {
    let result = RunResult(
      try Samples.comparison(effects: [.init(name: "short", milliseconds: 0.1)]))
    // Ten repeats per sample; the level of a launch varies by a few per cent.
    let figures = try #require(result.rows.first).figures
    let median = try #require(figures.p50)
    #expect((85_000...130_000).contains(median))
    #expect(try #require(figures.p50Lower) <= median)
    #expect(try #require(figures.p50Upper) >= median)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a comparison comes back from its result as it was`(seed: UInt64) throws {
    let comparison = try Samples.hostile(seed: seed, cases: 30)
    let isSame = BuildComparison(RunResult(comparison)) == comparison
    #expect(isSame)
  }

  @Test func `figures of a benchmark are of the samples, and ratios of the pairs`() throws {
    let rows = RunResult(try Samples.report(rounds: 59, floor: 500_000)).rows
    #expect(rows.map(\.name).contains("forest/other/750x750/warm"))
    #expect(rows.map { $0.figures.timesFloor?.ratio } == [16, 4, 1])
    let figures = try #require(rows.first { $0.contender == "other" }).figures
    #expect(figures.p50 == 2_000_000 && figures.p95 == 2_000_000 && figures.p99 == nil)
    #expect(figures.cpuP50 == 1_000_000 && figures.gain?.ratio == 4)
    #expect(figures.pixelsPerPixel == 6 && figures.bytesPerPixel == nil)
    #expect(figures.agreed == 59 && figures.answers == 59 && figures.memory == 12_345_678)
    let without = RunResult(try Samples.report(rounds: 59)).rows
    #expect(without.allSatisfy { $0.figures.timesFloor == nil })
  }

  @Test func `answers are judged by what a source promises`() throws {
    func word(_ change: (inout BenchReport.Arm) -> Void) throws -> Word? {
      var report = try Samples.report(disagreeingIn: [1])
      change(&report.groups[0].arms[1])
      return RunResult(report).rows.last?.verdict.word
    }
    #expect(try word { _ in } == .pixelsDiffer)
    #expect(try word { $0.isExact = false } == .inexact)
    #expect(try word { ($0.isExact, $0.alike) = (false, BenchReport.Likeness()) } == .pixelsDiffer)
    #expect(try word { $0.disagreements = [:] } == .agrees)
    let alike = BenchReport.Likeness(count: 1)
    #expect(try word { ($0.disagreements, $0.alike) = ([:], alike) } == .alike)
  }

  @Test func `samples are kept by launch`() throws {
    var report = try Samples.report(rounds: 9)
    report.groups[0].launches = [3, 4, 2]
    #expect(RunResult(report).rows.allSatisfy { $0.launches == [3, 4, 2] })
    // The numbers of a journal may be forged.
    report.groups[0].launches = [.max, 1, -9]
    #expect(RunResult(report).rows.allSatisfy { $0.launches == [9] })
  }
}
