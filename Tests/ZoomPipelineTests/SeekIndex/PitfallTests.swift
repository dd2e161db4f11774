import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Known faults of partial JPEG readers, by number.
///
/// All answers are compared with a full decode, byte for byte, and must not come from one.
/// `JPEGExactnessTests` has numbers 1 to 4 (borders of MCUs, edges, tiny pictures, single pixels),
/// 11 (colours), 13 (metadata) and 14 (reductions), `RandomJPEGTests` 7 (stuffed bytes), 9 (scans)
/// and 12 (orientations), `JPEGWindowTests` 18 (windows that any decoder can read),
/// `SidecarStoreTests` 19.
@Suite struct PitfallTests {
  /// Replaces the sampling factors in the frame header of a picture with the same blocks.
  ///
  /// The first has chroma at two thirds of the width, which T.81 allows and libjpeg does not
  /// support; its MCUs have as many blocks as those of 4:1:1. The others have more blocks in an MCU
  /// than the ten that T.81, B.2.3, allows in a scan of several components.
  @Test(arguments: [[(3, 1), (2, 1)], [(4, 2), (2, 1)], [(4, 2), (2, 2)], [(4, 2), (4, 4)]])
  func `pitfall 5: factors that libjpeg does not support are an error of every source`(
    _ factors: [(Int, Int)]
  ) throws {
    let written =
      factors[0].1 == 1 ? JPEGEncoding.Sampling.yCbCr411 : JPEGEncoding.Sampling.yCbCr410
    let jpeg = try JPEGBytes(115, 77, JPEGEncoding(sampling: written))
      .withSampling((factors + [(1, 1)]).map { .init($0.0, $0.1) })
    let made = try MadeJPEG(jpeg.bytes)
    let request = RegionRequest(try PixelRegion(x: 50, y: 30, width: 20, height: 20))
    for pipeline in StandardPipelines().all {
      #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try pipeline.open(made.path).read(request)
      }
    }
  }

  @Test func `pitfall 6: points next to a restart marker are where the bits begin`() throws {
    // A flat picture: MCUs have a few bits, so points are within eight bytes of the markers.
    let size = try PixelSize(width: 700, height: 64)
    let bytes = (0..<size.area).map { UInt8($0 / 8 % 3 * 20) }
    for interval in [1, 2, 31, 32, 33, 64, 87, 88, 89, 700] {
      let options = JPEGEncoding(colour: .gray, quality: 60).with(\.restart, .mcus(interval))
      let made = try MadeJPEG(try JPEGEncoder.encode(bytes, size: size, options))
      try made.expectWindows(try made.regions(40, seed: 6), "every \(interval)")
    }
  }

  @Test func `pitfall 8: codes of 16 bits, in tables made for the picture`() throws {
    let options = JPEGEncoding(quality: 98).with(\.coding, .optimised)
    let made = try MadeJPEG(options, 900, 300, seed: 8)
    let tables = try ScanTables(try JPEGStructure(of: made.path), of: made.path)
    let lengths = tables.acTables.flatMap { table in
      (0...255).compactMap { table.code(of: UInt8($0))?.length }
    }
    #expect(lengths.max() == 16)
    try made.expectWindows(try made.regions(25, seed: 8))
  }

  @Test func `pitfall 10: a thumbnail in the metadata is another JPEG, not the picture`() throws {
    let thumbnail = try MadeJPEG(JPEGEncoding(quality: 30), 40, 30, seed: 2).bytes
    // A big-endian TIFF: an empty directory, then one with the thumbnail's offset and length (EXIF
    // 2.32, 4.6.5: tags 0201 and 0202), then the thumbnail.
    let directories: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 14, 0, 2]
      + [2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 44, 2, 2, 0, 4, 0, 0, 0, 1, 0, 0]
      + [UInt8(thumbnail.count >> 8), UInt8(thumbnail.count & 0xFF), 0, 0, 0, 0]
    #expect(directories.count == 44)
    let body = Array("Exif\0\0".utf8) + directories + thumbnail
    let jpeg = JPEGBytes(try MadeJPEG(JPEGEncoding(quality: 85), 150, 110).bytes)
    let made = try MadeJPEG(
      jpeg.patched { $0.insert(contentsOf: JPEGBytes.segment(0xE1, body), at: 2) }.bytes)
    #expect(try JPEGStructure(of: made.path).size == PixelSize(width: 150, height: 110))
    try made.expectWindows(try made.regions(30, seed: 10))
  }

  /// Returns a region of 40x20 whose first row is `y`, for pictures 640 pixels wide.
  private func band(_ y: Int) throws -> PixelRegion {
    try PixelRegion(x: 300, y: y, width: 40, height: 20)
  }

  @Test(arguments: ["a restart marker out of turn", "a fill byte in coded data"])
  func `pitfall 15: regions below damage come from a full decode, and those above it from windows`(
    _ what: String
  ) throws {
    // 20 rows of 40 MCUs.
    let isMarker = what.contains("restart")
    let options = JPEGEncoding(quality: 80).with(\.restart, isMarker ? .rows(1) : .none)
    var jpeg = JPEGBytes(try MadeJPEG(options, 640, 320).bytes)
    if isMarker {
      jpeg.bytes[jpeg.restarts[9]] ^= 1
    } else {
      // In the middle, in row 9 or 10; libjpeg tolerates it.
      let middle = (jpeg.codedStart + jpeg.bytes.count) / 2
      let stuffed = try #require(
        (middle..<jpeg.bytes.count - 1).first { jpeg.bytes[$0] == 0xFF && jpeg.bytes[$0 + 1] == 0 })
      jpeg.bytes.insert(0xFF, at: stuffed)
    }
    let isWindow = try MadeJPEG(jpeg.bytes).expectExact([60, 280, 60, 220, 0].map(band), what)
    #expect(isWindow == [true, false, true, false, true])
  }

  /// Only the data after the scan is unexpected, such as a second height.
  @Test func `pitfall 15: a scan that ends in disorder is entered, but not indexed`() throws {
    var jpeg = JPEGBytes(try MadeJPEG(JPEGEncoding(quality: 80), 640, 320).bytes)
    // A DNL segment (T.81, B.2.5) with 1 x 256 + 64 lines, which libjpeg ignores.
    jpeg.bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, 1, 64], at: jpeg.end - 1)
    let made = try MadeJPEG(jpeg.bytes)
    let (foot, above) = (try PixelRegion(x: 620, y: 300, width: 20, height: 20), try band(60))
    try made.expectWindows([above, foot, above, foot])
    expectError(.unsupported) { try made.store.build(for: made.path) }
  }

  @Test func `pitfall 16: an index of another picture, or a changed one, is not used`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 300, 200)
    let other = try MadeJPEG(JPEGEncoding(quality: 80), 300, 200, seed: 2)
    let place = try made.store.build(for: made.path).path
    let own = try bytes(of: place)
    let others = try bytes(of: made.store.build(for: other.path).path)
    var tampered = own
    // Offsets and predictors of the records are at the end.
    tampered[tampered.count - 60] ^= 4
    // Points are verified when a peek needs them; wrong ones cause a scan of the picture.
    for (sidecar, isOpened, isRight) in [
      (own, true, true), (others, false, false), (tampered, true, false),
      (Array(own.dropLast()), false, false), ([], false, false),
    ] {
      try AtomicFile.write(sidecar, to: place)
      let refusal = try made.store.refusal(for: made.path)
      #expect((refusal == nil) == isRight)
      let source = try PartialPipeline(stores: [made.store]).open(made.path)
      #expect((source.state == .index) == isOpened)
      try made.expectWindows(made.regions(20, seed: 16), from: source)
      #expect(source.explanation.hasPrefix("stored index") == isRight)
    }
  }

  @Test(arguments: [false, true])
  func `pitfall 17: libjpeg's longest side is exact at both ends`(isHigh: Bool) throws {
    let (longest, shortest) = (65_500, 19)
    func turned<Value>(_ x: Value, _ y: Value) -> (Value, Value) { isHigh ? (y, x) : (x, y) }
    func region(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> PixelRegion {
      let (place, sides) = (turned(x, y), turned(width, height))
      return try PixelRegion(x: place.0, y: place.1, width: sides.0, height: sides.1)
    }
    let (width, height) = turned(longest, shortest)
    // Gradients that restart at different places in each band: primes, so that MCUs differ.
    let periods = [251, 241, 239]
    let pixels = try Pixels(width: width, height: height) { x, y, band in
      UInt8((x * (2 * band + 1) + y * 31) % periods[band])
    }
    let made = try MadeJPEG(
      JPEGEncoder.encode(pixels.bytes, size: pixels.size, JPEGEncoding(quality: 85)))
    try made.expectWindows([
      region(0, 0, 40, shortest), region(longest - 1, shortest - 1, 1, 1),
      region(longest - 300, 3, 300, 15), region(32_760, 0, 20, shortest), region(0, 7, longest, 1),
    ])
  }

  @Test(arguments: [JPEGEncoding.Restart.none, .mcus(7)])
  func `pitfall 17: windows of a scan after five gigabytes are those of the same scan before them`(
    restart: JPEGEncoding.Restart
  ) throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 85).with(\.restart, restart), 700, 200)
    let near = MemoryFile(try made.bytes, madeFrom: made.path)
    let far = FarFile(near: near)
    let nearby = try JPEGParser.parse(near)
    var faraway = nearby
    faraway.codedStart += FarFile.distance
    let indexes = [try SeekIndex.build(of: near, nearby), try SeekIndex.build(of: far, faraway)]
    #expect(indexes[1].pointCount == indexes[0].pointCount && indexes[1].pointCount > 10)
    for number in 0..<indexes[1].pointCount {
      let point = try #require(indexes[1].point(at: number))
      let other = try #require(indexes[0].point(at: number))
      #expect(point.bit == other.bit + FarFile.distance * 8)
      #expect(point.predictors == other.predictors)
    }
    for region in try nearby.regions(30, seed: 17) {
      let isEqual = try isSame(
        nearby.encodedWindow(of: region, in: near), faraway.encodedWindow(of: region, in: far))
      #expect(isEqual, "\(region)")
    }
  }

  @Test func `pitfall 20: a peek costs as little at the foot as at the top`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 640, 1280)
    let grown = try PartialPipeline().open(made.path)
    _ = try grown.read(RegionRequest(PixelRegion(x: 0, y: 1279, width: 1, height: 1)))
    // A picture without entry points.
    let options = JPEGEncoding(quality: 80).with(\.coding, .progressive)
    let progressive = try MadeJPEG(options, 640, 1280)
    for (source, length) in [
      (grown, try made.bytes.count),
      (try progressive.openIndexed(), try progressive.bytes.count),
    ] {
      #expect(source.state == .index)
      let works = try [0, 320, 1120].map { y in
        try source.read(RegionRequest(PixelRegion(x: 240, y: y + 40, width: 100, height: 100))).work
      }
      #expect(Set(works.map(\.unitsDecoded)).count == 1)
      #expect(Set(works.map(\.unitsWalked)).count == 1)
      // At most eight rows in the window, with fewer than 16 MCUs before each.
      #expect(works[0].unitsWalked <= 8 * 15)
      for work in works { #expect(try #require(work.bytesRead) * 4 < length) }
    }
  }
}

/// The bytes of a file, moved by five gigabytes; nothing before them is read.
private struct FarFile: CodedSource {
  let near: MemoryFile
  /// Neither 32 bits of bytes nor 32 bits of bits can hold the offset.
  static let distance = 5 << 30

  var path: FilePath { near.path }
  var length: Int { near.length + Self.distance }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    near.read(at: offset - Self.distance, into: target)
  }
}
