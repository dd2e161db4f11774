import Testing

@testable import ZoomCorpus

@Suite struct PanoramaTownTests {
  @Test func `houses are painted above the shore and nowhere else`() {
    let plan = ScenePlan(size: SceneSize(width: 600, height: 400), seed: 3, detail: 100)
    let town = PanoramaTown(plan)
    let texture = ScratchBuffer<Int16>(count: 600, repeating: 0)
    let shore = [Int32](repeating: 250, count: 600)
    func painted(_ y: Int) -> Int {
      let canvas = RowCanvas(width: 600)
      town.paint(y, shore: shore, texture: UnsafePointer(texture.base), on: canvas)
      return (0..<600).count { canvas[$0].red > 0 }
    }
    #expect((235..<250).map(painted).reduce(0, +) > 1000)
    #expect((250..<260).map(painted).reduce(0, +) == 0)
    #expect(painted(100) == 0)
  }
}
