import SystemPackage
import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

@Suite struct BenchPlanTests {
  @Test func `a kind of peek is named by its points and scale`() {
    #expect(BenchPlan.PeekKind(side: 375, scale: 2).name == "375 pt @2")
    #expect(BenchPlan.PeekKind(side: 100.5, scale: 1.5).name == "100.5 pt @1.5")
  }

  @Test func `the standard sources are all but automatic, the reference first`() {
    #expect(BenchPlan.standardSources.first == "naive")
    #expect(BenchPlan.standardSources == StandardPipelines().names.filter { $0 != "automatic" })
  }

  @Test func `a run that cannot be done in its budget is told after the first picture`() {
    let plan = BenchPlan(
      subjects: (0..<40).map { .init(name: "\($0)", path: "a.jpg") }, sources: [], peeks: [],
      states: [], coldRounds: 1...1, warmRounds: 1...1, budgetSeconds: 2, seed: 1)
    #expect(plan.overrun(first: 800_000_000) == 32)
    #expect(plan.overrun(first: 100_000_000) == nil)
  }

  @Test func `the standard pictures are made without being asked for`() throws {
    let made = try CorpusManifest.builtIn().pictures(named: []).map(\.name)
    #expect(Set(BenchPlan.standardPictures).isSubset(of: made))
    #expect(Set(BenchPlan.quickPictures).isSubset(of: BenchPlan.standardPictures))
  }
}
