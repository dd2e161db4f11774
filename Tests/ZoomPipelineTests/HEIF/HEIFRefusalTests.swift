import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that unsupported files are refused with a reason before a pixel is read.
struct HEIFRefusalTests {
  struct Oddity: Sendable, CustomTestStringConvertible {
    let reason: String
    let change: @Sendable (inout GridFile) -> Void

    var testDescription: String { reason }
  }

  private static let sizeReason = "its tiles are coded in another size than its tables have"
  private static let alphaReason = "it has alpha, with which a grid decodes as a whole"
  private static let stillReason =
    "its tiles are not still pictures of the size that its tables have"

  static let oddities: [Oddity] = [
    Oddity(reason: "it is derived from another item, which decodes as a whole") {
      $0.edits.primaryType = "iden"
    },
    Oddity(reason: "it is an overlay of other items") { $0.edits.primaryType = "iovl" },
    Oddity(reason: "it is one coded item, which decodes as a whole") {
      $0.edits.primaryType = $0.tiles.type
    },
    Oddity(reason: "its grid has one tile, which decodes as a whole") {
      ($0.columns, $0.rows, $0.width, $0.height) = (1, 1, 64, 64)
    },
    Oddity(reason: "it is protected") { $0.edits.protection = 1 },
    Oddity(reason: "its data is in another file") { $0.edits.dataReference = 1 },
    Oddity(reason: "its data is made of other items' bytes") { $0.edits.construction = 2 },
    Oddity(reason: "it holds an image sequence") { $0.edits.before = box("moov", []) },
    Oddity(reason: "its tiles are items of type \"grid\"") { $0.edits.tileType = "grid" },
    Oddity(reason: "its tiles are items of type \"iden\"") { $0.edits.tileType = "iden" },
    Oddity(reason: "its tiles are items of type \"vvc1\"") { $0.edits.tileType = "vvc1" },
    Oddity(reason: "its tiles are items of several types") { $0.edits.lastTileType = "iden" },
    Oddity(reason: "its tiles differ in their properties") {
      $0.edits.lastTileHasOtherProperties = true
    },
    Oddity(reason: "its tiles are turned or cut one by one") {
      $0.tileProperties = [box("irot", [1])]
    },
    Oddity(reason: "its grid has two sizes") { $0.edits.gridSize = (255, 192) },
    Oddity(reason: "4 x 3 tiles of 64x64 do not make 257x192") { $0.width = 257 },
    Oddity(reason: "4 x 3 tiles of 64x64 do not make 192x192") { $0.width = 192 },
    Oddity(reason: "it has sides of no pixel, or too many") { $0.width = 0 },
    Oddity(reason: "its tiles have odd sides, so that chroma does not end where they do") {
      $0.edits.tileSize = (63, 64)
    },
    Oddity(reason: sizeReason) { $0.edits.tileSize = (66, 64) },
    Oddity(reason: "its grid does not have 4 x 3 tiles") {
      $0.edits.references = [box("dimg", number(1, 2) + number(1, 2) + number(2, 2))]
    },
    Oddity(reason: "its primary item belongs to another one") {
      $0.edits.references = [box("thmb", number(1, 2) + number(1, 2) + number(3, 2))]
    },
    Oddity(reason: "its tiles of 65538x64 are beyond any decoder") {
      ($0.columns, $0.width, $0.edits.tileSize) = (1, 64, (65538, 64))
    },
    Oddity(reason: "item 2 has properties of more than 8 MB") {
      let megabyte = box("what", [UInt8](repeating: 7, count: 1_000_000))
      $0.tileProperties = [[UInt8]](repeating: megabyte, count: 9)
    },
    Oddity(reason: "it lists item 2 twice") { $0.edits.listsTwice = true },
    Oddity(reason: "its iloc box has fields of unusual sizes") { $0.fieldSizes = (4, 3, 0) },
    Oddity(reason: "its grid is cropped, and decodes as a whole") {
      $0.properties = [box("clap", [])]
    },
    Oddity(reason: "item 2 is empty, or in several pieces") { $0.edits.pieces = 3 },
    Oddity(reason: alphaReason) { $0.edits.alphaTargets = [1] },
    Oddity(reason: alphaReason) { $0.edits.alphaTargets = [20, 1] },
    // Of a tile.
    Oddity(reason: alphaReason) { $0.edits.alphaTargets = [2] },
  ]

  @Test(arguments: oddities)
  func `a file that cannot be carved is refused`(_ oddity: Oddity) throws {
    for kind in [CodedTiles.Kind.hevc, .av1] {
      guard let tiles = CodedTiles.of(kind) else {
        reportMissingCodec("\(kind)")
        continue
      }
      var file = GridFile(tiles: tiles)
      oddity.change(&file)
      let folder = try TestFolder()
      let path = try folder.write(file.made().bytes, as: "a.\(kind.suffix)")
      // libvips does not open all of these files.
      let error = #expect(throws: PipelineError.self) {
        _ = try HEIFGrid(FileReader(path))
        // The coded size is checked when a picture is opened.
        _ = try HEIFReader(try Picture(path))
      }
      #expect(error?.code == .unsupported && error?.file == path)
      let isForAV1 = kind == .av1 && oddity.reason == Self.sizeReason
      #expect(error?.reason == (isForAV1 ? Self.stillReason : oddity.reason), "\(kind)")
    }
  }

  @Test(arguments: ["heic", "avif"])
  func `a picture of one item is refused`(suffix: String) throws {
    let folder = try TestFolder()
    let path = folder.path.appending("a.\(suffix)")
    let picture = try Pixels.noise(70, 66)
    guard (try? Image(picture).write(to: path)) != nil else {
      return reportMissingCodec(suffix)
    }
    let error = expectError(.unsupported, of: path) { try PartialPipeline().open(path) }
    #expect(error?.reason == "it is one coded item, which decodes as a whole")
  }
}
