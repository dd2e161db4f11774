import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// A JPEG made for a test, in a folder that is removed with it.
struct MadeJPEG {
  private let folder: TestFolder
  let path: FilePath
  /// The store of its index.
  let store: SidecarStore

  init(_ bytes: [UInt8]) throws {
    folder = try TestFolder()
    path = try folder.write(bytes, as: "made.jpg")
    store = SidecarStore(in: folder.path)
  }

  /// Makes a picture with much detail.
  init(
    _ options: JPEGEncoding, _ width: Int, _ height: Int, seed: UInt64 = 1
  ) throws {
    let size = try PixelSize(width: width, height: height)
    let scene = try SyntheticScene(
      .mosaic, size: size, seed: seed, form: options.colour.sourceForm)
    try self.init(JPEGEncoder.encode(scene.pixels(), size: size, options))
  }

  static func progressive(_ width: Int, _ height: Int) throws -> MadeJPEG {
    try MadeJPEG(JPEGBytes.progressive(width, height).bytes)
  }

  var bytes: [UInt8] { get throws { try TestSupport.bytes(of: path) } }

  func openIndexed() throws -> any RegionSource {
    try store.build(for: path)
    return try PartialPipeline(stores: [store]).open(path)
  }

  /// Returns upright regions whose stored regions are `JPEGStructure.regions`.
  func regions(_ count: Int, seed: UInt64) throws -> [PixelRegion] {
    let picture = try Picture(path)
    return try JPEGStructure(of: path).regions(count, seed: seed).map {
      try picture.orientation.uprightRegion(forStored: $0, storedSize: picture.storedSize)
    }
  }

  /// Expects exact regions; returns which ones were decoded from windows of only their MCUs.
  func expectExact(
    _ regions: [PixelRegion], from source: (any RegionSource)? = nil, _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Bool] {
    let (picture, jpeg) = (try Picture(path), try JPEGStructure(of: path))
    let reference = try Reference(path)
    let source = try source ?? PartialPipeline().open(path)
    return try regions.map { region in
      let answer = try source.read(RegionRequest(region))
      #expect(
        answer.pixels.difference(from: reference.crop(region)) == nil, "\(comment) \(region)",
        sourceLocation: sourceLocation)
      return try jpeg.isWindow(answer.work.unitsDecoded, of: picture.storedRegion(for: region))
    }
  }

  /// Expects at least one region, and that all are exact and decoded from windows.
  func expectWindows(
    _ regions: [PixelRegion], from source: (any RegionSource)? = nil, _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let isWindow = try expectExact(
      regions, from: source, comment, sourceLocation: sourceLocation)
    let others = zip(regions, isWindow).filter { !$1 }.map(\.0)
    #expect(
      !regions.isEmpty && others.isEmpty, "\(comment) of no window: \(others.prefix(3))",
      sourceLocation: sourceLocation)
  }
}

extension JPEGStructure {
  /// Returns at most `count` random regions of the stored picture.
  func regions(_ count: Int, seed: UInt64) throws -> [PixelRegion] {
    try TellingRegions(of: size, seed: seed, mcu: mcuSize).random(count)
  }

  /// Returns the encoded window of a region.
  func encodedWindow(of region: PixelRegion, in file: any CodedSource) throws -> [UInt8] {
    let growing = GrowingIndex(file, self, try ScanTables(self, of: file.path))
    let window = MCUWindow(self, region: region)
    let plan = try #require(try growing.plan([window]).plans?.first)
    return try #require(try growing.encode(plan)).bytes
  }

  /// Whether the number of decoded MCUs fits the region's window, or the two windows of its halves.
  func isWindow(_ mcus: Int?, of stored: PixelRegion) -> Bool {
    let window = MCUWindow(self, region: stored)
    let middle = (window.rows.lowerBound + window.rows.upperBound) / 2 * mcuSize.height
    guard stored.y < middle, middle < stored.maxY else { return mcus == window.count }
    let halves = [stored.rows(stored.y..<middle), stored.rows(middle..<stored.maxY)]
    return mcus == window.count
      || mcus == halves.reduce(0) { $0 + MCUWindow(self, region: $1).count }
  }
}
