import Testing

@testable import ZoomCorpus

@Suite struct PharmacyPainterTests {
  @Test func `the fascia is green and the shelves are of many colours`() throws {
    let scene = try SyntheticScene(.pharmacy, size: SceneSize(width: 400, height: 160))
    let top = scene.pixels(rows: 6..<14)
    let isGreen = stride(from: 0, to: top.count, by: 3).count { top[$0 + 1] > top[$0] }
    #expect(isGreen * 10 > top.count / 3 * 9)
    let goods = scene.pixels(rows: 40..<130)
    let hues = Set(
      stride(from: 0, to: goods.count, by: 3).map { index in
        [goods[index] >> 6, goods[index + 1] >> 6, goods[index + 2] >> 6]
      })
    // 64 coarse colours are possible; a gray or one-coloured wall has fewer than 8.
    #expect(hues.count > 30)
  }

  @Test func `marks differ from each other and are neither empty nor full`() {
    let glyphs = GlyphPainter(seed: 1)
    let marks = (0..<50).map { number in
      (0..<35).map { glyphs.isInk(number, $0 % 5, $0 / 5) }
    }
    #expect(Set(marks).count > 45)
    #expect(marks.allSatisfy { (8...30).contains($0.count { $0 }) })
  }
}
