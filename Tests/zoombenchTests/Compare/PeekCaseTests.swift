import PropertyTesting
import PropertyTestingBridge
import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct PeekCaseTests {
  private static func peek(
    _ width: Int, _ height: Int, by reduction: Reduction = .none
  ) -> PeekCase {
    PeekCase(
      picture: "picture", path: "picture.jpg", source: "partial", width: width, height: height,
      reduction: reduction, state: .warm)
  }

  private static let sides = Gen.integer(in: 1...3000)

  @Test(.property(seed: .random))
  func `a region of any size lies inside the picture and has whole blocks`() async {
    let asked = Gens.zip(Self.sides, Self.sides)
    let pictures = Gens.zip(Self.sides, Self.sides)
    await expectForAll(
      asked, pictures, Gens.zip(Gen.integer(in: 0...100_000), Gen.integer(in: 0...1000)),
      Gen.element(of: Reduction.ofDecoders)
    ) { asked, picture, round, reduction in
      let size = try PixelSize(width: picture.0, height: picture.1)
      let peek = Self.peek(asked.0, asked.1, by: reduction)
      let region = try peek.region(round: round.0, size: size, extra: round.1)
      try Property.require(region.isInside(size))
      let block = reduction.rawValue
      try Property.require(region.x % block == 0 && region.y % block == 0)
      try Property.require(region.width % block == 0 || region.maxX == size.width)
      try Property.require(region.height % block == 0 || region.maxY == size.height)
    }
  }

  @Test(.property(seed: .random))
  func `a region with extra rows contains the region without them`() async {
    await expectForAll(
      Self.sides, Self.sides, Gen.integer(in: 0...1000), Gen.integer(in: 0...1000)
    ) { asked, side, round, extra in
      let size = try PixelSize(width: side, height: side)
      let peek = Self.peek(asked, asked)
      let plain = try peek.region(round: round, size: size)
      let more = try peek.region(round: round, size: size, extra: extra)
      try Property.require(more.x == plain.x && more.width == plain.width)
      try Property.require(more.y <= plain.y && more.maxY >= plain.maxY)
      let rows = min(size.height, plain.height + (plain.height * extra + 999) / 1000)
      try Property.require(more.height == rows)
    }
  }

  @Test func `four rounds read from four quarters of the picture`() throws {
    let size = try PixelSize(width: 1000, height: 1000)
    let quarters = try (0..<4).map { round in
      let region = try Self.peek(10, 10).region(round: round, size: size)
      return [region.x < 495, region.y < 495]
    }
    #expect(Set(quarters).count == 4)
  }

  @Test func `regions depend on the seed and not on the state of the file`() throws {
    let size = try PixelSize(width: 1000, height: 1000)
    func regions(_ seed: UInt64, _ state: BenchPlan.FileState) throws -> [PixelRegion] {
      let peek = PeekCase(
        of: "a.jpg", by: "naive", BenchPlan.standardPeeks[0], state, seed: seed)
      return try (0..<8).map { try peek.region(round: $0, size: size) }
    }
    #expect(try regions(7, .cold) == regions(7, .warm))
    #expect(try regions(7, .warm) != regions(8, .warm))
  }

  @Test func `the name has the picture, the source, the size and the state`() {
    #expect(Self.peek(375, 200).name == "picture/partial/375x200/warm")
    #expect(Self.peek(1500, 1500, by: .half).name == "picture/partial/1500x1500/by 2/warm")
  }
}
