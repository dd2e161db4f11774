import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomCorpus

/// Compares the encoder with its source, and with itself for settings that must not change pixels.
///
/// The digests of the corpus pin the pixels that it writes.
struct JPEGEncoderTests {
  private typealias Sampling = JPEGEncoding.Sampling
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func scene(
    _ width: Int = 131, _ height: Int = 77, _ form: PixelForm = .rgb8
  ) throws -> SyntheticScene {
    try SyntheticScene(
      .petronas, size: PixelSize(width: width, height: height), seed: 3, form: form)
  }

  private func decode(_ jpeg: [UInt8]) throws -> Pixels {
    try Reference(folder.write(jpeg, as: "made.jpg")).pixels
  }

  private func encode(_ scene: SyntheticScene, _ encoding: JPEGEncoding) throws -> [UInt8] {
    try JPEGEncoder.encode(scene.pixels(), size: scene.size, encoding)
  }

  private func pixels(of scene: SyntheticScene) -> Pixels {
    let colours: [Int: ColourInterpretation] = [1: .grey, 4: .cmyk]
    return Pixels(
      size: scene.size, bands: scene.form.bands, format: .uint8,
      interpretation: colours[scene.form.bands] ?? .srgb, bytes: scene.pixels())
  }

  @Test(arguments: [
    (JPEGEncoding.Colour.yCbCr, ["4x2", "1x1", "1x1"]), (.yCbCr, ["2x2", "1x2", "2x1"]),
    (.gray, ["1x3"]), (.rgbAdobe, ["2x1", "2x1", "2x1"]), (.rgbIdentifiers, ["1x1", "1x1", "1x1"]),
    (.cmyk, ["1x1", "1x1", "1x1", "1x1"]), (.ycck, ["2x2", "1x1", "1x1", "2x2"]),
  ]) func `every colour and sampling decodes to nearly the source, with the factors asked for`(
    colour: JPEGEncoding.Colour, factors: [String]
  ) throws {
    let sampling = factors.map { Sampling(Int($0.prefix(1)) ?? 0, Int($0.suffix(1)) ?? 0) }
    for (width, height) in [(131, 77), (1, 1)] {
      let scene = try scene(width, height, colour.sourceForm)
      let encoding = JPEGEncoding(colour: colour, sampling: sampling, quality: 97)
      let path = try folder.write(try encode(scene, encoding), as: "made.jpg")
      let components = try JPEGStructure(of: path).components
      #expect(components.map { "\($0.horizontal)x\($0.vertical)" } == factors)
      // At this quality, quantisation steps are 1...7; subsampled chroma has larger errors.
      let difference = try Reference(path).pixels.meanDifference(from: pixels(of: scene))
      #expect(difference < (Set(factors).count > 1 ? 12 : 2.5))
    }
  }

  @Test func `codings, scans and restart markers are as asked for and change no pixel`() throws {
    let scene = try scene(150, 90)
    let plain = JPEGEncoding(quality: 60)
    let wanted = try decode(encode(scene, plain))
    func check(
      _ change: (inout JPEGEncoding) -> Void, _ isRight: (JPEGBytes, JPEGStructure) -> Bool
    ) throws {
      var encoding = plain
      change(&encoding)
      let jpeg = JPEGBytes(try encode(scene, encoding))
      let structure = try JPEGStructure(of: folder.write(jpeg.bytes, as: "made.jpg"))
      #expect(isRight(jpeg, structure), "\(encoding)")
      #expect(try decode(jpeg.bytes).difference(from: wanted) == nil, "\(encoding)")
    }
    let length = try encode(scene, plain).count
    try check({ $0.coding = .optimised }) { jpeg, _ in jpeg.bytes.count < length }
    try check({ $0.coding = .progressive }) { $1.process == .progressive }
    try check({ $0.coding = .arithmetic }) { jpeg, _ in jpeg.places(of: 0xC9).count == 1 }
    try check({ $0.isOneScanPerComponent = true }) { jpeg, _ in jpeg.places(of: 0xDA).count == 3 }
    // The picture has 10x6 MCUs.
    for (restart, interval) in [(JPEGEncoding.Restart.mcus(7), 7), (.rows(2), 20)] {
      try check({ $0.restart = restart }) { jpeg, structure in
        let codes = (0..<59 / interval).map { 0xD0 + UInt8($0 % 8) }
        return structure.restartInterval == interval
          && jpeg.restarts.map { jpeg.bytes[$0] } == codes
      }
    }
  }

