import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions of PNGs of every kind and compression against full decodes.
struct PNGExactnessTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: RandomPNG.Kind.all)
  func `regions of every kind equal a full decode`(_ kind: RandomPNG.Kind) throws {
    for seed in 0..<UInt64(Thoroughness.pick(12, full: 150)) {
      let made = RandomPNG(kind, seed: seed &* 31)
      try expectExact(made, spacing: [1, 2, 7, 40][Int(seed % 4)], seed: seed)
    }
    for (width, height) in [1, 2, 3, 5].flatMap({ [($0, 1), (1, $0), ($0, $0), ($0, 300)] }) {
      let made = RandomPNG(kind, width: width, height: height, seed: 3)
      try expectExact(made, spacing: 1, seed: 3)
    }
    // Points are 32 KB or more apart, so that windows hold only bytes that are referred to later.
    guard kind.depth == 8, kind.colourType != 4 else { return }
    for seed in 0..<UInt64(Thoroughness.pick(4, full: 40)) {
      let made = RandomPNG(kind, width: 40_000 * 8 / kind.pixelBits, height: 9, seed: seed)
      try expectExact(made, spacing: 2, seed: seed)
    }
  }

  @Test(arguments: ["cuts", "animation", "text"])
  func `cuts and chunks around the pixels change nothing`(_ what: String) throws {
    var made = RandomPNG(RandomPNG.Kind(colourType: 2, depth: 8), width: 50, height: 60, seed: 1)
    let end = made.stream.count
    switch what {
    case "cuts":
      // An empty IDAT, and cuts inside the zlib header and its checksum.
      made.cuts = [0, 0, 1, 1, 2, 3, end / 2, end / 2, end - 3, end - 1, end]
    case "animation":
      // Its chunks are left out, and the default image is shown.
      made.chunks += [
        ("acTL", [0, 0, 0, 1, 0, 0, 0, 0]), ("fcTL", [UInt8](repeating: 0, count: 26)),
      ]
    default: made.trailer = RandomPNG.chunk("tEXt", Array("Comment\0behind".utf8))
    }
    try expectCrops(
      source(of: made, spacing: 3), TellingRegions(of: PixelSize(width: 50, height: 60)).all(),
      of: Reference(folder.path.appending("a.png")), unit: .row)
  }

  @Test(arguments: RandomPNG.Kind.all)
  func `regions through a stored index equal a full decode`(_ kind: RandomPNG.Kind) throws {
    let made = RandomPNG(kind, width: 301, height: 700, seed: 5)
    let path = try folder.write(made.bytes, as: "a.png")
    let store = SidecarStore(in: folder.path)
    let facts = try store.build(for: path)
    #expect(facts.pointCount > 1 || made.raster.count < 1 << 16)
    #expect(try store.refusal(for: path) == nil)
    let source = try PartialPipeline(stores: [store]).open(path)
    let reference = try Reference(path)
    for region in try TellingRegions(of: source.size, seed: 4).random(12, longest: 600) {
      try expectCrops(source, [region], of: reference, unit: .row, "\(made)")
      let rows = try #require(try source.read(RegionRequest(region)).work.unitsDecoded)
      let most = region.height + max(128, (1 << 16) / ((made.width * kind.pixelBits + 7) / 8 + 1))
      #expect(rows <= most)
    }
  }

  @Test func `a peek into known rows decodes no more than the rows from the nearest entry point`()
    throws
  {
    let made = RandomPNG(
      RandomPNG.Kind(colourType: 2, depth: 8), width: 60, height: 200, seed: 8)
    let source = try self.source(of: made, spacing: 10)
    let low = try PixelRegion(x: 20, y: 180, width: 30, height: 10)
    let first = try source.read(RegionRequest(low)).work
    #expect(first.unitsDecoded == 190)
    let again = try source.read(RegionRequest(low)).work
    #expect(again.unitsDecoded == 10 && again.pixelsDecoded == 10 * 50)
    // Rows that are not known yet are decoded from the last entry point.
    let foot = try PixelRegion(x: 0, y: 195, width: 1, height: 5)
    #expect(try source.read(RegionRequest(foot)).work.unitsDecoded == 20)
    source.forget()
    #expect(source.state == .openFile)
    #expect(try source.read(RegionRequest(low)).work == first)
  }

  // MARK: Helpers

  private func source(of made: RandomPNG, spacing: Int) throws -> any RegionSource {
    let picture = try Picture(try folder.write(made.bytes, as: "a.png"))
    let png = try PNGHeaders(picture.file)
    let reader = try PNGReader(picture, png, nil, spacing: spacing)
    return PartSource(picture, reader, bytesBefore: 0)
  }

  private func expectExact(_ made: RandomPNG, spacing: Int, seed: UInt64) throws {
    let source = try self.source(of: made, spacing: spacing)
    let reference = try Reference(folder.path.appending("a.png"))
    for count in [6, 4] {
      let regions = try TellingRegions(of: source.size, seed: seed &* 2).random(count, longest: 600)
      try expectCrops(
        source, regions, of: reference, unit: .row, "\(made) seed \(seed)")
      source.forget()
    }
  }
}
