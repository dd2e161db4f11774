import Testing

@testable import ZoomCorpus

@Suite struct ForestPainterTests {
  @Test func `light comes from the middle and falls off towards the corners`() throws {
    let scene = try SyntheticScene(.forest, size: SceneSize(width: 320, height: 240))
    let measures = SceneMeasures(scene)
    let middle = measures.mean(45...65, 30...55)
    for corner in [(0...10, 0...10), (90...100, 0...10), (0...10, 90...100), (90...100, 90...100)] {
      #expect(measures.mean(corner.0, corner.1) * 3 / 2 < middle)
    }
  }
}
