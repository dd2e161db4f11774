import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that regions of HEIC and AVIF grids are decoded from their tiles only, and exact.
struct HEIFGridTests {
  /// A kind of grid: its name, and the changes that make it.
  struct Variant: Sendable, CustomTestStringConvertible {
    let name: String
    var kinds: [CodedTiles.Kind] = [.hevc, .av1]
    let change: @Sendable (inout GridFile) -> Void

    var testDescription: String { name }
  }

  private static let rotations = (0...3).map { turns in
    Variant(name: "\(turns) quarter turns") { $0.properties = [box("irot", [UInt8(turns)])] }
  }

  private static let mirrors = (0...1).map { axis in
    Variant(name: "mirror \(axis)") { $0.properties = [box("imir", [UInt8(axis)])] }
  }

  static let variants: [Variant] =
    [
      Variant(name: "plain") { _ in },
      Variant(name: "overhanging tiles") { ($0.width, $0.height) = (199, 141) },
      Variant(name: "one row") { ($0.rows, $0.height) = (1, 64) },
      Variant(name: "one column") { ($0.columns, $0.rows, $0.width, $0.height) = (1, 12, 33, 750) },
      Variant(name: "10 bits", kinds: [.hevcDeep]) { ($0.width, $0.height) = (250, 190) },
      Variant(name: "turned and mirrored") {
        ($0.width, $0.height) = (199, 141)
        $0.properties = [box("irot", [1]), box("imir", [0])]
      },
      Variant(name: "mirrored and turned") {
        ($0.width, $0.height) = (199, 141)
        $0.properties = [box("imir", [1]), box("irot", [3])]
      },
      Variant(name: "colour properties") {
        $0.properties = [
          box("colr", Array("nclx".utf8) + number(1, 2) + number(13, 2) + number(6, 2) + [128]),
          box("pixi", full(0) + [3, 8, 8, 8]),
        ]
      },
      Variant(name: "an ICC profile") {
        $0.properties = [box("colr", Array("prof".utf8) + number(128, 4) + Array(0..<124))]
      },
      Variant(name: "an ICC profile of the tiles") {
        $0.tileProperties = [box("colr", Array("prof".utf8) + number(128, 4) + Array(0..<124))]
      },
      Variant(name: "unknown properties") {
        $0.tileProperties = [box("what", [1, 2, 3])]
        $0.properties = [box("uuid", [UInt8](repeating: 7, count: 20))]
      },
      Variant(name: "company") { $0.hasCompany = true },
      Variant(name: "places of version 0") { $0.locationVersion = 0 },
      Variant(name: "places of version 2") { $0.locationVersion = 2 },
      Variant(name: "places of 8 bytes with bases") { $0.fieldSizes = (8, 8, 8) },
      Variant(name: "places of 4 bytes with bases") { $0.fieldSizes = (4, 8, 4) },
      Variant(name: "a grid in the table") { $0.payloadIsInTable = true },
      Variant(name: "all bytes in the table") {
        ($0.payloadIsInTable, $0.tilesAreInTable) = (true, true)
      },
      Variant(name: "wide numbers") { $0.isWide = true },
      Variant(name: "tiles that are there twice") {
        $0.order = [0, 0, 0, 1, 2, 2, 1, 1, 5, 0, 5, 0]
      },
    ] + rotations + mirrors

  static func file(_ kind: CodedTiles.Kind, _ variant: Variant) -> GridFile.Made? {
    guard let tiles = CodedTiles.of(kind) else { return nil }
    var file = GridFile(tiles: tiles)
    variant.change(&file)
    return file.made()
  }

  @Test func `libvips encodes tiles of a codec`() {
    for kind in CodedTiles.Kind.allCases where CodedTiles.of(kind) == nil {
      reportMissingCodec("\(kind)")
    }
    #expect(CodedTiles.of(.hevc) != nil || CodedTiles.of(.av1) != nil)
  }

  @Test(arguments: variants)
  func `every region is that of a full decode`(_ variant: Variant) throws {
    let folder = try TestFolder()
    for kind in variant.kinds {
      guard let made = Self.file(kind, variant) else {
        reportMissingCodec("\(kind)")
        continue
      }
      let path = try folder.write(made.bytes, as: "\(kind).\(kind.suffix)")
      let reference = try Reference(path)
      let telling = TellingRegions(of: reference.region.size, seed: 7, mcu: (64, 64))
      let regions =
        try telling.corners() + telling.edges() + telling.singlePixels()
        + telling.random(Thoroughness.pick(60, full: 600)) + [reference.region]
      try expectCrops(
        PartialPipeline().open(path), regions, of: reference, unit: .tile, "\(kind)")
    }
  }

  @Test(arguments: [CodedTiles.Kind.hevc, .av1])
  func `only the tiles that a region touches are read and decoded`(_ kind: CodedTiles.Kind) throws {
    guard let tiles = CodedTiles.of(kind) else { return reportMissingCodec("\(kind)") }
    let folder = try TestFolder()
    let made = GridFile(tiles: tiles).made()
    let path = try folder.write(made.bytes, as: "a.\(kind.suffix)")
    let source = try PartialPipeline().open(path)
    let telling = TellingRegions(of: source.size, seed: 3, mcu: (64, 64))
    for region in try telling.random(200) {
      let work = try source.read(RegionRequest(region)).work
      // Tiles with a pixel at most two pixels away from the region.
      let touched = (0..<12).filter { place in
        let (x, y) = (place % 4 * 64, place / 4 * 64)
        return region.x - 2 < x + 64 && x < region.maxX + 2 && region.y - 2 < y + 64
          && y < region.maxY + 2
      }
      #expect(work.unitsDecoded == touched.count, "\(region)")
      #expect(work.pixelsDecoded == touched.count * 64 * 64, "\(region)")
      #expect(work.bytesRead == touched.reduce(0) { $0 + made.tiles[$1].count }, "\(region)")
      #expect(work.pixelsDelivered == region.area)
    }
  }

  @Test func `bands have the rows of their region, and as many tiles as the budget holds`() throws {
    guard let tiles = CodedTiles.of(.av1) ?? CodedTiles.of(.hevc) else {
      return reportMissingCodec("HEIF")
    }
    let folder = try TestFolder()
    var answered = 0
    for turns in 0..<4 {
      let file = GridFile(
        tiles: tiles, width: 250, height: 190, properties: [box("irot", [UInt8(turns)])])
      let path = try folder.write(file.made().bytes, as: "\(turns).avif")
      let reference = try Reference(path)
      for tileCount in [1, 3, 4, 8, 12] {
        let limits = PictureLimits(memory: MemoryBudget(limit: tileCount * 64 * 64 * 3 * 4))
        let picture = try Picture(path, limits: limits)
        let reader = try HEIFReader(picture)
        for region in try TellingRegions(of: picture.size, seed: 5, mcu: (64, 64)).random(40) {
          let bands = try #require(reader.plan(region).bands).map(\.region)
          #expect(bands.first?.y == region.y && bands.last?.maxY == region.maxY)
          for (band, next) in zip(bands, bands.dropFirst()) { #expect(band.maxY == next.y) }
          for band in bands {
            #expect(band.x == region.x && band.width == region.width)
            guard let carved = try reader.carve(RegionBand(region: band)) else { continue }
            #expect(try #require(carved.work.unitsDecoded) <= tileCount)
          }
          guard let answer = try? PartialPipeline().open(picture).read(RegionRequest(region)) else {
            continue
          }
          answered += 1
          #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
        }
      }
    }
    #expect(answered >= 400)
  }
}
