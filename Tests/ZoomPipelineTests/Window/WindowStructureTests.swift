import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Windows of every structure that a sequential JPEG may have: refused or exact.
///
/// Samplings in any order and on one component, whose MCU is one block whatever they say (T.81,
/// A.2.2); pictures smaller than an MCU; intervals of rows, whose marker numbers wrap at eight; fill
/// bytes and stuffed ones; tables made for the picture; scans of their own; four colours and RGB.
struct WindowStructureTests {
  /// Sampling factors of all components, and the name that a failure shows.
  static let samplings: [(String, JPEGEncoding.Colour, [JPEGEncoding.Sampling])] = {
    func factors(_ list: [(Int, Int)]) -> [JPEGEncoding.Sampling] {
      list.map { JPEGEncoding.Sampling($0.0, $0.1) }
    }
    return [
      ("4:4:4", .yCbCr, factors([(1, 1), (1, 1), (1, 1)])),
      ("4:2:2", .yCbCr, factors([(2, 1), (1, 1), (1, 1)])),
      ("4:4:0", .yCbCr, factors([(1, 2), (1, 1), (1, 1)])),
      ("4:2:0", .yCbCr, factors([(2, 2), (1, 1), (1, 1)])),
      ("4:1:1", .yCbCr, factors([(4, 1), (1, 1), (1, 1)])),
      ("4:1:0", .yCbCr, factors([(4, 2), (1, 1), (1, 1)])),
      ("1x4", .yCbCr, factors([(1, 4), (1, 1), (1, 1)])),
      ("2x4", .yCbCr, factors([(2, 4), (1, 1), (1, 1)])),
      ("3x1", .yCbCr, factors([(3, 1), (1, 1), (1, 1)])),
      ("1x3", .yCbCr, factors([(1, 3), (1, 1), (1, 1)])),
      ("4:4:4 in twos", .yCbCr, factors([(2, 1), (2, 1), (2, 1)])),
      ("chroma larger", .yCbCr, factors([(1, 1), (2, 2), (2, 2)])),
      ("chroma unequal", .yCbCr, factors([(2, 2), (2, 1), (1, 2)])),
      ("4:2:2 in twos", .yCbCr, factors([(2, 2), (1, 2), (1, 2)])),
      ("grey", .gray, factors([(1, 1)])), ("grey 2x2", .gray, factors([(2, 2)])),
      ("grey 4x1", .gray, factors([(4, 1)])), ("grey 1x3", .gray, factors([(1, 3)])),
      ("RGB by identifiers", .rgbIdentifiers, factors([(1, 1), (1, 1), (1, 1)])),
      ("RGB by Adobe, red larger", .rgbAdobe, factors([(2, 2), (1, 1), (1, 1)])),
      ("CMYK", .cmyk, factors([(1, 1), (1, 1), (1, 1), (1, 1)])),
      ("CMYK 4:2:0", .cmyk, factors([(2, 2), (1, 1), (1, 1), (2, 2)])),
      ("YCCK", .ycck, factors([(2, 2), (1, 1), (1, 1), (2, 2)])),
    ]
  }()

  @Test(arguments: 0..<samplings.count)
  func `every sampling is exact at every kind of place`(_ number: Int) throws {
    let (name, colour, sampling) = Self.samplings[number]
    for (width, height, rows) in [(99, 150, 1), (97, 131, 2), (130, 97, 3)] {
      var options = JPEGEncoding(colour: colour, sampling: sampling, quality: 80)
      options.restart = .rows(rows)
      try expectExact(
        try JPEGBytes(width, height, options), "\(name) \(width)x\(height) every \(rows) rows",
        thinned: 3)
    }
  }

