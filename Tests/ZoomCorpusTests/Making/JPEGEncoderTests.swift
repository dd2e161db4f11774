import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomCorpus

/// The encoder against libvips' own for the same settings, and against itself for settings that must
/// change no pixel.
struct JPEGEncoderTests {
  private typealias Sampling = JPEGEncoding.Sampling
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func scene(
    _ width: Int = 131, _ height: Int = 77, _ form: PixelForm = .rgb8
  ) throws -> SyntheticScene {
    try SyntheticScene(
      .petronas, size: SceneSize(width: width, height: height), seed: 3, form: form)
  }

  private func decode(_ jpeg: [UInt8]) throws -> Pixels {
    try Reference(folder.write(jpeg, as: "made.jpg")).pixels
  }

  private func pixels(of scene: some Scene) throws -> Pixels {
    let colours: [Int: ColourInterpretation] = [1: .grey, 4: .cmyk]
    return Pixels(
      size: try PixelSize(width: scene.size.width, height: scene.size.height),
      bands: scene.form.bands, format: .uint8, interpretation: colours[scene.form.bands] ?? .srgb,
      bytes: scene.pixels())
  }

  @Test(arguments: [PixelForm.gray8, .rgb8, .cmyk8], [1, 30, 75, 100])
  func `a picture has the pixels of libvips' encoder at the same settings`(
    form: PixelForm, quality: Int
  ) throws {
    let scene = try scene(131, 77, form)
    let colour: [PixelForm: JPEGEncoding.Colour] = [.gray8: .gray, .cmyk8: .cmyk]
    for progressive in [false, true] {
      for subsampled in form == .rgb8 ? [false, true] : [false] {
        var encoding = JPEGEncoding(
          colour: colour[form] ?? .yCbCr,
          sampling: form == .rgb8 && !subsampled ? Sampling.yCbCr444 : nil, quality: quality)
        encoding.coding = progressive ? .progressive : .huffman
        let path = folder.path.appending("libvips.jpg")
        try Image(pixels(of: scene)).write(
          to: path, as: .jpeg(quality: quality, progressive: progressive, subsampled: subsampled))
        let made = try decode(JPEGEncoder.encode(scene, encoding))
        let difference = made.difference(from: try Reference(path).pixels)
        #expect(difference == nil, "progressive \(progressive), subsampled \(subsampled)")
      }
    }
  }

  private static let samplings: [(JPEGEncoding.Colour, [(Int, Int)])] = [
    (.yCbCr, [(1, 1), (1, 1), (1, 1)]), (.yCbCr, [(2, 1), (1, 1), (1, 1)]),
    (.yCbCr, [(1, 2), (1, 1), (1, 1)]), (.yCbCr, [(2, 2), (1, 1), (1, 1)]),
    (.yCbCr, [(4, 1), (1, 1), (1, 1)]), (.yCbCr, [(4, 2), (1, 1), (1, 1)]),
    (.yCbCr, [(2, 4), (1, 1), (1, 1)]), (.yCbCr, [(3, 1), (1, 1), (3, 1)]),
    (.yCbCr, [(2, 2), (1, 2), (2, 1)]), (.gray, [(2, 2)]), (.gray, [(1, 3)]),
    (.rgbAdobe, [(2, 1), (2, 1), (2, 1)]), (.rgbIdentifiers, [(1, 1), (1, 1), (1, 1)]),
    (.cmyk, [(1, 1), (1, 1), (1, 1), (1, 1)]), (.ycck, [(2, 2), (1, 1), (1, 1), (2, 2)]),
    (.ycck, [(1, 1), (1, 1), (1, 1), (1, 1)]),
  ]

  @Test(arguments: 0..<samplings.count, [(131, 77), (1, 1), (16, 17), (33, 8)])
  func `every colour and sampling decodes to nearly the source, with the factors asked for`(
    _ number: Int, _ sides: (Int, Int)
  ) throws {
    let (colour, factors) = Self.samplings[number]
    let sampling = factors.map { Sampling($0.0, $0.1) }
    let scene = try scene(sides.0, sides.1, colour.sourceForm)
    let encoding = JPEGEncoding(colour: colour, sampling: sampling, quality: 97)
    let path = try folder.write(try JPEGEncoder.encode(scene, encoding), as: "made.jpg")
    let structure = try JPEGStructure(of: path)
    #expect(structure.components.map { Sampling($0.horizontal, $0.vertical) } == sampling)
    #expect(structure.size.width == sides.0 && structure.size.height == sides.1)
    // Steps at this quality are 1...7; reduced chroma of a picture of lights is off by more.
    let isReduced = Set(sampling).count > 1
    let difference = try Reference(path).pixels.meanDifference(from: try pixels(of: scene))
    #expect(difference < (isReduced ? 12 : 2.5), "\(colour) \(factors)")
  }

  @Test(arguments: JPEGEncoding.Colour.allCases)
  func `tables, scans and arithmetic codes change the bytes and no pixel`(
    colour: JPEGEncoding.Colour
  ) throws {
    let scene = try scene(150, 90, colour.sourceForm)
    var encoding = JPEGEncoding(colour: colour, quality: 60)
    let plain = try JPEGEncoder.encode(scene, encoding)
    let wanted = try decode(plain)
    for coding in JPEGEncoding.Coding.allCases where coding != .huffman {
      encoding.coding = coding
      let other = try JPEGEncoder.encode(scene, encoding)
      // A progressive picture of this size pays more for its scans than it gains by them.
      #expect(coding == .progressive ? !isSame(other, plain) : other.count < plain.count)
      #expect(try decode(other).difference(from: wanted) == nil, "\(coding)")
    }
    encoding.coding = .huffman
    encoding.isOneScanPerComponent = true
    let scans = try JPEGEncoder.encode(scene, encoding)
    #expect(JPEGBytes(scans).places(of: 0xDA).count == colour.componentCount)
    #expect(try decode(scans).difference(from: wanted) == nil)
  }

