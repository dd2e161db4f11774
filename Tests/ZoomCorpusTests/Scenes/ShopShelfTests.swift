import Testing

@testable import ZoomCorpus

@Suite struct ShopShelfTests {
  @Test func `shelves stand on each other between the awning and the sill`() {
    let plan = ScenePlan(size: SceneSize(width: 4535, height: 1823), seed: 3, detail: 100)
    let shelves = ShopShelf.stock(plan, panels: 6)
    #expect(shelves.count == 48)
    let column = Array(shelves.prefix(8))
    #expect(zip(column, column.dropFirst()).allSatisfy { $0.bottom == $1.top })
    #expect((column.first?.top ?? 0) >= plan.down(165))
    #expect((column.last?.bottom ?? .max) <= plan.down(885))
  }
}
