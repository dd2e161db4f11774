import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Known faults of partial JPEG readers, by name: pixels at borders, and offsets of bits.
///
/// All answers are compared with a full decode, byte for byte, and must not come from one. Numbers
/// 9 to 14 and 18 are in `PitfallFormatTests`, 15, 16, 19 and 20 in `PitfallFileTests`, 17 in
/// `PitfallSizeTests`. `RandomJPEGTests` tries random pictures of every kind.
@Suite struct PitfallTests {
  @Test func `1 a region's edge near an MCU's needs the chroma behind it`() throws {
    for sampling in [JPEGEncoding.Sampling.yCbCr420, JPEGEncoding.Sampling.yCbCr422] {
      let made = try MadeJPEG(JPEGEncoding(sampling: sampling, quality: 90), 120, 90)
      let edges = [0, 1, 14, 15]
      let regions = try edges.flatMap { left in
        try edges.flatMap { right in
          try edges.map { top in
            try PixelRegion(
              x: 32 + left, y: 16 + top, width: 48 + right - left, height: 33 - top)
          }
        }
      }
      try made.expectWindows(regions)
    }
  }

  @Test func `2 the picture's own edges keep their rule for parts of MCUs`() throws {
    for (width, height) in [(113, 97), (97, 98), (114, 99), (129, 81), (127, 95)] {
      let made = try MadeJPEG(JPEGEncoding(quality: 90), width, height)
      try made.expectWindows([
        try PixelRegion(x: width - 1, y: 0, width: 1, height: height),
        try PixelRegion(x: 0, y: height - 1, width: width, height: 1),
        try PixelRegion(x: width - 20, y: height - 20, width: 20, height: 20),
      ])
    }
  }

