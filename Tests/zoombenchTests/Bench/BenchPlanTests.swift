import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

@Suite struct BenchPlanTests {
  @Test func `a kind of peek is named by its points and scale`() {
    #expect(BenchPlan.PeekKind(side: 375, scale: 2).name == "375 pt @2")
    #expect(BenchPlan.PeekKind(side: 100.5, scale: 1.5).name == "100.5 pt @1.5")
  }

  @Test func `the standard sources are known, the reference first`() {
    #expect(BenchPlan.standardSources.first == "naive")
    #expect(Set(BenchPlan.standardSources).isSubset(of: StandardPipelines().names))
  }

  @Test func `every way of entering a JPEG is timed by default`() {
    #expect(Set(["skip", "indexed"]).isSubset(of: BenchPlan.standardSources))
  }

  @Test func `the standard pictures are made without being asked for`() throws {
    let made = try CorpusManifest.builtIn().pictures(named: []).map(\.name)
    #expect(Set(BenchPlan.standardPictures).isSubset(of: made))
    #expect(Set(BenchPlan.quickPictures).isSubset(of: BenchPlan.standardPictures))
  }
}