  @Test(arguments: [JPEGEncoding.Restart.mcus(1), .mcus(7), .mcus(65_535), .rows(1), .rows(2)])
  func `restart markers stand where asked, counted by eight, and change no pixel`(
    restart: JPEGEncoding.Restart
  ) throws {
    for colour in [JPEGEncoding.Colour.gray, .yCbCr] {
      let scene = try scene(150, 90, colour.sourceForm)
      var encoding = JPEGEncoding(colour: colour, quality: 60)
      let wanted = try decode(JPEGEncoder.encode(scene, encoding))
      encoding.restart = restart
      let jpeg = JPEGBytes(try JPEGEncoder.encode(scene, encoding))
      let structure = try JPEGStructure(of: folder.write(jpeg.bytes, as: "made.jpg"))
      let interval =
        switch restart {
        case .none: 0
        case .mcus(let count): count
        case .rows(let count): count * structure.mcusPerRow
        }
      #expect(structure.restartInterval == interval)
      let codes = jpeg.restarts.map { jpeg.bytes[$0] }
      #expect(codes == (0..<(structure.mcuCount - 1) / interval).map { 0xD0 + UInt8($0 % 8) })
      #expect(try decode(jpeg.bytes).difference(from: wanted) == nil)
    }
  }

  @Test func `metadata stands in the file as it was given, and each colour's marker with it`()
    throws
  {
    let profile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let transforms: [JPEGEncoding.Colour: UInt8] = [.rgbAdobe: 0, .cmyk: 0, .ycck: 2]
    for colour in JPEGEncoding.Colour.allCases {
      var encoding = JPEGEncoding(colour: colour)
      encoding.metadata.orientation = 6
      encoding.metadata.xmp = JPEGEncoding.Metadata.sampleXMP
      encoding.metadata.icc = profile
      encoding.metadata.comment = [1, 2, 3]
      encoding.trailingBytes = 500
      let jpeg = JPEGBytes(try JPEGEncoder.encode(scene(20, 10, colour.sourceForm), encoding))
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
    let whole = try JPEGEncoder.encode(scene, encoding)
    for count in [1, 7, 64, 400] {
      let encoder = try JPEGEncoder(size: scene.size, encoding)
      var bytes: [UInt8] = []
      for top in stride(from: 0, to: 400, by: count) {
        bytes += try encoder.append(scene.pixels(rows: top..<min(top + count, 400)))
        // But for a row of MCUs, nothing waits for what follows.
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
    let small = SceneSize(width: 20, height: 10)
    var refused: [(SceneSize, JPEGEncoding)] = [
      (SceneSize(width: 0, height: 1), JPEGEncoding()),
      (SceneSize(width: 1, height: 65_501), JPEGEncoding()),
      (SceneSize(width: 1 << 40, height: 1), JPEGEncoding()),
      (small, JPEGEncoding(quality: 0)), (small, JPEGEncoding(quality: 101)),
      (small, JPEGEncoding(sampling: [Sampling(1, 1)])),
      (small, JPEGEncoding(colour: .gray, sampling: [Sampling(0, 1)])),
      (small, JPEGEncoding(colour: .gray, sampling: [Sampling(1, 5)])),
      // More than ten blocks an MCU (T.81 B.2.3), and factors that do not divide.
      (small, JPEGEncoding(sampling: [Sampling(4, 2), Sampling(2, 1), Sampling(1, 1)])),
      (small, JPEGEncoding(sampling: [Sampling(3, 1), Sampling(2, 1), Sampling(1, 1)])),
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
    // As many MCUs in these rows as no interval can hold.
    var rows = JPEGEncoding(colour: .gray)
    rows.restart = .rows(9)
    refused.append((SceneSize(width: 65_500, height: 100), rows))
    for (size, encoding) in refused {
      let error = #expect(throws: PipelineError.self, "\(size) \(encoding)") {
        _ = try JPEGEncoder(size: size, encoding)
      }
      #expect(error?.code == .unsupported && error?.reason.isEmpty == false)
    }
    #expect(throws: PipelineError.self) { try JPEGEncoder.encode(scene(), .init(colour: .gray)) }
  }

  @Test func `edits that T.81 allows change no pixel that libjpeg shows`() throws {
    var encoding = JPEGEncoding(quality: 60)
    encoding.restart = .rows(1)
    let jpeg = JPEGBytes(try JPEGEncoder.encode(scene(), encoding))
    let wanted = try decode(jpeg.bytes)
    let late = jpeg.withLateHeight()
    let edits = [
      jpeg.filled(3), jpeg.extended(), jpeg.inserting(0xFE, [0xFF, 0xD9]), late.withHeight(77),
    ]
    for edited in edits {
      #expect(!isSame(edited.bytes, jpeg.bytes))
      #expect(try decode(edited.bytes).difference(from: wanted) == nil)
    }
    #expect(edits[0].restarts.count == jpeg.restarts.count)
    #expect(edits[0].bytes.count == jpeg.bytes.count + 3 * (jpeg.markers.count - 1))
    // Behind the scan, where libjpeg does not look for it.
    #expect(late.places(of: 0xDC).count == 1)
    #expect(throws: PipelineError.self) { try decode(late.bytes) }
  }
}
