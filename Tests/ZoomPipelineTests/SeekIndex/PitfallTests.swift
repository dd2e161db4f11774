import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Known faults of partial JPEG readers, by name: sampling factors, and offsets of bits.
///
/// All answers are compared with a full decode, byte for byte, and must not come from one.
/// `JPEGExactnessTests` has numbers 1 to 4 (borders of MCUs, edges, tiny pictures, single pixels), 11
/// (colours) and 14 (reductions), `RandomJPEGTests` 9 (scans) and 12 (orientations).
/// `PitfallFormatTests` has 10, 13 and 18, `PitfallFileTests` 15, 16, 19 and 20, `PitfallSizeTests` 17.
@Suite struct PitfallTests {
  /// Replaces the sampling factors in the frame header of a picture with the same blocks.
  ///
  /// The first is chroma of two thirds, which T.81 allows and libjpeg does not support; up to a width of
  /// 5 * 24 pixels its MCUs are those of 4:1:1. The others have more blocks in an MCU than the ten that
  /// T.81, B.2.3, allows in a scan of several components.
  @Test(arguments: [[(3, 1), (2, 1)], [(4, 2), (2, 1)], [(4, 2), (2, 2)], [(4, 2), (4, 4)]])
  func `5 factors that libjpeg does not support are an error of every source`(
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

  @Test func `6 points next to a restart marker are where the bits begin`() throws {
    // A flat picture: MCUs have a few bits, so points are within eight bytes of the markers.
    let size = try PixelSize(width: 700, height: 64)
    let bytes = (0..<size.area).map { UInt8($0 / 8 % 3 * 20) }
    for interval in [1, 2, 31, 32, 33, 64, 87, 88, 89, 700] {
      let options = JPEGEncoding(colour: .gray, quality: 60).with(\.restart, .mcus(interval))
      let made = try MadeJPEG(try JPEGEncoder.encode(bytes, size: size, options))
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
