import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct MemoryBudgetTests {
  private let file = FilePath("a.jpg")
  private let pixel: RegionRequest

  init() throws {
    pixel = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
  }

  @Test func `a reservation counts until it goes, and one byte too many is refused`() throws {
    let budget = MemoryBudget(limit: 100)
    var one: MemoryBudget.Reservation? = try budget.reserve(30, operation: "resident", file)
    let other = try budget.reserve(70, operation: "resident", file)
    #expect(budget.inUse == 100)
    withExtendedLifetime(one) {}
    one = nil
    for bytes in [31, 100, Int.max] {
      let error = expectError(.overBudget, of: file) {
        _ = try budget.reserve(bytes, operation: "resident", file)
      }
      #expect(error?.isRefusal == true)
      #expect(budget.inUse == 70)
    }
    withExtendedLifetime(other) {}
    // Memory that is not kept is compared with the whole budget.
    try budget.assertHolds(100, for: "decoding it", operation: "naive", file)
    let error = expectError(.overBudget) {
      try budget.assertHolds(101, for: "decoding it", operation: "naive", file)
    }
    #expect(error?.reason == "decoding it takes 1 MB, more than the budget of 1 MB")
  }

  @Test func `a refusal names what is wanted, in use and allowed, in megabytes rounded up`() throws
  {
    let budget = MemoryBudget(limit: 5_000_000)
    let kept = try budget.reserve(2_000_001, operation: "resident", file)
    let error = expectError(.overBudget) {
      _ = try budget.reserve(3_000_000, operation: "resident", file)
    }
    #expect(
      error?.reason == "its raster takes 3 MB, and of a budget of 5 MB 3 MB are in use")
    withExtendedLifetime(kept) {}
    for (bytes, megabytes) in [(0, 0), (1, 1), (1_000_000, 1), (1_000_001, 2)] {
      #expect(bytes.megabytes == "\(megabytes) MB")
    }
  }

  @Test func `a temporary file may take half of what is free and no more`() throws {
    try TemporaryDisk.assertHolds(1, operation: "random", file)
    expectError(.overBudget) {
      try TemporaryDisk.assertHolds(1 << 60, operation: "random", file)
    }
  }

  @Test func `of a tiled TIFF two rows of tiles are held`() async throws {
    let path = try await CorpusPictures.file("tiff-tiled")
    // 613x457 pixels of 3 bytes in tiles of 128.
    let held = 640 * 256 * 3
    let pipelines = StandardPipelines(limits: PictureLimits(bytes: held - 1))
    for name in ["random", "sequential", "automatic"] {
      let pipeline = try #require(pipelines.named(name))
      expectError(.overBudget, "\(name)") { try pipeline.open(path) }
    }
    _ = try RandomPipeline(limits: PictureLimits(bytes: held)).open(path).read(pixel)
  }

  /// libvips decodes strips row by row, except those that hold a single band.
  @Test(arguments: [true, false], [1, 2])
  func `two strips of each band are held if each strip holds a single band`(
    _ isLittle: Bool, _ planes: Int
  ) throws {
    var tiff = TIFFBytes(width: 300, height: 200, kind: .init(2, 8, 3), rowsPerStrip: 50)
    (tiff.isLittleEndian, tiff.isPlanar) = (isLittle, planes == 2)
    let folder = try TestFolder()
    let path = try folder.write(tiff.file(seed: 1).bytes, as: "a.tif")
    let held = try TIFFDirectory(FileReader(path))
      .heldPixels(of: PixelSize(width: 300, height: 200))
    #expect(held == (planes == 2 ? 2 * 300 * 50 : 0))
  }

  @Test func `two sources share it, and one can read when the other forgets or goes`()
    async throws
  {
    let path = try await CorpusPictures.file("orientation-1")
    let raster = try Picture(path).rasterByteCount
    let budget = MemoryBudget(limit: raster * 2 - 1)
    let pipeline = ResidentPipeline(limits: PictureLimits(memory: budget))
    let one = try pipeline.open(path)
    var other: (any RegionSource)? = try pipeline.open(path)
    _ = try one.read(pixel)
    #expect(budget.inUse == raster)
    expectError(.overBudget) { try other?.read(pixel) }
    #expect(other?.state == .nothing)
    #expect(budget.inUse == raster)
    #expect(throws: PipelineError.self) { try pipeline.open(path) }
    one.forget()
    #expect(budget.inUse == 0)
    _ = try other?.read(pixel)
    #expect(budget.inUse == raster)
    #expect(throws: PipelineError.self) { try one.read(pixel) }
    other = nil
    #expect(budget.inUse == 0)
    _ = try one.read(pixel)
  }

  @Test func `concurrent reservations never exceed the limit`() {
    let budget = MemoryBudget(limit: 10)
    let file = self.file
    let sums = concurrently(64) { (_: Int) -> Int in
      guard let kept = try? budget.reserve(3, operation: "resident", file) else { return 0 }
      return withExtendedLifetime(kept) { budget.inUse }
    }
    #expect((3...9).contains(sums.max() ?? 0))
    #expect(budget.inUse == 0)
  }

  @Test func `a negative budget is a programmer's error`() async {
    await #expect(processExitsWith: .failure) { _ = MemoryBudget(limit: -1) }
  }

  @Test(arguments: ["jpeg-411", "png-16", "orientation-7", "webp", "cmyk"])
  func `the first read decodes all, later ones nothing`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let budget = MemoryBudget(limit: 1 << 24)
    let limits = PictureLimits(memory: budget)
    for pipeline in [ResidentPipeline(limits: limits), RandomPipeline(limits: limits)]
      as [any PicturePipeline]
    {
      let source = try #require(try pipeline.open(path) as? any StoredSource)
      #expect(source.state == .nothing)
      #expect(budget.inUse == 0, "nothing is decoded yet")
      let telling = TellingRegions(of: source.size, seed: 41)
      for (number, region) in try telling.random(4).enumerated() {
        let work = try source.read(RegionRequest(region)).work
        if number == 0 {
          #expect(work.pixelsDecoded == source.size.area)
          #expect(try #require(work.bytesRead) * 10 > source.picture.version.length * 9)
        } else {
          #expect(work == .fromMemory(delivering: region.area))
        }
        #expect(source.state == .raster)
        #expect(budget.inUse == source.picture.rasterByteCount)
      }
      source.forget()
      #expect(source.state == .nothing)
      #expect(budget.inUse == 0)
    }
  }

  @Test func `a damaged picture is never kept and its bytes are given back`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let path = try folder.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 900)), as: "cut.jpg")
    let budget = MemoryBudget(limit: 1 << 20)
    let source = try ResidentPipeline(limits: PictureLimits(memory: budget)).open(path)
    for _ in 0..<2 {
      expectError(.damaged) { try source.read(pixel) }
      #expect(source.state == .nothing)
      #expect(budget.inUse == 0)
    }
  }
}
