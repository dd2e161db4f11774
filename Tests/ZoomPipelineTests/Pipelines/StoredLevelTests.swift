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

  init() throws { folder = try TestFolder() }

  private func write(_ name: String, _ settings: String, _ width: Int, _ height: Int) throws
    -> FilePath
  {
    let path = folder.path.appending(name)
    try Image(Pixels.noise(width, height)).write(to: path, as: .settings(settings))
    return path
  }

  private func open(_ path: FilePath) throws -> RandomSource {
    try #require(
      try RandomPipeline(limits: Self.limits).open(Picture(path, limits: Self.limits))
        as? RandomSource)
  }

  static let pyramids: [(name: String, settings: String, kind: String)] = [
    ("pages.tif", "[tile,tile-width=16,tile-height=16,pyramid,compression=deflate]", "page"),
    ("big.tif", "[tile,tile-width=16,tile-height=16,pyramid,bigtiff,compression=lzw]", "page"),
    ("sub.tif", "[tile,tile-width=16,tile-height=16,pyramid,subifd]", "subifd"),
    ("jpeg.tif", "[tile,tile-width=16,tile-height=16,pyramid,compression=jpeg]", "page"),
    ("tiles.jp2", "[tile-width=256,tile-height=256,lossless]", "page"),
  ]

  @Test(arguments: pyramids)
  func `an answer from a level is the part of a full decode of that level`(
    _ pyramid: (name: String, settings: String, kind: String)
  ) throws {
    // libvips (8.14) writes small JPEG 2000 files without resolutions.
    let scale = pyramid.name == "tiles.jp2" ? 4 : 1
    let path = try write(pyramid.name, pyramid.settings, 203 * scale, 150 * scale)
    let source = try open(path)
    for (number, reduction) in [Reduction.half, .quarter].enumerated() {
      let place: StoredLevel.Place =
        pyramid.kind == "page" ? .page(number + 1) : .subDirectory(number)
      let level = try #require(try Image.open(source.picture, place))
      for region in try TellingRegions(of: source.size, seed: 3).random(20) {
        let blocks = region.holdingBlocks(of: reduction.rawValue, in: source.size)
        let part = blocks.reduced(by: reduction.rawValue)
        let request = RegionRequest(blocks, reduction: reduction, usesStoredLevels: true)
        let answer = try source.read(request)
        #expect(answer.pixels.size == request.outputSize)
        // A level whose size was rounded down lacks the last partial block.
        guard part.isInside(try level.size) else {
          #expect(answer.resampling == .blockMean, "\(blocks)")
          continue
        }
        #expect(answer.resampling == .stored, "\(blocks)")
        #expect(answer.pixels.difference(from: try level.read(part, of: path)) == nil, "\(blocks)")
      }
    }
  }

  @Test func `a level answers only reductions that allow it, and is turned as asked`() throws {
    let source = try open(try write("a.tif", Self.pyramids[0].settings, 128, 96))
    let region = try PixelRegion(x: 32, y: 16, width: 48, height: 64)
    #expect(try source.read(RegionRequest(region, reduction: .half)).resampling == .blockMean)
    let exact = RegionRequest(region, usesStoredLevels: true)
    #expect(try source.read(exact).resampling == .none)
    let upright = try source.read(
      RegionRequest(region, reduction: .half, usesStoredLevels: true))
    let turned = try source.read(
      RegionRequest(region, reduction: .half, turn: .clockwise, usesStoredLevels: true))
    #expect(turned.resampling == .stored)
    #expect(turned.pixels.difference(from: upright.pixels.turned(by: .clockwise)) == nil)
  }

  @Test func `a picture without levels, and pages of other pictures, are reduced by their blocks`()
    throws
  {
    let plain = try write("a.tif", "[tile,tile-width=16,tile-height=16]", 128, 96)
    // The second page happens to have half the size, but is not marked as a copy.
    var bytes = try TestSupport.bytes(of: try write("b.tif", Self.pyramids[0].settings, 128, 96))
    for place in bytes.indices.dropLast(12)
    where bytes[place..<place + 4] == [254, 0, 4, 0] && bytes[place + 8] == 1 {
      bytes[place + 8] = 0
    }
    let pages = try folder.write(bytes, as: "b.tif")
    for path in [plain, pages] {
      let source = try open(path)
      let request = RegionRequest(
        PixelRegion(whole: source.size), reduction: .half, usesStoredLevels: true)
      #expect(try source.read(request).resampling == .blockMean, "\(path)")
    }
  }
}
