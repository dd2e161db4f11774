import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// What has gone wrong in readers of parts of JPEGs, each by its name.
///
/// All are held against a full decode, byte for byte. Samplings, restart intervals, missing codes,
/// broken data and peeks at once have brute force of their own in `IndexedPipelineTests`, what is
/// stale or hostile in the sidecars' tests.
@Suite struct PitfallTests {
  private func expectExact(
    _ made: MadeJPEG, _ regions: [PixelRegion], _ comment: String = ""
  ) throws {
    let reference = try Reference(made.path)
    let source = try IndexedPipeline().open(made.path)
    for region in regions {
      let pixels = try source.read(RegionRequest(region)).pixels
      #expect(
        pixels.difference(from: reference.crop(region)) == nil, "\(comment) \(region)")
    }
  }

  @Test func `1 a region's edge near an MCU's needs the chroma behind it`() throws {
    for sampling in [BaselineJPEG.Sampling.yCbCr420, BaselineJPEG.Sampling.yCbCr422] {
      let made = try MadeJPEG(BaselineJPEG.Options(sampling: sampling, quality: 90), 120, 90)
      let edges = [0, 1, 14, 15]
      let regions = try edges.flatMap { left in
        try edges.flatMap { right in
          try edges.map { top in
            try PixelRegion(
              x: 32 + left, y: 16 + top, width: 48 + right - left, height: 33 - top)
          }
        }
      }
      try expectExact(made, regions)
    }
  }

  @Test func `2 the picture's own edges keep their rule for parts of MCUs`() throws {
    for (width, height) in [(113, 97), (97, 98), (114, 99), (129, 81), (127, 95)] {
      let made = try MadeJPEG(BaselineJPEG.Options(quality: 90), width, height)
      try expectExact(
        made,
        [
          try PixelRegion(x: width - 1, y: 0, width: 1, height: height),
          try PixelRegion(x: 0, y: height - 1, width: width, height: 1),
          try PixelRegion(x: width - 20, y: height - 20, width: 20, height: 20),
        ])
    }
  }

  @Test func `3 pictures smaller than an MCU and chroma of one or two columns`() throws {
    for sampling in MadeJPEG.samplings {
      for (width, height) in [(1, 1), (2, 9), (3, 3), (4, 17), (5, 5), (6, 33), (18, 4)] {
        let made = try MadeJPEG(
          BaselineJPEG.Options(sampling: sampling, quality: 90), width, height)
        let all = try PixelRegion(x: 0, y: 0, width: width, height: height)
        let last = try PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1)
        try expectExact(made, [all, last], "\(sampling)")
      }
    }
  }

  @Test func `4 the whole picture, single pixels at corners and edges, and nothing outside`() throws
  {
    let (width, height) = (203, 117)
    let made = try MadeJPEG(BaselineJPEG.Options(quality: 90), width, height)
    var regions = [try PixelRegion(x: 0, y: 0, width: width, height: height)]
    for x in [0, width / 2, width - 1] {
      for y in [0, height / 2, height - 1] {
        regions.append(try PixelRegion(x: x, y: y, width: 1, height: 1))
      }
    }
    try expectExact(made, regions)
    let source = try IndexedPipeline().open(made.path)
    let outside = try PixelRegion(x: width - 1, y: 0, width: 2, height: 1)
    let error = #expect(throws: PipelineError.self) { try source.read(RegionRequest(outside)) }
    #expect(error?.code == .outside)
  }

  @Test func `5 factors in any order, of three, and on a single component`() throws {
    let odd: [[BaselineJPEG.Sampling]] = [
      [BaselineJPEG.Sampling(1, 1), BaselineJPEG.Sampling(2, 2), BaselineJPEG.Sampling(2, 2)],
      [BaselineJPEG.Sampling(3, 1), BaselineJPEG.Sampling(1, 1), BaselineJPEG.Sampling(1, 1)],
      [BaselineJPEG.Sampling(2, 1), BaselineJPEG.Sampling(1, 2), BaselineJPEG.Sampling(1, 1)],
      [BaselineJPEG.Sampling(1, 4), BaselineJPEG.Sampling(1, 1), BaselineJPEG.Sampling(1, 2)],
    ]
    for sampling in odd {
      let made = try MadeJPEG(BaselineJPEG.Options(sampling: sampling, quality: 90), 131, 77)
      let jpeg = try JPEGStructure(of: made.path)
      // What libjpeg itself cannot decode has no pixels to agree on.
      guard (try? Reference(made.path)) != nil else { continue }
      try expectExact(
        made, try MadeJPEG.regions(in: jpeg.size, mcu: jpeg.mcuSize, count: 30, seed: 5))
    }
    let grey = try MadeJPEG(
      BaselineJPEG.Options(colour: .gray, sampling: [BaselineJPEG.Sampling(2, 2)]), 83, 61)
    #expect(try JPEGStructure(of: grey.path).mcuSize == (8, 8))
    try expectExact(grey, [try PixelRegion(x: 17, y: 9, width: 40, height: 40)])
  }

  @Test func `6 points next to a restart marker are where the bits begin`() throws {
    // Flat: MCUs of a few bits, so that points lie within eight bytes of the markers.
    let size = SceneSize(width: 700, height: 64)
    let scene = try #require(
      RasterScene(
        size: size, form: .gray8,
        bytes: (0..<size.width * size.height).map { UInt8($0 / 8 % 3 * 20) }))
    for interval in [1, 2, 31, 32, 33, 64, 87, 88, 89, 700] {
      var options = BaselineJPEG.Options(colour: .gray, quality: 60)
      options.restart = .mcus(interval)
      let made = try MadeJPEG(try BaselineJPEG.Plan(scene, options: options).encoded())
      let jpeg = try JPEGStructure(of: made.path)
      try expectExact(
        made, try MadeJPEG.regions(in: jpeg.size, mcu: jpeg.mcuSize, count: 40, seed: 6),
        "every \(interval)")
    }
  }

  @Test func `7 stuffed bytes before, in and behind the byte of a point`() throws {
    var options = BaselineJPEG.Options(colour: .gray, quality: 100)
    options.huffman = .optimised
    let made = try MadeJPEG(options, 1024, 512, seed: 3)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: .max)
    let bytes = try made.bytes
    let points = (0..<pass.index.pointCount).compactMap { pass.index.point(at: $0) }
    // The byte itself is a coded FF, or stands behind one, or before one.
    let places = points.map { $0.bit >> 3 }
    #expect(places.contains { bytes[$0] == 0xFF } || places.contains { bytes[$0 - 2] == 0xFF })
    for point in points where point.mcu > 0 {
      let place = point.bit >> 3
      guard [place - 2, place, place + 1].contains(where: { bytes[$0] == 0xFF }) else { continue }
      let row = point.mcu / jpeg.mcusPerRow
      let column = point.mcu % jpeg.mcusPerRow
      try expectExact(
        made,
        [
          try PixelRegion(
            x: column * 8, y: row * 8, width: min(300, jpeg.size.width - column * 8), height: 8)
        ])
    }
  }

  @Test func `8 codes of 16 bits and tables made for the picture`() throws {
    var options = BaselineJPEG.Options(quality: 98)
    options.huffman = .optimised
    let made = try MadeJPEG(options, 900, 300, seed: 8)
    let layout = try #require(EntropyLayout(try JPEGStructure(of: made.path)))
    let lengths = layout.acTables.flatMap { table in
      (0...255).compactMap { table.code(of: UInt8($0))?.length }
    }
    #expect(lengths.max() == 16)
    let jpeg = try JPEGStructure(of: made.path)
    try expectExact(
      made, try MadeJPEG.regions(in: jpeg.size, mcu: jpeg.mcuSize, count: 25, seed: 8))
  }

  @Test func `9 components in scans of their own are refused, not read by halves`() throws {
    var options = BaselineJPEG.Options(quality: 80)
    options.isOneScanPerComponent = true
    let made = try MadeJPEG(options, 100, 80)
    let error = #expect(throws: PipelineError.self) { try IndexedPipeline().open(made.path) }
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: [0xC2, 0xC3, 0xC5, 0xC6, 0xC9, 0xCA, 0xCB, 0xCD] as [UInt8])
  func `10 progressive, lossless, hierarchical and arithmetic pictures are refused`(
    marker: UInt8
  ) throws {
    let jpeg = try JPEGBytes(60, 40, BaselineJPEG.Options())
    let frame = try #require(jpeg.places(of: 0xC0).first)
    let made = try MadeJPEG(jpeg.patched { $0[frame] = marker }.bytes)
    let file = try FileReader(made.path)
    let structure = try JPEGParser.parse(file)
    let error = #expect(throws: PipelineError.self) { try SeekPass(file, structure) }
    #expect(error?.code == .unsupported)
  }

  @Test func `10 twelve bits and a height that stands behind the scan are refused`() throws {
    let jpeg = try JPEGBytes(60, 40, BaselineJPEG.Options())
    let frame = try #require(jpeg.places(of: 0xC0).first)
    let deep = try MadeJPEG(
      jpeg.patched {
        $0[frame] = 0xC1
        $0[frame + 3] = 12
      }.bytes)
    let file = try FileReader(deep.path)
    let structure = try JPEGParser.parse(file)
    #expect(throws: PipelineError.self) { try SeekPass(file, structure) }
    var options = BaselineJPEG.Options()
    options.definesHeightLate = true
    let late = try MadeJPEG(options, 60, 40)
    #expect(throws: PipelineError.self) { try IndexedPipeline().open(late.path) }
    #expect(throws: PipelineError.self) {
      try NaivePipeline().open(late.path).read(
        RegionRequest(PixelRegion(x: 0, y: 0, width: 1, height: 1)))
    }
  }

  @Test(arguments: [BaselineJPEG.Colour.cmyk, .ycck, .rgbAdobe, .rgbIdentifiers])
  func `11 the colour transform goes with the window`(colour: BaselineJPEG.Colour) throws {
    let made = try MadeJPEG(BaselineJPEG.Options(colour: colour, quality: 85), 170, 90)
    let jpeg = try JPEGStructure(of: made.path)
    try expectExact(
      made, try MadeJPEG.regions(in: jpeg.size, mcu: jpeg.mcuSize, count: 40, seed: 11))
  }

  @Test(arguments: 1...8)
  func `12 a region is turned to where the file stores it`(orientation: Int) throws {
    var options = BaselineJPEG.Options(quality: 90)
    options.metadata.orientation = orientation
    let made = try MadeJPEG(options, 210, 97)
    let reference = try Reference(made.path)
    let size = reference.region.size
    try expectExact(
      made,
      [
        try PixelRegion(x: 3, y: 5, width: 40, height: 11),
        try PixelRegion(x: size.width - 31, y: size.height - 62, width: 31, height: 20),
      ])
  }

  @Test func `13 a profile changes no pixel and stays with the picture`() async throws {
    let path = try await CorpusPictures.file("jpeg-profile")
    #expect(try Picture(path).profileLength > 0)
    let reference = try Reference(path)
    let source = try IndexedPipeline().open(path)
    let region = try PixelRegion(x: 100, y: 77, width: 200, height: 90)
    let pixels = try source.read(RegionRequest(region)).pixels
    #expect(pixels.difference(from: reference.crop(region)) == nil)
  }

  @Test func `14 a window is decoded as the picture is, reduced or not`() throws {
    let made = try MadeJPEG(BaselineJPEG.Options(quality: 60), 320, 240)
    let region = try PixelRegion(x: 64, y: 48, width: 160, height: 120)
    let sequential = try SequentialPipeline().open(made.path)
    let indexed = try IndexedPipeline().open(made.path)
    for reduction in Reduction.allCases {
      let request = RegionRequest(region, reduction: reduction)
      let (one, other) = (try indexed.read(request), try sequential.read(request))
      #expect(one.pixels.difference(from: other.pixels) == nil)
      #expect(one.resampling == other.resampling)
    }
  }

  @Test func `18 what is decoded is a standard JPEG that anybody can read`() throws {
    var options = BaselineJPEG.Options(quality: 85)
    options.restart = .mcus(7)
    let made = try MadeJPEG(options, 400, 300)
    let file = try FileReader(made.path)
    let jpeg = try JPEGParser.parse(file)
    var pass = try SeekPass(file, jpeg)
    try pass.advance(to: .max)
    let window = MCUWindow(jpeg, region: try PixelRegion(x: 150, y: 99, width: 90, height: 80))
    let plan = try #require(WindowPlan(window, jpeg, pass.index, reach: 0))
    let encoder = WindowEncoder(jpeg, try #require(EntropyLayout(jpeg)))
    let bytes = try #require(try encoder.encode(plan, reading: file)).bytes
    let written = try MadeJPEG(bytes)
    let structure = try JPEGStructure(of: written.path)
    #expect(structure.process == .baseline && structure.restartInterval == 0)
    #expect((structure.size.width, structure.size.height) == window.size(jpeg))
    // The pass is stricter than decoders are: every code, every bit up to the end marker.
    var check = try SeekPass(FileReader(written.path), structure)
    try check.advance(to: .max)
    #expect(check.index.isComplete)
    #expect(try FileReader(written.path).length == (try #require(check.index.scanEnd)) + 2)
  }

  @Test func `20 a peek's work is the same at the top and at the foot`() throws {
    let made = try MadeJPEG(BaselineJPEG.Options(quality: 80), 640, 1280)
    let source = try IndexedPipeline().open(made.path)
    _ = try source.read(RegionRequest(PixelRegion(x: 0, y: 1279, width: 1, height: 1)))
    let works = try [0, 320, 1120].map { y in
      try source.read(RegionRequest(PixelRegion(x: 240, y: y + 40, width: 100, height: 100))).work
    }
    #expect(Set(works.map(\.unitsDecoded)).count == 1)
    #expect(Set(works.map(\.unitsWalked)).count == 1)
  }
}