  @Test func `3 pictures smaller than an MCU and chroma of one or two columns`() throws {
    for sampling in JPEGSampling.shapes {
      for (width, height) in [(1, 1), (2, 9), (3, 3), (4, 17), (5, 5), (6, 33), (18, 4)] {
        let made = try MadeJPEG(sampling.encoding(quality: 90), width, height)
        let all = try PixelRegion(x: 0, y: 0, width: width, height: height)
        let last = try PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1)
        try made.expectWindows([all, last], sampling.testDescription)
      }
    }
  }

  @Test func `4 the whole picture, single pixels at corners and edges, and nothing outside`() throws
  {
    let (width, height) = (203, 117)
    let made = try MadeJPEG(JPEGEncoding(quality: 90), width, height)
    var regions = [try PixelRegion(x: 0, y: 0, width: width, height: height)]
    for x in [0, width / 2, width - 1] {
      for y in [0, height / 2, height - 1] {
        regions.append(try PixelRegion(x: x, y: y, width: 1, height: 1))
      }
    }
    try made.expectWindows(regions)
    let source = try IndexedPipeline().open(made.path)
    let outside = try PixelRegion(x: width - 1, y: 0, width: 2, height: 1)
    expectError(.outside) { try source.read(RegionRequest(outside)) }
  }

  @Test func `5 factors in any order, of three, and on a single component`() throws {
    let odd: [[JPEGEncoding.Sampling]] = [
      [JPEGEncoding.Sampling(1, 1), JPEGEncoding.Sampling(2, 2), JPEGEncoding.Sampling(2, 2)],
      [JPEGEncoding.Sampling(3, 1), JPEGEncoding.Sampling(1, 1), JPEGEncoding.Sampling(1, 1)],
      [JPEGEncoding.Sampling(2, 1), JPEGEncoding.Sampling(1, 2), JPEGEncoding.Sampling(1, 1)],
      [JPEGEncoding.Sampling(1, 4), JPEGEncoding.Sampling(1, 1), JPEGEncoding.Sampling(1, 2)],
    ]
    for sampling in odd {
      let made = try MadeJPEG(JPEGEncoding(sampling: sampling, quality: 90), 131, 77)
      try made.expectWindows(try made.regions(30, seed: 5), "\(sampling)")
    }
    let grey = try MadeJPEG(
      JPEGEncoding(colour: .gray, sampling: [JPEGEncoding.Sampling(2, 2)]), 83, 61)
    #expect(try JPEGStructure(of: grey.path).mcuSize == (8, 8))
    try grey.expectWindows([try PixelRegion(x: 17, y: 9, width: 40, height: 40)])
  }

  /// Chroma of two thirds, which T.81 allows and libjpeg does not support.
  ///
  /// It has the blocks and, for widths of at most 5 * 24 pixels, the MCUs of 4:1:1.
  @Test func `5 factors that do not divide each other are an error, as in a full decode`() throws {
    try expectUnreadable(JPEGEncoding.Sampling.yCbCr411, as: [(3, 1), (2, 1), (1, 1)])
  }

  /// T.81, B.2.3, allows ten blocks per MCU in a scan of several components, as does libjpeg.
  @Test(arguments: [(2, 1), (2, 2), (4, 4)])
  func `5 MCUs of more than ten blocks are an error, as in a full decode`(h: Int, v: Int) throws {
    try expectUnreadable(JPEGEncoding.Sampling.yCbCr410, as: [(4, 2), (h, v), (1, 1)])
  }

  /// Expects that no source reads a picture whose frame header names wrong sampling factors.
  private func expectUnreadable(
    _ sampling: [JPEGEncoding.Sampling], as named: [(Int, Int)]
  ) throws {
    let jpeg = try JPEGBytes(115, 77, JPEGEncoding(sampling: sampling))
      .withSampling(named.map { .init($0.0, $0.1) })
    let made = try MadeJPEG(jpeg.bytes)
    let request = RegionRequest(try PixelRegion(x: 50, y: 30, width: 20, height: 20))
    for pipeline in StandardPipelines().all {
      #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try pipeline.open(made.path).read(request)
      }
    }
  }

  @Test func `6 points next to a restart marker are where the bits begin`() throws {
    // A flat picture: MCUs have a few bits, so points are within eight bytes of the markers.
    let size = SceneSize(width: 700, height: 64)
    let bytes = (0..<size.width * size.height).map { UInt8($0 / 8 % 3 * 20) }
    let scene = try #require(RasterScene(size: size, form: .gray8, bytes: bytes))
    for interval in [1, 2, 31, 32, 33, 64, 87, 88, 89, 700] {
      let options = JPEGEncoding(colour: .gray, quality: 60).with(\.restart, .mcus(interval))
      let made = try MadeJPEG(try JPEGEncoder.encode(scene, options))
      try made.expectWindows(try made.regions(40, seed: 6), "every \(interval)")
    }
  }

  @Test func `7 stuffed bytes before, in and behind the byte of a point`() throws {
    let options = JPEGEncoding(colour: .gray, quality: 100).with(\.coding, .optimised)
    let made = try MadeJPEG(options, 1024, 512, seed: 3)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    let index = try SeekIndex.build(of: file, jpeg)
    let bytes = try made.bytes
    let points = (0..<index.pointCount).compactMap { index.point(at: $0) }
    // The byte itself is a coded FF, or follows or precedes one.
    let places = points.map { $0.bit >> 3 }
    #expect(places.contains { bytes[$0] == 0xFF } || places.contains { bytes[$0 - 2] == 0xFF })
    let beside = points.filter { point in
      let place = point.bit >> 3
      return point.mcu > 0 && [place - 2, place, place + 1].contains { bytes[$0] == 0xFF }
    }
    try made.expectWindows(
      try beside.map { point in
        let (row, column) = point.mcu.quotientAndRemainder(dividingBy: jpeg.mcusPerRow)
        return try PixelRegion(
          x: column * 8, y: row * 8, width: min(300, jpeg.size.width - column * 8), height: 8)
      })
  }

  @Test func `8 codes of 16 bits and tables made for the picture`() throws {
    let options = JPEGEncoding(quality: 98).with(\.coding, .optimised)
    let made = try MadeJPEG(options, 900, 300, seed: 8)
    let tables = try ScanTables(try JPEGStructure(of: made.path), of: made.path)
    let lengths = tables.acTables.flatMap { table in
      (0...255).compactMap { table.code(of: UInt8($0))?.length }
    }
    #expect(lengths.max() == 16)
    try made.expectWindows(try made.regions(25, seed: 8))
  }
}
