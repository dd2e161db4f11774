import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the work of `automatic`: when it changes over from parts to a raster, and how a raster
/// grows for a picture without parts.
struct AdaptiveRasterTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a TIFF of 50 columns in strips, which cannot be entered if their bits are packed.
  ///
  /// Strips of at most 128 rows are kept one by one.
  func tiff(
    height: Int = 400, strips: Int = 1, coding: StripCoding = .packBits
  ) throws -> FilePath {
    var tiff = TIFFBytes(
      width: 50, height: height, kind: .init(2, 8, 3),
      rowsPerStrip: strips == 1 ? nil : height / strips)
    tiff.coding = coding
    return try folder.write(tiff.file(seed: 7).bytes, as: "\(strips).tif")
  }

  /// Four strips of 200 rows, which are kept only with the whole picture.
  private func tallStrips() throws -> FilePath { try tiff(height: 800, strips: 4) }

  /// Reads regions concurrently and expects their pixels.
  func answersTogether(
    of source: any RegionSource, _ regions: [PixelRegion], _ path: FilePath
  ) throws -> [RegionAnswer] {
    let reference = try Reference(path)
    let answers = try concurrently(regions.count) { number throws(PipelineError) in
      try source.read(RegionRequest(regions[number]))
    }
    for (region, answer) in zip(regions, answers) {
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
    }
    return answers
  }

  private static let rowBytes = 50 * 3

  func open(
    _ path: FilePath, _ budget: MemoryBudget = MemoryBudget(limit: 1 << 26)
  ) throws -> any RegionSource {
    try AutomaticPipeline(PartialPipeline(limits: PictureLimits(memory: budget))).open(path)
  }

  /// Returns regions of 20x9 pixels, each in one row of forty strips.
  private func regions(_ count: Int) throws -> [PixelRegion] {
    try (0..<count).map { try PixelRegion(x: 7, y: $0 * 130 % 400, width: 20, height: 9) }
  }

  @Test func `the first peek reads its part, the second decodes all, and later ones read nothing`()
    throws
  {
    let path = try tallStrips()
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
        #expect(budget.inUse == (number > 0 ? 800 * Self.rowBytes : 0))
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
    let source = try open(path)
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

  @Test(arguments: [4, 5, 8])
  func `after the first peek, no strip is decoded twice in any sequence of costly peeks`(
    _ strips: Int
  ) throws {
    let path = try tiff(strips: strips)
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try #require(try open(path, budget) as? any StoredSource)
    let reference = try Reference(path)
    let rows = 400 / strips
    let regions = try TellingRegions(of: source.size, seed: 9).random(30).filter {
      $0.y >= rows || $0.maxY <= 400 - rows
    }
    #expect(regions.count > 10)
    _ = try source.read(RegionRequest(regions[0]))
    #expect(budget.inUse == 0)
    var decoded = 0
    for region in regions {
      let told = try #require(source.cost(of: region))
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
      #expect(try #require(answer.work.pixelsDecoded) <= told.first && told.later == 0)
      decoded += answer.work.unitsDecoded ?? 0
      #expect(decoded <= strips && budget.inUse == decoded * rows * Self.rowBytes)
      let again = try source.read(RegionRequest(region))
      #expect(again.pixels == answer.pixels)
      #expect(again.work == .fromMemory(delivering: region.area))
    }
    #expect((source.state == .raster) == (decoded == strips))
  }

  /// Strips of LZW that were decoded once are decoded as far as a peek needs; those of deflate are
  /// kept with all others, as libtiff decodes them faster.
  @Test(arguments: [StripCoding.lzw, .deflate], [4, 5, 8])
  func `strips that are decoded here cost what is told, until they are kept`(
    _ coding: StripCoding, _ strips: Int
  ) throws {
    let path = try tiff(strips: strips, coding: coding)
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try #require(try open(path, budget) as? any StoredSource)
    let reference = try Reference(path)
    for region in try TellingRegions(of: source.size, seed: 9).random(60) {
      let told = try #require(source.cost(of: region))
      let keptBefore = budget.inUse
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
      #expect(keptBefore <= budget.inUse && budget.inUse <= 400 * Self.rowBytes)
      if budget.inUse > keptBefore { #expect(told.later == 0) }
      // libvips does not say what it decodes for the raster.
      guard source.state != .raster else { continue }
      #expect(try #require(answer.work.pixelsDecoded) <= told.first, "\(region)")
    }
    #expect(budget.inUse > 0 && (source.state == .raster || coding == .lzw))
  }

  /// The bounds that the documentation of `AdaptiveRaster` gives.
  ///
  /// Packed strips are kept one by one; rows that are not compressed only with all others.
  @Test(arguments: [StripCoding.packBits, StripCoding.none], [4, 5, 8, 10, 16, 40])
  func `one peek costs what its part costs, and ten stay within the bounds`(
    _ coding: StripCoding, _ strips: Int
  ) throws {
    let path = try tiff(strips: strips, coding: coding)
    let sources: [any RegionSource] = [
      try open(path), try PartialPipeline().open(path), try ResidentPipeline().open(path),
    ]
    let rows = 400 / strips
    let regions = try (0..<10).map {
      try PixelRegion(x: 0, y: $0 * 130 % (401 - rows), width: 50, height: rows)
    }
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
    let source = try open(path)
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

  @Test func `a picture whose peeks are cheap is never kept, even after it was shown as a whole`()
    throws
  {
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(try tiff(strips: 40), budget)
    _ = try source.read(RegionRequest(PixelRegion(whole: source.size)))
    for region in try regions(50) {
      #expect(try #require(source.read(RegionRequest(region)).work.unitsDecoded) <= 2)
    }
    #expect(source.state != .raster && budget.inUse == 0)
  }

  @Test(arguments: [400, 800])
  func `while memory for rows is short, parts are read and none are kept`(_ height: Int) throws {
    let raster = height * Self.rowBytes
    let kept = height == 400 ? raster / 4 : raster
    let budget = MemoryBudget(limit: raster)
    let source = try open(try tiff(height: height, strips: 4), budget)
    let requests = try regions(5).map { RegionRequest($0) }
    do {
      let other = try #require(budget.reserve(raster - kept + 1))
      for request in requests {
        #expect(try source.read(request).work.unitsDecoded == 1)
        #expect(budget.inUse == other.bytes)
      }
      withExtendedLifetime(other) {}
    }
    _ = try source.read(requests[0])
    #expect(budget.inUse == kept)
  }

  @Test(arguments: [-1, 0])
  func `a raster is promised only if the budget can hold it`(_ more: Int) throws {
    let budget = MemoryBudget(limit: 400 * Self.rowBytes + more)
    let source = try #require(try open(try tiff(strips: 4), budget) as? any StoredSource)
    let cost = try #require(source.cost(of: try PixelRegion(x: 7, y: 0, width: 20, height: 9)))
    #expect(source.explanation.contains("kept, at most 1 MB") == (more == 0))
    #expect((cost.later == 0) == (more == 0))
  }

  @Test func `where parts are irregular, peeks cost a pass from the top, so that a raster is kept`()
    throws
  {
    // 20 rows of 40 MCUs, with a restart marker out of turn in the middle.
    var jpeg = JPEGBytes(
      try MadeJPEG(JPEGEncoding(quality: 80).with(\.restart, .rows(1)), 640, 320).bytes)
    jpeg.bytes[jpeg.restarts[9]] ^= 1
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let above = try PixelRegion(x: 300, y: 60, width: 40, height: 20)
    let below = try PixelRegion(x: 300, y: 280, width: 40, height: 20)
    let parts = try #require(try PartialPipeline().open(path) as? any StoredSource)
    func costs() -> [Int?] { [above, below].map { parts.cost(of: $0)?.later } }
    let fresh = costs()
    _ = try parts.read(RegionRequest(below))
    #expect(costs() == [fresh[0], 640 * 300])
    parts.forget()
    #expect(costs() == fresh)
    let source = try open(path)
    let reference = try Reference(path)
    for number in 0..<3 {
      let answer = try source.read(RegionRequest(below))
      #expect(answer.pixels.difference(from: reference.crop(below)) == nil)
      #expect((source.state == .raster) == (number > 0))
      if number > 1 { #expect(answer.work == .fromMemory(delivering: below.area)) }
    }
  }

  /// One strip of four is damaged.
  ///
  /// Each peek into 400 rows costs 25 % of the picture. In the tall picture, the average cost is above
  /// 11 % only with the fourth peek.
  @Test(arguments: [(400, StripCoding.lzw, nil), (400, .deflate, 1), (800, .deflate, 3)])
  func `if a picture is damaged elsewhere, parts are read, and only sound strips are kept`(
    _ height: Int, _ coding: StripCoding, _ failed: Int?
  ) throws {
    var tiff = TIFFBytes(
      width: 50, height: height, kind: .init(2, 8, 3), rowsPerStrip: height / 4)
    tiff.coding = coding
    tiff.ownStrips[3] = [0x79, 1, 7, 0]
    let path = try folder.write(tiff.file(seed: 7).bytes, as: "damaged.tif")
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(path, budget)
    let parts = try PartialPipeline().open(path)
    for (number, region) in try regions(9).enumerated() {
      let request = RegionRequest(region)
      if height == 400 && region.maxY > 300 {
        #expect(throws: PipelineError.self) { try source.read(request) }
      } else {
        let answer = try source.read(request)
        #expect(try answer.pixels == parts.read(request).pixels)
        // The error of a decode of the whole picture does not say at what cost it came.
        #expect((answer.work.bytesRead == nil) == (number == failed))
        #expect((answer.work.pixelsDecoded == nil) == (number == failed))
      }
    }
    #expect(source.state != .raster)
    // The first peek keeps nothing, and no other one shows its strip.
    #expect(budget.inUse == (failed == nil ? 200 * Self.rowBytes : 0))
  }

  @Test func `of peeks into strips at the same time, none waits or decodes more than its strip`()
    throws
  {
    let path = try tiff(strips: 4)
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(path, budget)
    let regions = try regions(32)
    let answers = try answersTogether(of: source, regions, path)
    #expect(answers.allSatisfy { $0.work.unitsDecoded ?? 1 == 1 })
    // A peek that met another one kept nothing.
    for region in regions { _ = try source.read(RegionRequest(region)) }
    #expect(source.state == .raster && budget.inUse == 400 * Self.rowBytes)
    _ = try answersTogether(of: source, regions, path)
  }

  @Test func `of peeks at the same time, one decodes the picture, others read parts`() throws {
    let path = try tallStrips()
    let source = try open(path)
    let regions = try regions(32)
    let answers = try answersTogether(of: source, regions, path)
    let units = answers.compactMap(\.work.unitsDecoded)
    #expect(units.filter { $0 == 4 }.count == 1 && units.allSatisfy { $0 == 1 || $0 == 4 })
  }

  func strip(endingAt foot: Int) throws -> PixelRegion {
    try PixelRegion(x: 3, y: foot - 10, width: 20, height: 10)
  }

  /// Its rows are short, so that all peeks enter at the top: the worst case.
  @Test func `a PNG whose peeks stay costly keeps the rows that they pass`() throws {
    let path = folder.path.appending("a.png")
    try Image(Pixels.noise(50, 400)).write(to: path)
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(path, budget)
    let reference = try Reference(path)
    var kept = 0
    for (foot, rows) in [(200, 200), (100, 100), (64, 0), (300, 300), (250, 0), (400, 400), (9, 0)]
    {
      let region = try strip(endingAt: max(foot, 10))
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil)
      #expect(answer.work.pixelsDecoded == 50 * rows, "down to row \(foot)")
      // The first peek keeps only the index.
      kept = foot == 200 ? 0 : max(kept, rows)
      #expect(budget.inUse == kept * Self.rowBytes)
    }
    #expect(source.state == .raster)
    source.forget()
    #expect(source.state == .openFile && budget.inUse == 0)
  }

  /// A pass from the top opens the file again; a grey picture's rows must not be kept as colours.
  @Test func `rows of another picture that was written over the file are not kept`() throws {
    let path = folder.path.appending("a.png")
    try Image(Pixels.noise(50, 400)).write(to: path)
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try open(path, budget)
    for _ in 0..<2 { _ = try source.read(RegionRequest(strip(endingAt: 200))) }
    #expect(budget.inUse == 200 * Self.rowBytes)
    let grey = folder.path.appending("grey.png")
    try Image(Pixels.noise(50, 400, bands: 1)).write(to: grey)
    // Written in place, not renamed.
    let file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
    try file.closeAfter { _ = try file.writeAll(bytes(of: grey)) }
    expectError(.changed, of: path) { try source.read(RegionRequest(strip(endingAt: 400))) }
    #expect(budget.inUse == 0)
  }
}