  /// Pictures of less than an MCU, of one pixel more, and of less than 3 columns of chroma, where
  /// libjpeg picks another upsampler.
  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33], [0, 2, 3, 5, 14])
  func `pictures about as large as an MCU are exact`(_ side: Int, _ number: Int) throws {
    let (name, colour, sampling) = Self.samplings[number]
    for (width, height) in [(side, 35), (35, side), (side, side)] {
      var options = JPEGEncoding(colour: colour, sampling: sampling, quality: 90)
      options.restart = .rows(1)
      try expectExact(
        try JPEGBytes(width, height, options), "\(name) \(width)x\(height)", thinned: 9)
    }
  }

  @Test(arguments: [1, 2, 5, 8, 9, 20, 40])
  func `restart numbers wrap and the last interval may be short`(_ rows: Int) throws {
    // 21 MCU rows: more than twice eight markers for single rows, one short interval for most.
    var options = JPEGEncoding(quality: 75)
    options.restart = .rows(rows)
    try expectExact(try JPEGBytes(70, 329, options), "every \(rows) rows", thinned: 2)
  }

  /// Large enough to be cut in two and decoded side by side.
  @Test func `a region of many MCUs is exact where it is cut`() async throws {
    let path = try await CorpusPictures.file("pharmacy")
    let region = try PixelRegion(x: 1, y: 333, width: 4533, height: 401)
    let reference = try Reference(path, region: region)
    let pixels = try IndexedPipeline().open(path).read(RegionRequest(region)).pixels
    #expect(pixels.difference(from: reference.pixels) == nil)
  }

  @Test(arguments: ["fill bytes", "optimised tables", "comment, profile and XMP", "trailer"])
  func `what may stand around the coded data changes nothing`(_ what: String) throws {
    var options = JPEGEncoding(quality: 85)
    options.restart = .rows(1)
    switch what {
    case "fill bytes": break
    case "optimised tables": options.coding = .optimised
    case "trailer": options.trailingBytes = 4000
    default:
      options.metadata.comment = Array("a comment with \u{FF}\u{D8}".utf8)
      options.metadata.xmp = JPEGEncoding.Metadata.sampleXMP
      options.metadata.icc = [UInt8](repeating: 0xFF, count: 70_000)
    }
    let jpeg = try JPEGBytes(150, 203, options).filled(what == "fill bytes" ? 3 : 0)
    try expectExact(jpeg, what, thinned: 2)
  }

  @Test(arguments: ["a scan a component", "a late height"])
  func `structures that it cannot enter are refused, and automatic serves what naive does`(
    _ what: String
  ) throws {
    var options = JPEGEncoding(quality: 85)
    options.isOneScanPerComponent = what == "a scan a component"
    let made = try JPEGBytes(150, 203, options)
    let folder = try TestFolder()
    let path = try folder.write(
      (what == "a late height" ? made.withLateHeight() : made).bytes, as: "a.jpg")
    let error = #expect(throws: PipelineError.self) { try IndexedPipeline().open(path) }
    // libjpeg cannot read a late height at all, so naive and automatic cannot either.
    guard let reference = try? Reference(path) else {
      #expect(what == "a late height")
      #expect(throws: PipelineError.self) { try AutomaticPipeline().open(path) }
      return
    }
    #expect(error?.code == .unsupported)
    let pixels = try AutomaticPipeline().open(path).read(RegionRequest(reference.region)).pixels
    #expect(pixels.difference(from: reference.pixels) == nil)
  }

  /// Exact at every `thinned`th telling region, or refused by naive as well.
  private func expectExact(_ jpeg: JPEGBytes, _ what: String, thinned: Int) throws {
    let folder = try TestFolder()
    let path = try folder.write(jpeg.bytes, as: "made.jpg")
    guard let reference = try? Reference(path) else {
      // libjpeg does not do every sampling that T.81 allows; then nothing may answer.
      let source = try? IndexedPipeline().open(path)
      let whole = try RegionRequest(
        PixelRegion(x: 0, y: 0, width: 1, height: 1))
      #expect(throws: PipelineError.self, "\(what)") { try source?.read(whole) ?? Self.refused() }
      return
    }
    let source = try IndexedPipeline().open(path)
    let regions = try TellingRegions(of: reference.region.size, seed: 51).all()
    for place in stride(from: regions.count - 1, through: 0, by: -thinned) {
      let pixels = try source.read(RegionRequest(regions[place])).pixels
      let difference = pixels.difference(from: reference.crop(regions[place]))
      #expect(difference == nil, "\(what): \(regions[place])")
    }
  }

  private static func refused() throws -> RegionAnswer {
    throw PipelineError(.unsupported, operation: "open", file: nil, reason: "refused")
  }
}
