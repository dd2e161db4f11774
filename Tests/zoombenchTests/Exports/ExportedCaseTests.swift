import Measurement
import Testing

@testable import zoombench

@Suite struct ExportedCaseTests {
  private func cases(
    _ effects: [SampleResults.Effect], contamination: [String] = []
  ) throws -> [ExportedCase] {
    let result = try SampleResults.comparison(effects: effects, contamination: contamination)
    return ExportedCase.all(
      of: ReportInput(files: [.init(name: "x", result: .comparison(result))]))
  }

  @Test func `checks of the run pass or are undecided`() throws {
    let words = try cases(
      [
        .init(name: "same"), .init(name: "A/A", role: .sameBuild),
        .init(name: "A/A moved", role: .sameBuild, factor: 1.1),
        .init(name: "canary", role: .canary, factor: 1.05), .init(name: "blind", role: .canary),
      ], contamination: ["A/A moved"]
    ).map(\.outcome.word)
    // A failed check contaminates the run.
    #expect(words == ["undecided", "passed", "undecided", "passed", "undecided"])
  }

  @Test func `equal names are told apart`() throws {
    let names = try cases([.init(name: "a"), .init(name: "a"), .init(name: "a #2")]).map(\.name)
    #expect(names == ["a", "a #2", "a #2 #2"])
  }

  @Test func `times are of one piece of work`() throws {
    let one = try #require(try cases([.init(name: "short", milliseconds: 0.1)]).first)
    // Ten repeats per sample; the level of a launch varies by a few per cent, and waits add to it.
    let median = try #require(ExportedMedian(one.cpu))
    #expect((85_000...130_000).contains(median.value))
    #expect(median.lower <= median.value && median.value <= median.upper)
  }
}
