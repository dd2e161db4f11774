import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Pictures without parts, whose rows are decoded from the top and kept.
extension AdaptiveRasterTests {
  /// A decoder that stops above the cut would not notice it.
  @Test(arguments: ["a.png", "a.jpg"])
  func `nothing is shown of a file that is cut off`(_ name: String) throws {
    let path = folder.path.appending(name)
    try Image(Pixels.noise(50, 400)).write(to: path)
    var made = try bytes(of: path)
    // libjpeg skips bytes between segments, of which our parser does not know the end.
    if name == "a.jpg" {
      made.insert(contentsOf: [0, 0], at: 4 + (Int(made[4]) << 8) + Int(made[5]))
    }
    made.removeLast(made.count / 2)
    try folder.write(made, as: name)
    #expect(try Picture(path).jpegStructure == nil)
    #expect(throws: PipelineError.self) {
      try AutomaticPipeline().open(path).read(RegionRequest(strip(endingAt: 10)))
    }
  }

  @Test func `a peek decodes the rows down to its foot that are not decoded yet`() throws {
    let path = try tiff(height: 300)
    let source = try #require(try open(path) as? ResidentSource)
    let reference = try Reference(path)
    #expect(source.state == .nothing)
    #expect(source.explanation.hasPrefix("each row is decoded once"))
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
    let path = try tiff(height: 300)
    let source = try open(path)
    let regions = try (0..<24).map { try strip(endingAt: 10 + $0 * 53 % 291) }
    let answers = try answersTogether(of: source, regions, path)
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
    #expect(source.explanation.hasPrefix("the first peek reads all of its scans"))
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
