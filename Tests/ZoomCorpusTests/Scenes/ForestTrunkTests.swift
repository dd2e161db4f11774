import Testing

@testable import ZoomCorpus

@Suite struct ForestTrunkTests {
  private let plan = ScenePlan(size: SceneSize(width: 1600, height: 1200), seed: 3, detail: 100)

  @Test func `near trunks are thicker than far ones and leave the path free`() {
    let trunks = ForestTrunk.plant(plan)
    let thick = (0...2).map { depth in
      trunks.filter { $0.depth == depth }.map { $0.half(at: 400) }
    }
    #expect((thick[0].max() ?? 0) < (thick[2].min() ?? 0))
    #expect(trunks.filter { $0.depth == 2 }.allSatisfy { !(608...1120).contains($0.place) })
  }

  @Test func `a trunk never gets thinner downwards`() {
    for trunk in ForestTrunk.plant(plan) {
      let halves = (0..<trunk.foot).map { trunk.half(at: $0) }
      #expect(zip(halves, halves.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }
}
