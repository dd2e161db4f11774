import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct PicturesTests {
  private let pictures = Gen<PixelSize>.pictures().sample(4000)

  @Test func `sides are from 1 to 100 000, ratios from 1 to 100 but for those known`() {
    #expect(pictures.allSatisfy { (1...100_000).contains($0.width) })
    #expect(pictures.allSatisfy { (1...100_000).contains($0.height) })
    let thin = pictures.filter { max($0.width, $0.height) > 100 * min($0.width, $0.height) }
    #expect(Set(thin).isSubset(of: [size(1, 10000), size(100, 100_000)].compactMap { $0 }))
  }

  @Test func `both ends, every order of magnitude, both shapes and the samples come up`() {
    for limit in [1, 10, 100, 1000, 10000, 100_000] {
      #expect(pictures.count { $0.width * 10 > limit && $0.width <= limit } > 40, "to \(limit)")
    }
    #expect(pictures.contains { $0.width == 100_000 } && pictures.contains { $0.height == 1 })
    #expect(pictures.count { $0.width > $0.height } > 1000)
    #expect(pictures.count { $0.width < $0.height } > 1000)
    #expect(pictures.count { $0.width > 10 * $0.height } > 100)
    #expect(
      pictures.contains { $0 == size(1600, 1200) } && pictures.contains { $0 == size(3264, 4896) })
  }

  @Test func `odd sides are more than half`() {
    #expect(pictures.count { !$0.width.isMultiple(of: 2) } > 2200)
  }

  @Test func `the sides asked for are kept`() {
    let some = Gen<PixelSize>.pictures(sides: 300...400).sample(500)
    #expect(some.allSatisfy { (300...400).contains($0.width) && (300...400).contains($0.height) })
    #expect(Gen<PixelSize>.pictures(sides: 7...7).sample(50).allSatisfy { $0 == size(7, 7) })
  }

  @Test func `invalid pictures are refused`() {
    for (width, height) in Gen<(width: Int, height: Int)>.invalidPictures.sample(300) {
      #expect(throws: GeometryError.self) { try PixelSize(width: width, height: height) }
    }
  }

  private func size(_ width: Int, _ height: Int) -> PixelSize? {
    try? PixelSize(width: width, height: height)
  }
}
