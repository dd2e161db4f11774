import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Pictures that cannot be entered, read out of the sequential form that comes with their index.
@Suite struct SequentialFormTests {
  private let folder: TestFolder
  private let store: SidecarStore

  init() throws {
    folder = try TestFolder()
    store = SidecarStore(in: folder.path)
  }

  /// Indexes a picture and opens it.
  private func open(_ path: FilePath) throws -> any RegionSource {
    try store.build(for: path)
    #expect(try store.load(for: path).get().payload != nil)
    return try IndexedPipeline(stores: [store]).open(path)
  }

  private func expectExact(
    _ made: MadeJPEG, count: Int, seed: UInt64, _ what: String = ""
  ) throws {
    let reference = try Reference(made.path)
    let jpeg = try JPEGStructure(of: made.path)
    let source = try open(made.path)
    #expect(source.size == reference.pixels.size)
    for region in try MadeJPEG.regions(
      in: source.size, mcu: jpeg.mcuSize, count: count, seed: seed)
    {
      let pixels = try source.read(RegionRequest(region)).pixels
      #expect(pixels.difference(from: reference.crop(region)) == nil, "\(what) \(region)")
    }
  }

  @Test(arguments: MadeJPEG.samplings, [JPEGEncoding.Restart.none, .mcus(5)])
  func `every region of a picture of several scans has the pixels of the whole`(
    sampling: [JPEGEncoding.Sampling], restart: JPEGEncoding.Restart
  ) throws {
    var options = JPEGEncoding(sampling: sampling, quality: 90)
    options.isOneScanPerComponent = true
    options.restart = restart
    for (width, height) in [(161, 90), (130, 65), (5, 3)] {
      try expectExact(try MadeJPEG(options, width, height), count: 40, seed: 7)
    }
  }

  @Test(arguments: [JPEGEncoding.Colour.rgbIdentifiers, .rgbAdobe, .cmyk, .ycck])
  func `every colour coding in several scans does`(colour: JPEGEncoding.Colour) throws {
    var options = JPEGEncoding(colour: colour, quality: 80)
    options.isOneScanPerComponent = true
    try expectExact(try MadeJPEG(options, 201, 130), count: 60, seed: 9)
  }

  @Test(arguments: [(3, true), (3, false), (1, false), (4, false)])
  func `a progressive picture does`(bands: Int, subsampled: Bool) throws {
    for (width, height) in [(161, 90), (130, 65), (16, 16), (1, 1)] {
      let bytes = try MadeJPEG.progressive(width, height, bands: bands, subsampled: subsampled)
      try expectExact(try MadeJPEG(bytes), count: 60, seed: 10, "\(bands) bands")
    }
  }

  @Test(arguments: Orientation.allCases)
  func `a progressive picture on its side does`(orientation: Orientation) throws {
    var bytes = try MadeJPEG.progressive(131, 75, bands: 3, subsampled: true)
    bytes.insert(contentsOf: JPEGSegment.exif(orientation).bytes, at: 2)
    try expectExact(try MadeJPEG(bytes), count: 40, seed: 11)
  }

  @Test func `an arithmetic-coded picture does`() throws {
    var options = JPEGEncoding(quality: 55)
    options.coding = .arithmetic
    let made = try MadeJPEG(options, 75, 52)
    #expect(try JPEGStructure(of: made.path).process == .arithmetic)
    try expectExact(made, count: 60, seed: 12)
  }

  @Test func `a reduction is the decoder's own of the whole picture`() throws {
    let made = try MadeJPEG(try MadeJPEG.progressive(161, 90, bands: 3, subsampled: true))
    let source = try open(made.path)
    let sequential = try SequentialPipeline().open(made.path)
    for reduction in Reduction.real {
      for region in try MadeJPEG.regions(in: source.size, mcu: (16, 16), count: 20, seed: 13) {
        let request = RegionRequest(
          try region.holdingBlocks(of: reduction, in: source.size), reduction: reduction)
        let (answer, other) = (try source.read(request), try sequential.read(request))
        #expect(answer.resampling == .decoder)
        #expect(answer.pixels.difference(from: other.pixels) == nil, "\(request)")
      }
    }
  }

  @Test func `a peek decodes the same few MCUs wherever it lies`() throws {
    let made = try MadeJPEG(try MadeJPEG.progressive(1600, 640, bands: 3, subsampled: true))
    let source = try open(made.path)
    #expect(source.state == .index)
    for (x, y) in [(0, 0), (808, 20), (1584, 600), (720, 320)] {
      let region = try PixelRegion(x: x, y: y, width: 8, height: 8)
      let work = try source.read(RegionRequest(region)).work
      #expect(try #require(work.unitsDecoded) <= 4)
      #expect(work.unitsWalked <= 2 * 15)
    }
  }

