import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the source that `automatic` uses for a picture without parts: rows are decoded once.
struct GrowingRasterTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a TIFF of 50x300 pixels in one strip that cannot be entered.
  private func tiff() throws -> FilePath {
    var tiff = TIFFBytes(width: 50, height: 300, kind: .init(2, 8, 3), rowsPerStrip: nil)
    tiff.coding = .packBits
    return try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
  }

  private func open(
    _ path: FilePath, _ budget: MemoryBudget = MemoryBudget(limit: 1 << 26)
  ) throws -> ResidentSource {
    let limits = PictureLimits(memory: budget)
    let source = try AutomaticPipeline(PartialPipeline(limits: limits)).open(path)
    return try #require(source as? ResidentSource)
  }

  private func strip(endingAt foot: Int) throws -> PixelRegion {
    try PixelRegion(x: 3, y: foot - 10, width: 20, height: 10)
  }

  @Test func `a peek decodes the rows down to its foot that are not decoded yet`() throws {
    let path = try tiff()
    let source = try open(path)
    let reference = try Reference(path)
    #expect(source.state == .nothing)
    // Rows are decoded 64 at a time.
    for (foot, rows) in [(10, 64), (64, 0), (200, 192), (150, 0), (300, 44), (10, 0)] {
      let region = try strip(endingAt: foot)
      let told = try #require(source.cost(of: region))
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
      #expect(answer.work.pixelsDecoded == 50 * rows && 50 * rows <= told.first)
      if rows == 0 { #expect(answer.work == .fromMemory(delivering: region.area)) }
      #expect((source.state == .raster) == (foot == 300 || foot == 10 && rows == 0))
    }
    source.forget()
    #expect(source.state == .nothing)
    #expect(try source.read(RegionRequest(strip(endingAt: 10))).work.pixelsDecoded == 50 * 64)
  }

  @Test func `peeks at once decode each row once`() throws {
    let path = try tiff()
    let source = try open(path)
    let reference = try Reference(path)
    let regions = try (0..<24).map { try strip(endingAt: 10 + $0 * 53 % 291) }
    let answers = try concurrently(regions.count) { number throws(PipelineError) in
      try source.read(RegionRequest(regions[number]))
    }
    for (region, answer) in zip(regions, answers) {
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
    }
    let foot = regions.map(\.maxY).max() ?? 0
    let rows = min(300, (foot + 63) / 64 * 64)
    #expect(answers.reduce(0) { $0 + ($1.work.pixelsDecoded ?? 0) } == 50 * rows)
  }

  /// libjpeg holds all coefficients of a JPEG of several scans, which take twice the raster.
  @Test func `a decoder that waits for the next peek counts towards the budget until the last row`()
    async throws
  {
    let path = try await CorpusPictures.file("jpeg-scans")
    let raster = 613 * 457 * 3
    let budget = MemoryBudget(limit: 3 * raster)
    let source = try open(path, budget)
    let top = RegionRequest(try strip(endingAt: 10))
    _ = try source.read(top)
    #expect(source.state == .openFile && budget.inUse == 3 * raster)
    let foot = RegionRequest(try strip(endingAt: 457))
    _ = try source.read(foot)
    #expect(source.state == .raster && budget.inUse == raster)
    source.forget()
    #expect(budget.inUse == 0)
    // Without memory for the decoder, all rows are decoded at once.
    let other = try #require(budget.reserve(1))
    let work = try source.read(top).work
    #expect(source.state == .raster && budget.inUse == raster + 1)
    #expect(work.pixelsDecoded == 613 * 457)
    withExtendedLifetime(other) {}
  }

  @Test func `rows of a file that was replaced are dropped`() async throws {
    let whole = try bytes(of: try await CorpusPictures.file("jpeg-scans"))
    let path = try folder.write(whole, as: "a.jpg")
    let source = try open(path)
    _ = try source.read(RegionRequest(strip(endingAt: 10)))
    try AtomicFile.write(whole, to: path)
    expectError(.changed, of: path) { try source.read(RegionRequest(strip(endingAt: 457))) }
    #expect(source.state == .nothing)
  }
}
