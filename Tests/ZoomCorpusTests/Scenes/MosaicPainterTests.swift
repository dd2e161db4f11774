import Testing

@testable import ZoomCorpus

@Suite struct MosaicPainterTests {
  @Test func `crops all over a very large picture are interesting and differ from each other`()
    throws
  {
    let scene = try SyntheticScene(.mosaic, size: SceneSize(width: 8192, height: 8192))
    var seen: Set<[Int]> = []
    for y in [50, 3000, 6100, 8100] {
      let rows = scene.pixels(rows: y..<y + 12)
      for x in stride(from: 0, to: 7800, by: 375) {
        let crop = (0..<12 * 375).map { index in
          Int(rows[((index / 375) * 8192 + x + index % 375) * 3 + 1])
        }
        let mean = crop.reduce(0, +) / crop.count
        let spread = crop.reduce(0) { $0 + abs($1 - mean) } * 10 / crop.count
        // A mean deviation of 1.5 8-bit steps or more, even on the open sea.
        #expect(spread >= 15, "at \(x), \(y)")
        #expect(Set(crop).count > 12, "at \(x), \(y)")
        seen.insert(stride(from: 0, to: crop.count, by: 97).map { crop[$0] })
      }
    }
    #expect(seen.count == 4 * 21)
  }
}
