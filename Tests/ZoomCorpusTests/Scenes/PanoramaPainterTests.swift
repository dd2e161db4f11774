import Testing

@testable import ZoomCorpus

@Suite struct PanoramaPainterTests {
  @Test func `the sky is blue, the meadow is green and the ridges lie behind each other`() throws {
    let size = SceneSize(width: 300, height: 200)
    let scene = try SyntheticScene(.panorama, size: size)
    func share(_ rows: Range<Int>, _ test: (UInt8, UInt8, UInt8) -> Bool) -> Int {
      let pixels = scene.pixels(rows: rows)
      return stride(from: 0, to: pixels.count, by: 3).count {
        test(pixels[$0], pixels[$0 + 1], pixels[$0 + 2])
      } * 300 / pixels.count
    }
    #expect(share(0..<6) { $2 > $0 } > 60)
    #expect(share(190..<200) { $1 > $0 && $1 > $2 } > 60)
    let lines = PanoramaPainter.lines(ScenePlan(size: size, seed: 1, detail: 100))
    let means = lines.map { $0.reduce(0, +) / Int32($0.count) }
    #expect(means == means.sorted())
    #expect(lines.count == 6)
  }
}
