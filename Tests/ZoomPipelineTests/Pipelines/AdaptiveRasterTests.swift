import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests when `automatic` changes over from parts to a raster; times are not measured, work is.
struct AdaptiveRasterTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a TIFF of 50x400 pixels in strips that libtiff decodes as a whole.
  private func tiff(strips: Int) throws -> FilePath {
    var tiff = TIFFBytes(width: 50, height: 400, kind: .init(2, 8, 3), rowsPerStrip: 400 / strips)
    tiff.coding = .packBits
    return try folder.write(tiff.file(seed: 7).bytes, as: "\(strips).tif")
  }

  private static let rasterBytes = 50 * 400 * 3

  private func open(_ path: FilePath, _ budget: MemoryBudget) throws -> any RegionSource {
    try AutomaticPipeline(PartialPipeline(limits: PictureLimits(memory: budget))).open(path)
  }

  /// Returns regions of 20x9 pixels, each in one row of forty strips.
  private func regions(_ count: Int) throws -> [PixelRegion] {
    try (0..<count).map { try PixelRegion(x: 7, y: $0 * 130 % 400, width: 20, height: 9) }
  }

  @Test func `the first peek reads its part, the second decodes all, and later ones read nothing`()
    throws
  {
    let path = try tiff(strips: 4)
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(path, budget)
    let opened = source.state
    let reference = try Reference(path)
    for _ in 0..<2 {
      var units: [Int?] = []
      for (number, region) in try regions(10).enumerated() {
        let answer = try source.read(RegionRequest(region))
        #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
        #expect((source.state == .raster) == (number > 0))
        #expect(budget.inUse == (number > 0 ? Self.rasterBytes : 0))
        if number > 1 { #expect(answer.work == .fromMemory(delivering: region.area)) }
        units.append(answer.work.unitsDecoded)
      }
      #expect(units.prefix(2) == [1, 4])
      source.forget()
      #expect(source.state == opened && budget.inUse == 0)
    }
  }

  @Test func `a WebP is parsed for the first peek and decoded for the second, and no more`()
    async throws
  {
    let path = try await CorpusPictures.file("webp")
    let source = try open(path, MemoryBudget(limit: 1 << 26))
    let reference = try Reference(path)
    var bytesRead = 0
    for region in try TellingRegions(of: source.size, seed: 5).aroundMCUs().prefix(10) {
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
      bytesRead += try #require(answer.work.bytesRead)
    }
    #expect(source.state == .raster)
    #expect(bytesRead == 2 * (try FileVersion(of: path).length))
  }

  /// The bounds that the documentation of `AdaptiveRaster` gives.
  @Test(arguments: [4, 5, 8, 10, 16, 40])
  func `one peek costs what its part costs, and ten stay within the bounds`(_ strips: Int) throws {
    let path = try tiff(strips: strips)
    let sources: [any RegionSource] = [
      try open(path, MemoryBudget(limit: 1 << 24)), try PartialPipeline().open(path),
      try ResidentPipeline().open(path),
    ]
    let regions = try regions(10)
    func cost(_ source: any RegionSource, _ count: Int) throws -> Int {
      source.forget()
      return try regions.prefix(count).reduce(0) { sum, region in
        sum + (try #require(try source.read(RegionRequest(region)).work.pixelsDecoded))
      }
    }
    let one = try sources.map { try cost($0, 1) }
    let ten = try sources.map { try cost($0, 10) }
    #expect(one[0] == one[1] && one[1] < one[2])
    #expect(10 * ten[0] <= 11 * ten[1], "\(ten)")
    #expect(ten[0] <= ten[2] + one[0], "\(ten)")
  }

  @Test func `a JPEG whose raster is kept still gives windows, and reduces as before`() throws {
    let jpeg = try JPEGBytes.small(300, 200).bytes
    let path = try folder.write(jpeg, as: "a.jpg")
    let source = try open(path, MemoryBudget(limit: 1 << 24))
    let large = try PixelRegion(x: 10, y: 20, width: 200, height: 100)
    let blocks = try PixelRegion(x: 16, y: 32, width: 64, height: 32)
    let halved = RegionRequest(blocks, reduction: .half)
    let before = try source.read(halved)
    #expect(before.resampling == .decoder)
    let answers = try (0..<3).map { _ in try source.read(RegionRequest(large)) }
    #expect(source.state == .raster && answers[2].work == .fromMemory(delivering: large.area))
    #expect(answers.allSatisfy { $0.pixels == answers[0].pixels })
    #expect(try source.read(halved).pixels == before.pixels)
    let windows = try #require(source as? any JPEGWindowSource)
    let parts = try #require(try PartialPipeline().open(path) as? any JPEGWindowSource)
    #expect(try windows.window(for: large) == parts.window(for: large))
  }

  @Test func `a picture whose peeks are cheap is never kept`() throws {
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(try tiff(strips: 40), budget)
    for region in try regions(50) {
      #expect(try #require(source.read(RegionRequest(region)).work.unitsDecoded) <= 2)
    }
    #expect(source.state != .raster && budget.inUse == 0)
  }

  @Test func `without memory for the raster parts are read, until there is some`() throws {
    let budget = MemoryBudget(limit: Self.rasterBytes)
    let source = try open(try tiff(strips: 4), budget)
    let requests = try regions(5).map { RegionRequest($0) }
    do {
      let other = try #require(budget.reserve(1))
      for request in requests {
        #expect(try source.read(request).work.unitsDecoded == 1)
        #expect(source.state != .raster)
      }
      withExtendedLifetime(other) {}
    }
    _ = try source.read(requests[0])
    #expect(source.state == .raster && budget.inUse == Self.rasterBytes)
  }

  @Test func `of a picture that is damaged elsewhere parts are read, and nothing is kept`() throws {
    var tiff = TIFFBytes(width: 50, height: 400, kind: .init(2, 8, 3), rowsPerStrip: 100)
    tiff.coding = .deflate
    tiff.ownStrips[3] = [0x79, 1, 7, 0]
    let path = try folder.write(tiff.file(seed: 7).bytes, as: "damaged.tif")
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(path, budget)
    let parts = try PartialPipeline().open(path)
    for region in try regions(9) {
      let request = RegionRequest(region)
      if region.maxY > 300 {
        #expect(throws: PipelineError.self) { try source.read(request) }
      } else {
        #expect(try source.read(request).pixels == parts.read(request).pixels)
      }
    }
    #expect(source.state != .raster && budget.inUse == 0)
  }

  @Test func `of peeks at once one decodes the picture, and the others read their parts`() throws {
    let path = try tiff(strips: 4)
    let source = try open(path, MemoryBudget(limit: 1 << 24))
    let reference = try Reference(path)
    let regions = try regions(32)
    let answers = try concurrently(regions.count) { number throws(PipelineError) in
      try source.read(RegionRequest(regions[number]))
    }
    for (region, answer) in zip(regions, answers) {
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
    }
    let units = answers.compactMap(\.work.unitsDecoded)
    #expect(units.filter { $0 == 4 }.count == 1 && units.allSatisfy { $0 == 1 || $0 == 4 })
  }
}