  @Test func `a window is a part of the whole picture`() throws {
    let made = try MadeJPEG(try MadeJPEG.progressive(161, 90, bands: 3, subsampled: true))
    let source = try #require(try open(made.path) as? any JPEGWindowSource)
    let reference = try Reference(made.path)
    let region = try PixelRegion(x: 50, y: 30, width: 41, height: 25)
    let window = try source.window(for: region)
    let part = try Image.open(jpeg: window.bytes, for: made.path).read(
      PixelRegion(
        x: window.offset.x, y: window.offset.y, width: window.size.width,
        height: window.size.height))
    #expect(part.difference(from: reference.crop(region)) == nil)
  }

  // MARK: Refusals

  @Test func `without an index the reason says how to make one`() throws {
    let made = try MadeJPEG(try MadeJPEG.progressive(60, 40, bands: 3, subsampled: true))
    func reason() -> String {
      let error = #expect(throws: PipelineError.self) {
        try IndexedPipeline(stores: [store]).open(made.path)
      }
      #expect(error?.code == .unsupported)
      return error?.reason ?? ""
    }
    #expect(reason().contains("progressive"))
    #expect(reason().contains("zoombench index FILE"))
    // The index of the picture as it was.
    try store.build(for: made.path)
    try AtomicFile.write(try made.bytes + [0], to: made.path)
    #expect(reason().contains("stale"))
    #expect(reason().contains("zoombench index FILE"))
  }

  @Test func `a picture that can be entered needs none`() throws {
    for colour in [JPEGEncoding.Colour.gray, .yCbCr] {
      var options = JPEGEncoding(colour: colour)
      let one = try MadeJPEG(options, 30, 30)
      #expect(!SequentialForm.isNeeded(for: try JPEGStructure(of: one.path)))
      options.isOneScanPerComponent = true
      let scans = try MadeJPEG(options, 30, 30)
      // One component is one scan either way.
      #expect(
        SequentialForm.isNeeded(for: try JPEGStructure(of: scans.path)) == (colour != .gray))
    }
  }

  @Test func `other pixels are told from the same`() throws {
    let made = try MadeJPEG(try MadeJPEG.progressive(60, 40, bands: 3, subsampled: true))
    let picture = try Picture(made.path)
    #expect(try SequentialForm.isSame(SequentialForm(of: picture).bytes, picture))
    for other in [(60, 40, 1), (60, 41, 3), (60, 40, 3)] {
      var options = JPEGEncoding(colour: other.2 == 1 ? .gray : .yCbCr, quality: 85)
      options.restart = .rows(1)
      let bytes = try MadeJPEG(options, other.0, other.1).bytes
      #expect(try !SequentialForm.isSame(bytes, picture), "\(other)")
    }
  }

  @Test func `another picture's form is refused`() throws {
    let made = try MadeJPEG(try MadeJPEG.progressive(60, 40, bands: 3, subsampled: true))
    // As many MCUs of the same kind, and a pixel less.
    let other = try MadeJPEG(try MadeJPEG.progressive(59, 40, bands: 3, subsampled: true))
    let form = try SequentialForm(of: Picture(other.path))
    let file = try FileReader(made.path)
    let draft = try SidecarDraft(
      of: file, JPEGParser.parse(file), contentDigest: SHA256.digest(of: file), form.index,
      payload: form.bytes)
    try store.save(draft, for: made.path)
    let error = #expect(throws: PipelineError.self) {
      try IndexedPipeline(stores: [store]).open(made.path)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.reason.contains("its index holds another picture") == true)
  }

  @Test func `what is cut off, incomplete or too large makes no index`() throws {
    let bytes = try MadeJPEG.progressive(120, 90, bands: 3, subsampled: true)
    let whole = try MadeJPEG(bytes)
    let scans = JPEGBytes(bytes).places(of: 0xDA)
    let cases: [(made: MadeJPEG, limit: Int, code: PipelineError.Code)] = [
      (whole, 1000, .overBudget),
      (try MadeJPEG(Array(bytes.prefix(bytes.count * 2 / 3))), 1 << 24, .damaged),
      (try MadeJPEG(Array(bytes.prefix(scans[2] - 1)) + [0xFF, 0xD9]), 1 << 24, .unsupported),
    ]
    for (made, limit, code) in cases {
      let error = #expect(throws: PipelineError.self) {
        try SidecarDraft(
          of: made.path, limits: PictureLimits(memory: MemoryBudget(limit: limit)))
      }
      #expect(error?.code == code)
      #expect(error?.file == made.path)
    }
    #expect(try SidecarDraft(of: whole.path).payload != nil)
  }
}