  @Test func `the file has the metadata as given, and each colour's marker`() throws {
    let profile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let transforms: [JPEGEncoding.Colour: UInt8] = [.rgbAdobe: 0, .cmyk: 0, .ycck: 2]
    for colour in JPEGEncoding.Colour.allCases {
      var encoding = JPEGEncoding(colour: colour)
      encoding.metadata.orientation = 6
      encoding.metadata.xmp = JPEGEncoding.Metadata.sampleXMP
      encoding.metadata.icc = profile
      encoding.metadata.comment = [1, 2, 3]
      encoding.trailingBytes = 500
      let jpeg = JPEGBytes(try encode(scene(20, 10, colour.sourceForm), encoding))
      func bodies(_ code: UInt8) -> [[UInt8]] {
        jpeg.places(of: code).map { at in
          let length = Int(jpeg.bytes[at + 1]) << 8 | Int(jpeg.bytes[at + 2])
          return Array(jpeg.bytes[at + 3..<at + 1 + length])
        }
      }
      #expect(bodies(0xE0).count == (colour == .gray || colour == .yCbCr ? 1 : 0))
      #expect(bodies(0xEE).map(\.last) == transforms[colour].map { [$0] } ?? [])
      let applications = bodies(0xE1)
      try #require(applications.count == 2)
      let (exif, xmp) = (applications[0], applications[1])
      #expect(exif.starts(with: Array("Exif\0\0MM\0*".utf8)) && exif[6 + 19] == 6)
      #expect(xmp == Array("http://ns.adobe.com/xap/1.0/\0".utf8) + JPEGEncoding.Metadata.sampleXMP)
      #expect(bodies(0xE2).map { Array($0[12..<14]) } == [[1, 3], [2, 3], [3, 3]])
      #expect(isSame(bodies(0xE2).flatMap { $0.dropFirst(14) }, profile))
      #expect(bodies(0xFE) == [[1, 2, 3]])
      #expect(jpeg.end + 501 == jpeg.bytes.count && !jpeg.bytes[(jpeg.end + 1)...].contains(0xFF))
    }
  }

  @Test func `rows may come in any pieces, and bytes go out while they come`() throws {
    let scene = try scene(700, 400)
    let encoding = JPEGEncoding(quality: 95)
    let whole = try encode(scene, encoding)
    for count in [1, 7, 64, 400] {
      let encoder = try JPEGEncoder(size: scene.size, encoding)
      var bytes: [UInt8] = []
      for top in stride(from: 0, to: 400, by: count) {
        bytes += try encoder.append(scene.pixels(rows: top..<min(top + count, 400)))
        // At most a row of MCUs waits for later rows.
        if top + count == 384 { #expect(bytes.count > whole.count * 3 / 4) }
      }
      bytes += try encoder.finish()
      #expect(isSame(bytes, whole), "\(count) rows at a time")
    }
  }

  @Test func `missing, surplus and broken rows are refused`() throws {
    let scene = try scene(20, 10)
    let rows = scene.pixels()
    let short = try JPEGEncoder(size: scene.size, JPEGEncoding())
    #expect(throws: PipelineError.self) { try short.append(Array(rows.dropLast())) }
    _ = try short.append(Array(rows.dropLast(60)))
    #expect(throws: PipelineError.self) { try short.finish() }
    let long = try JPEGEncoder(size: scene.size, JPEGEncoding())
    #expect(throws: PipelineError.self) { try long.append(rows + rows.prefix(60)) }
  }

  @Test func `what libjpeg-turbo cannot encode is refused with a reason, not silently changed`()
    throws
  {
    let small = try PixelSize(width: 20, height: 10)
    var refused: [(PixelSize, JPEGEncoding)] = [
      (try PixelSize(width: 1, height: 65_501), JPEGEncoding()),
      (try PixelSize(width: 1 << 30, height: 1), JPEGEncoding()),
      (small, JPEGEncoding(quality: 0)), (small, JPEGEncoding(sampling: [Sampling(1, 1)])),
      (small, JPEGEncoding(colour: .gray, sampling: [Sampling(0, 1)])),
      // More than ten blocks per MCU (T.81 B.2.3).
      (small, JPEGEncoding(sampling: [Sampling(4, 2), Sampling(2, 1), Sampling(1, 1)])),
    ]
    let changes: [(inout JPEGEncoding) -> Void] = [
      { $0.restart = .rows(0) }, { $0.restart = .mcus(65_536) },
      { $0.metadata.orientation = 9 }, { $0.trailingBytes = -1 },
      { $0.metadata.comment = [UInt8](repeating: 0, count: 65_534) },
      { $0.metadata.xmp = [UInt8](repeating: 0, count: 65_505) },
      { $0.metadata.icc = [UInt8](repeating: 0, count: 255 * 65_519 + 1) },
      {
        $0.coding = .progressive
        $0.isOneScanPerComponent = true
      },
    ]
    for change in changes {
      var encoding = JPEGEncoding()
      change(&encoding)
      refused.append((small, encoding))
    }
    for (size, encoding) in refused {
      let error = #expect(throws: PipelineError.self, "\(size) \(encoding)") {
        _ = try JPEGEncoder(size: size, encoding)
      }
      #expect(error?.code == .unsupported && error?.reason.isEmpty == false)
    }
    #expect(throws: PipelineError.self) { try encode(scene(), .init(colour: .gray)) }
  }
}
