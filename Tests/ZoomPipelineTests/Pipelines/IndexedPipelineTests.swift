import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import ZoomPipeline

/// Windows by brute force: small JPEGs of every kind, a great many regions of each.
@Suite struct IndexedPipelineTests {
  static let restarts: [JPEGEncoding.Restart] = [
    .none, .rows(1), .rows(3), .mcus(1), .mcus(5), .mcus(16), .mcus(33),
  ]

  private func expectExact(
    _ made: MadeJPEG, count: Int, seed: UInt64
  ) throws {
    let whole = try Image.open(made.path, access: .random)
    let jpeg = try JPEGStructure(of: made.path)
    let source = try IndexedPipeline().open(made.path)
    for region in try MadeJPEG.regions(in: jpeg.size, mcu: jpeg.mcuSize, count: count, seed: seed) {
      let answer = try source.read(RegionRequest(region))
      let isEqual = try answer.pixels == whole.read(region)
      #expect(isEqual, "\(region) of \(jpeg.size)")
      // Never by way of a pass from the top, which would be exact as well.
      #expect(answer.work.unitsDecoded == MCUWindow(jpeg, region: region).count, "\(region)")
    }
  }

  @Test(arguments: MadeJPEG.samplings, restarts)
  func `every region has the pixels of the whole picture`(
    sampling: [JPEGEncoding.Sampling], restart: JPEGEncoding.Restart
  ) throws {
    var options = JPEGEncoding(sampling: sampling, quality: 90)
    options.restart = restart
    // 4k+1 and 4k+2 pixels wide: the last chroma columns are as few as can be.
    for (width, height) in [(161, 90), (130, 65)] {
      try expectExact(try MadeJPEG(options, width, height), count: 60, seed: 7)
    }
  }

  @Test func `sizes from a pixel to three MCUs are exact`() throws {
    for sampling in MadeJPEG.samplings {
      for side in [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 40] {
        let options = JPEGEncoding(sampling: sampling, quality: 90)
        try expectExact(try MadeJPEG(options, side, 19), count: 6, seed: UInt64(side))
        try expectExact(try MadeJPEG(options, 21, side), count: 6, seed: UInt64(side))
      }
    }
  }

  @Test(arguments: JPEGEncoding.Colour.allCases, [JPEGEncoding.Coding.huffman, .optimised])
  func `every colour coding and both kinds of tables are exact`(
    colour: JPEGEncoding.Colour, tables: JPEGEncoding.Coding
  ) throws {
    var options = JPEGEncoding(colour: colour, quality: 80)
    options.coding = tables
    try expectExact(try MadeJPEG(options, 301, 130), count: 60, seed: 9)
    options.restart = .mcus(11)
    try expectExact(try MadeJPEG(options, 301, 130), count: 60, seed: 10)
  }

  @Test func `grey with factors of two, in one block an MCU, is exact`() throws {
    let options = JPEGEncoding(
      colour: .gray, sampling: [JPEGEncoding.Sampling(2, 2)], quality: 85)
    try expectExact(try MadeJPEG(options, 203, 75), count: 80, seed: 11)
  }

