import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests reduced answers from the levels stored in a file.
struct StoredLevelTests {
  private let folder: TestFolder
  private static let limits = PictureLimits(loaders: .all)
  /// The places of a file's levels by factor.
  typealias Places = [Int: StoredLevel.Place]

  init() throws { folder = try TestFolder() }

  private func write(
    _ name: String, _ settings: String, _ width: Int, _ height: Int, seed: UInt64 = 3
  ) throws -> FilePath {
    let path = folder.path.appending(name)
    try Image(Pixels.noise(width, height, seed: seed)).write(to: path, settings: settings)
    return path
  }

  private func open(_ path: FilePath) throws -> RandomSource {
    try #require(
      try RandomPipeline(limits: Self.limits).open(Picture(path, limits: Self.limits))
        as? RandomSource)
  }

  private static let tiles = "tile,tile-width=16,tile-height=16"

  // MARK: Laws

  static let pyramids: [(name: String, settings: String, kind: String)] = [
    ("pages.tif", "[\(tiles),pyramid,compression=deflate]", "page"),
    ("big.tif", "[\(tiles),pyramid,bigtiff,compression=lzw]", "page"),
    ("sub.tif", "[\(tiles),pyramid,subifd]", "subifd"),
    ("jpeg.tif", "[\(tiles),pyramid,compression=jpeg]", "page"),
    ("tiles.jp2", "[tile-width=256,tile-height=256,lossless]", "page"),
  ]

  @Test(arguments: pyramids)
  func `each level that libvips writes answers the requests that its factor divides`(
    _ pyramid: (name: String, settings: String, kind: String)
  ) throws {
    // libvips (8.14) writes small JPEG 2000 files without resolutions.
    let isJPEG2000 = pyramid.name == "tiles.jp2"
    let scale = isJPEG2000 ? 4 : 1
    let path = try write(pyramid.name, pyramid.settings, 203 * scale, 150 * scale)
    let source = try open(path)
    var places: Places = [:]
    for halvings in 1...6 {
      let place: StoredLevel.Place =
        pyramid.kind == "page" ? .page(halvings) : .subDirectory(halvings - 1)
      if try Image.open(source.picture, place) != nil { places[1 << halvings] = place }
    }
    #expect(isJPEG2000 ? places[4] != nil : places.keys.sorted() == [2, 4, 8, 16])
    try expectLevels(places, of: source)
  }

  /// The files that `Pyramids/make.py` makes.
  static let others: [(name: String, places: Places)] = [
    ("ome.tif", [4: .subDirectory(0), 16: .subDirectory(1)]),
    ("thirds.tif", [3: .page(1), 9: .page(2)]),
  ]

  @Test(arguments: others)
  func `each level in files of another writer answers the requests that its factor divides`(
    _ other: (name: String, places: Places)
  ) throws {
    let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
    let path = folder.appending("Pyramids").appending(other.name)
    try expectLevels(other.places, of: open(path))
  }

  @Test func `a slide's levels answer, and its thumbnail, label and macro never do`() throws {
    var pages = try slide()
    try expectLevels([4: .page(2), 16: .page(3)], of: open(join(pages)))
    // In tiles and of a level's size, the picture of the whole slide is still no level.
    pages[5] = TIFFPage(file: try page(101, 75), kind: 9, description: "Aperio\r\nmacro 101x75")
    try expectLevels([4: .page(2), 16: .page(3)], of: open(join(pages)))
  }

  @Test func `pages that are not marked as copies are levels in Aperio's slides only`() throws {
    var pages = try slide()
    for number in pages.indices { pages[number].description = "Another scanner" }
    try expectLevels([:], of: open(join(pages)))
    // The first page alone does not make the others levels.
    pages[0].description = "Aperio"
    try expectLevels([:], of: open(join(pages)))
  }

  @Test func `copies after another picture are not levels of the first`() throws {
    let pages = try [
      TIFFPage(file: page(203, 150)), TIFFPage(file: page(101, 75), kind: 1),
      // A mask belongs to the picture before it.
      TIFFPage(file: page(50, 37), kind: 5), TIFFPage(file: page(25, 18), kind: 1),
      TIFFPage(file: page(203, 150)), TIFFPage(file: page(50, 37), kind: 1),
    ]
    try expectLevels([2: .page(1), 8: .page(3)], of: open(join(pages)))
  }

  @Test(arguments: [(8_320, 9_001), (46_000, 32_914), (8_323, 70_001)])
  func `the factor of a level is found from its size, rounded up or down`(
    _ width: Int, _ height: Int
  ) throws {
    let whole = try PixelSize(width: width, height: height)
    for factor in 2...Reduction.largestFactor {
      let up = try #require(Reduction(rawValue: factor))
      let sizes = try [
        PixelSize(width: width / factor, height: height / factor),
        PixelSize(width: up.reduced(width), height: up.reduced(height)),
        PixelSize(width: width / factor, height: up.reduced(height)),
      ]
      for size in sizes { #expect(StoredLevel.reduction(of: size, from: whole) == up, "\(size)") }
    }
  }

  // MARK: Examples

  @Test func `if several factors fit, a power of two is taken, or else none`() throws {
    let sizes: [(whole: (Int, Int), level: (Int, Int), factor: Int?)] = [
      // 17 fits the first one, too, and both 5 and 6 fit the last one.
      ((203, 150), (12, 9), 16), ((46_000, 32_914), (2_875, 2_057), 16), ((20, 20), (4, 4), nil),
      // Another aspect ratio, the picture itself, an enlargement, and less than 1/64.
      ((203, 150), (50, 50), nil), ((203, 150), (203, 150), nil), ((203, 150), (406, 300), nil),
      ((46_000, 32_914), (700, 500), nil),
    ]
    for (whole, level, factor) in sizes {
      let found = StoredLevel.reduction(
        of: try PixelSize(width: level.0, height: level.1),
        from: try PixelSize(width: whole.0, height: whole.1))
      #expect(found?.rawValue == factor, "\(whole) to \(level)")
    }
  }

  @Test func `an answer is turned as asked, and one at full size comes from no level`() throws {
    let source = try open(try write("a.tif", Self.pyramids[0].settings, 128, 96))
    let region = try PixelRegion(x: 32, y: 16, width: 48, height: 64)
    let exact = RegionRequest(region, usesStoredLevels: true)
    #expect(try source.read(exact).resampling == .none)
    let upright = try source.read(
      RegionRequest(region, reduction: .half, usesStoredLevels: true))
    let turned = try source.read(
      RegionRequest(region, reduction: .half, turn: .clockwise, usesStoredLevels: true))
    #expect(turned.resampling == .stored)
    #expect(turned.pixels.difference(from: upright.pixels.turned(by: .clockwise)) == nil)
  }

  @Test func `levels are taken from the smallest on, as long as all tiles fit into the budget`()
    throws
  {
    let path = try write("a.tif", Self.pyramids[0].settings, 203, 150)
    // Two rows of tiles are held: 26 tiles of the picture, then 14, 8, 4 and 1 of the levels.
    let budgets: [(tiles: Int, factors: [Int])] = [
      (53, [16, 8, 4, 2]), (52, [16, 8, 4]), (38, [16, 8]), (30, [16]), (26, []),
    ]
    for (tiles, factors) in budgets {
      let picture = try Picture(path, limits: PictureLimits(bytes: tiles * 16 * 16 * 3))
      #expect(
        try RandomSource(picture: picture).storedReductions().map(\.rawValue) == factors)
    }
  }

  // MARK: Helpers

  private func page(_ width: Int, _ height: Int, tiled: Bool = true) throws -> [UInt8] {
    let settings = "[compression=deflate\(tiled ? ",\(Self.tiles)" : "")]"
    return try bytes(of: write("page.tif", settings, width, height, seed: UInt64(width)))
  }

  /// Returns the pages of a slide in the order of Aperio's scanners.
  private func slide() throws -> [TIFFPage] {
    try [
      TIFFPage(file: page(203, 150), description: "Aperio Image Library\r\n203x150"),
      TIFFPage(file: page(101, 75, tiled: false), description: "Aperio Image Library\r\n-> 101x75"),
      TIFFPage(file: page(50, 37), description: "Aperio Image Library\r\n-> 50x37"),
      TIFFPage(file: page(12, 9), description: "Aperio Image Library\r\n-> 12x9"),
      TIFFPage(file: page(25, 18, tiled: false), kind: 1, description: "Aperio\r\nlabel 25x18"),
      TIFFPage(file: page(101, 75, tiled: false), kind: 9, description: "Aperio\r\nmacro 101x75"),
    ]
  }

  private func join(_ pages: [TIFFPage]) throws -> FilePath {
    try folder.write(try TIFFPage.joined(pages), as: "joined.tif")
  }

  /// Expects that a file has these levels alone, and that requests which allow levels get the part of
  /// the deepest one that divides their reduction; its last pixels also represent partial blocks.
  private func expectLevels(_ places: Places, of source: RandomSource) throws {
    #expect(try source.storedReductions().map(\.rawValue) == places.keys.sorted(by: >))
    let levels = try places.map { factor, place -> (factor: Int, pixels: Pixels) in
      let level = try #require(try Image.open(source.picture, place))
      let pixels = try level.read(PixelRegion(whole: level.size))
      let size = PixelRegion(whole: source.size).reduced(by: factor).size
      let last = (x: pixels.size.width - 1, y: pixels.size.height - 1)
      let whole = try Pixels(
        width: size.width, height: size.height, bands: pixels.bands,
        interpretation: pixels.interpretation
      ) { x, y, band in
        pixels.bytes[
          min(y, last.y) * pixels.rowByteCount + min(x, last.x) * pixels.bands + band]
      }
      return (factor, whole)
    }
    for factor in [2, 3, 4, 8, 9, 12, 16, 18, 48, 64] {
      let reduction = try #require(Reduction(rawValue: factor))
      let deepest = levels.filter { factor.isMultiple(of: $0.factor) }
        .max { $0.factor < $1.factor }
      let regions = try TellingRegions(of: source.size, seed: 3).random(8)
      for region in regions + [PixelRegion(whole: source.size)] {
        let blocks = region.holdingBlocks(of: factor, in: source.size)
        let mean = try source.read(RegionRequest(blocks, reduction: reduction))
        #expect(mean.resampling == .blockMean, "\(blocks) by \(factor)")
        let answer = try source.read(
          RegionRequest(blocks, reduction: reduction, usesStoredLevels: true))
        var wanted = mean.pixels
        if let deepest {
          let part = deepest.pixels.crop(blocks.reduced(by: deepest.factor))
          wanted = try #require(part.meanOfBlocks(factor / deepest.factor))
        }
        #expect(answer.resampling == (deepest == nil ? .blockMean : .stored))
        #expect(answer.pixels.difference(from: wanted) == nil, "\(blocks) by \(factor)")
      }
    }
  }
}