  @Test func `tables that lack a code which a window needs are replaced, with the same pixels`()
    throws
  {
    // Small differences everywhere give tables of small categories; a row that begins in the
    // middle needs a large one.
    let (width, height) = (512, 64)
    let bytes = (0..<height).flatMap { _ in
      (0..<width).map { x in UInt8(clamping: 4 * (x / 8)) }
    }
    let scene = try #require(
      RasterScene(size: SceneSize(width: width, height: height), form: .gray8, bytes: bytes))
    for restart in [JPEGEncoding.Restart.none, .rows(1)] {
      var options = JPEGEncoding(colour: .gray, quality: 95)
      options.restart = restart
      options.coding = .optimised
      let made = try MadeJPEG(try JPEGEncoder.encode(scene, options))
      let tables = try ScanTables(try JPEGStructure(of: made.path), of: made.path)
      #expect((0...11).contains { tables.dcTables[0].code(of: UInt8($0)) == nil })
      try expectExact(made, count: 80, seed: 12)
    }
  }

  @Test func `a peek decodes and steps over the same few MCUs wherever it lies`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 1600, 640)
    let source = try IndexedPipeline().open(made.path)
    try (source as? any JPEGWindowSource)?.completeIndex()
    for (x, y) in [(0, 0), (808, 20), (1584, 600), (720, 320)] {
      let region = try PixelRegion(x: x, y: y, width: 8, height: 8)
      let work = try source.read(RegionRequest(region)).work
      #expect(try #require(work.unitsDecoded) <= 4)
      // Two rows of the window, fewer than 8 MCUs before each.
      #expect(work.unitsWalked <= 2 * 7)
      #expect(try #require(work.bytesRead) < 20_000)
    }
  }

  @Test func `the first peek passes what lies above it, and the next one does not`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 800, 640)
    let source = try IndexedPipeline().open(made.path)
    #expect(source.state == .openFile)
    let request = RegionRequest(try PixelRegion(x: 400, y: 300, width: 20, height: 20))
    let first = try source.read(request).work
    #expect(source.state == .index)
    #expect(first.unitsWalked >= 50 * 18)
    let second = try source.read(request).work
    #expect(second.unitsWalked < 60)
    #expect(second.unitsDecoded == first.unitsDecoded)
    source.forget()
    #expect(source.state == .openFile)
    #expect(try source.read(request).work == first)
  }

  @Test func `with markers at whole rows a first peek walks its own rows, and a second one less`()
    throws
  {
    var options = JPEGEncoding(quality: 80)
    options.restart = .rows(1)
    let made = try MadeJPEG(options, 1600, 640)
    let source = try IndexedPipeline().open(made.path)
    let request = RegionRequest(try PixelRegion(x: 1200, y: 328, width: 60, height: 60))
    let first = try source.read(request).work
    // 76 MCUs before the region in each of its rows; nothing in those above.
    #expect(first.unitsWalked <= 6 * 76 && first.unitsWalked > 4 * 70)
    #expect(try #require(first.bytesRead) < made.bytes.count)
    let second = try source.read(request).work
    #expect(second.unitsWalked < 6 * 8)
    #expect(try #require(second.bytesRead) * 4 < first.bytesRead ?? 0)
  }

  @Test func `many peeks at once give what one after the other give`() async throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 700, 500)
    let whole = try Image.open(made.path, access: .random)
    let size = try whole.size
    let source = try IndexedPipeline().open(made.path)
    let regions = try MadeJPEG.regions(in: size, mcu: (16, 16), count: 64, seed: 3)
    try await withThrowingTaskGroup(of: (PixelRegion, Pixels).self) { group in
      for region in regions {
        group.addTask { (region, try source.read(RegionRequest(region)).pixels) }
      }
      for try await (region, pixels) in group {
        let isEqual = try pixels == whole.read(region)
        #expect(isEqual, "\(region)")
      }
    }
  }

  @Test(arguments: [JPEGEncoding.Restart.none, .rows(1), .mcus(9)])
  func `broken coded bytes give what a full decode makes of them, or an error`(
    restart: JPEGEncoding.Restart
  ) throws {
    var options = JPEGEncoding(quality: 80)
    options.restart = restart
    let intact = try MadeJPEG(options, 320, 96, seed: 5)
    let bytes = try intact.bytes
    let start = try JPEGStructure(of: intact.path).codedStart
    var random = SplitMix64(seed: 11)
    let region = try PixelRegion(x: 200, y: 40, width: 30, height: 30)
    var compared = 0
    for _ in 0..<200 {
      var broken = bytes
      let place = Int.random(in: start..<bytes.count - 2, using: &random)
      // No byte becomes or was FF, so that markers stay where they are.
      guard bytes[place] != 0xFF, bytes[place - 1] != 0xFF else { continue }
      broken[place] = UInt8.random(in: 0..<0xFF, using: &random)
      let made = try MadeJPEG(broken)
      guard let whole = try? Image.open(made.path, access: .random).read(region),
        let source = try? IndexedPipeline().open(made.path),
        let answer = try? source.read(RegionRequest(region))
      else { continue }
      let isEqual = answer.pixels.bytes == whole.bytes
      #expect(isEqual, "byte \(place)")
      compared += 1
    }
    #expect(compared > 100, "nearly every broken file decodes to something")
  }

  @Test(arguments: ["jpeg-scans", "petronas-progressive", "png", "tiff-tiled", "webp"])
  func `what cannot be entered is refused with a reason`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let error = #expect(throws: PipelineError.self) { try IndexedPipeline().open(path) }
    #expect(error?.code == .unsupported)
    #expect(error?.file == path)
    #expect(error?.reason.isEmpty == false)
  }

  @Test func `other bytes of the same length and time are refused`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let source = try IndexedPipeline().open(path)
    let requests = try [9, 150].map {
      RegionRequest(try PixelRegion(x: 0, y: 150, width: $0, height: 9))
    }
    for request in requests { _ = try source.read(request) }
    var status = stat()
    #expect(stat(path.string, &status) == 0)
    // In place, not by renaming; then the time is put back.
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.closeAfter {
      _ = try file.writeAll(toAbsoluteOffset: 0, jpeg.patched { $0[jpeg.end - 40] ^= 1 }.bytes)
    }
    #if canImport(Darwin)
      var times = [status.st_atimespec, status.st_mtimespec]
    #else
      var times = [status.st_atim, status.st_mtim]
    #endif
    #expect(utimensat(AT_FDCWD, path.string, &times, 0) == 0)
    for request in requests {
      let error = #expect(throws: PipelineError.self) { try source.read(request) }
      #expect(error?.code == .changed)
    }
  }

  @Test func `data that breaks the rules is left to libvips at every peek`() throws {
    // A fill byte before a stuffed zero half way: libjpeg passes over it.
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 640, 640)
    var bytes = try made.bytes
    let start = try JPEGStructure(of: made.path).codedStart
    let middle = (start + bytes.count) / 2
    let stuffed = try #require(
      (middle..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0 })
    bytes.insert(0xFF, at: stuffed)
    let broken = try MadeJPEG(bytes)
    let reference = try Reference(broken.path)
    let source = try IndexedPipeline().open(broken.path)
    for _ in 0..<3 {
      for y in [480, 100, 600] {
        let region = try PixelRegion(x: 320, y: y, width: 64, height: 32)
        let pixels = try source.read(RegionRequest(region)).pixels
        #expect(pixels.difference(from: reference.crop(region)) == nil, "\(region)")
      }
    }
  }

  @Test func `a file that shrinks after it was opened is refused`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let source = try IndexedPipeline().open(path)
    let request = RegionRequest(try PixelRegion(x: 0, y: 150, width: 9, height: 9))
    _ = try source.read(request)
    try folder.write(Array(jpeg.bytes.prefix(jpeg.bytes.count / 2)), as: "a.jpg")
    let error = #expect(throws: PipelineError.self) { try source.read(request) }
    #expect(error?.code == .changed)
  }
}
