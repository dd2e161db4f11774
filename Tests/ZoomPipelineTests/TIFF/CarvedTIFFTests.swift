import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions read from a TIFF's strips against full decodes; `WrittenTIFFTests` tries more kinds of files.
struct CarvedTIFFTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let kinds: [TIFFBytes.Kind] = [
    // Grey, with 0 as white or as black.
    .init(0, 1, 1), .init(0, 8, 1), .init(0, 4, 1), .init(1, 1, 1), .init(1, 2, 1), .init(1, 4, 1),
    .init(1, 8, 1), .init(1, 16, 1), .init(1, 32, 1), .init(1, 8, 1, format: 2),
    .init(1, 16, 1, format: 2), .init(1, 32, 1, format: 2), .init(1, 32, 1, format: 3),
    .init(1, 8, 2, extras: [2]), .init(1, 16, 2, extras: [1]),
    // Colours.
    .init(2, 8, 3), .init(2, 16, 3), .init(2, 32, 3, format: 3), .init(2, 8, 4, extras: [1]),
    .init(2, 8, 4, extras: [2]), .init(2, 16, 4, extras: [1]), .init(2, 8, 5, extras: [0, 2]),
    .init(2, 32, 4, format: 3, extras: [1]),
    // Palettes.
    .init(3, 1, 1), .init(3, 2, 1), .init(3, 4, 1), .init(3, 8, 1), .init(3, 8, 2, extras: [2]),
    // CMYK, CIELab.
    .init(5, 8, 4), .init(5, 16, 4), .init(5, 8, 5, extras: [2]), .init(8, 8, 3),
    .init(8, 16, 3), .init(8, 8, 4, extras: [2]),
  ]

  private static let limits = PictureLimits(memory: MemoryBudget(limit: 64 << 20))

  /// The source for a picture with its rows in several strips or in one.
  private static func pipeline(isOneStrip: Bool) -> any PicturePipeline {
    isOneStrip ? IndexedPipeline(limits: limits) : CarvedPipeline(limits: limits)
  }

  /// The codings, with the rows in several strips or in one.
  private static let codings: [(StripCoding, Bool)] =
    StripCoding.plain.map { ($0, false) } + [(.lzw, true), (.deflate, true)]

  private static let settings = [
    "lzw,predictor=horizontal", "lzw,predictor=none", "lzw,predictor=float",
    "deflate,predictor=horizontal", "deflate,predictor=none", "deflate,predictor=float",
    "deflate,bigtiff", "deflate,bitdepth=2,predictor=none", "zstd", "packbits", "jpeg,Q=80",
    "jpeg,Q=95", "webp,lossless", "webp,Q=70", "ccittfax4,bitdepth=1",
    "none,miniswhite,bitdepth=4", "none",
  ]

  /// The first seven are for strips that can be entered.
  @Test(arguments: settings.map { ($0, false) } + settings.prefix(7).map { ($0, true) })
  func `strips that libvips writes`(_ settings: String, _ isOneStrip: Bool) throws {
    var random = SplitMix64(seed: 7)
    let isFloating = settings.contains("float")
    var read = 0
    for number in 0..<Thoroughness.pick(6, full: 200) {
      let bands = settings.contains("bitdepth") ? 1 : [3, 1, 4][number % 3]
      if settings.contains("webp"), bands == 1 { continue }
      if settings.contains("jpeg"), bands == 4 { continue }
      let size = try PixelSize(
        width: .random(in: 1...200, using: &random), height: .random(in: 130...260, using: &random))
      // Neighbours are similar, so that strings become long and tables full.
      let grain = [0, 3, 200].randomElement(using: &random) ?? 3
      let bytes = (0..<size.area * bands).map { place in
        UInt8((place / bands / 9 % 50) + Int.random(in: 0...grain, using: &random))
      }
      let pixels = Pixels(
        size: size, bands: bands, format: isFloating ? .float32 : .uint8,
        interpretation: bands == 1 ? .grey : .srgb,
        bytes: isFloating
          ? bytes.flatMap { byte in withUnsafeBytes(of: Float(byte) / 7) { Array($0) } } : bytes)
      let path = folder.path.appending("a.tif")
      let rows = isOneStrip ? (size.height + 15) / 16 * 16 : number % 2 * 16 + 16
      try Image(pixels).write(
        to: path, as: .settings("[compression=\(settings),tile-height=\(rows)]"))
      if try isExact(path, isOneStrip: isOneStrip, "\(settings) \(size)", &random) { read += 1 }
    }
    #expect(read >= 3, "\(read)")
  }

  @Test func `peeks find Clear codes once, and later ones enter there`() throws {
    var tiff = TIFFBytes(width: 90, height: 200, kind: .init(2, 8, 3), rowsPerStrip: nil)
    tiff.coding = .lzw
    let path = try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
    let source = try IndexedPipeline().open(path)
    let region = try PixelRegion(x: 40, y: 150, width: 20, height: 10)
    let first = try source.read(RegionRequest(region)).work
    let later = try source.read(RegionRequest(region)).work
    #expect(first.pixelsDecoded == 90 * 160)
    // A Clear code comes every 200 codes, and one is kept if it is at least 16 rows after the last.
    #expect(later.pixelsDecoded ?? 0 <= 90 * (10 + 17))
    #expect(try #require(later.bytesRead) < #require(first.bytesRead) / 3)
  }

  /// Changes directories, tables and strips.
  @Test(arguments: codings)
  func `damage never gives other pixels than a full decode`(
    _ coding: StripCoding, _ isOneStrip: Bool
  ) throws {
    var random = SplitMix64(seed: 77 + UInt64(coding.rawValue))
    var (agreed, refused) = (0, 0)
    let count = Thoroughness.pick(250, full: 20_000)
    for number in 0..<count {
      let kind = Self.kinds.randomElement(using: &random) ?? .init(1, 8, 1)
      let tiff = Self.tiff(coding, kind, isOneStrip: isOneStrip, &random)
      var (bytes, start) = tiff.file(seed: random.next())
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // Coded bytes are changed in one strip only: libtiff does not notice damage in all codings.
        let isHead = !isOneStrip || Bool.random(using: &random)
        let place = Int.random(in: isHead ? 4..<start : start..<bytes.count, using: &random)
        let near = bytes[place] ^ (1 << UInt8.random(in: 0..<8, using: &random))
        bytes[place] =
          [near, near, 0, 1, 255, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? near
      }
      if isOneStrip, Int.random(in: 0..<8, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count - start, using: &random))
      }
      let path = try folder.write(bytes, as: "a.tif")
      // Sizes that take long to decode are left to the fuzzer.
      guard let picture = try? Picture(path, limits: Self.limits), picture.size.area < 1 << 18,
        let source = try? Self.pipeline(isOneStrip: isOneStrip).open(picture)
      else {
        refused += 1
        continue
      }
      let whole = try? NaivePipeline().open(picture).read(
        RegionRequest(PixelRegion(whole: picture.size))
      ).pixels
      for region in try TellingRegions(of: picture.size, seed: random.next()).random(3) {
        guard let answer = try? source.read(RegionRequest(region)), let whole else { continue }
        #expect(
          answer.pixels.difference(from: whole.crop(region)) == nil,
          "\(coding) \(number): \(region) of \(tiff)")
        agreed += 1
      }
    }
    // Some changes are harmless, and some make the picture unreadable.
    #expect(agreed > count / 7 && refused > count / 20, "\(agreed) \(refused)")
  }

  // MARK: Helpers

  private static func tiff(
    _ coding: StripCoding, _ kind: TIFFBytes.Kind, isOneStrip: Bool, _ random: inout SplitMix64
  ) -> TIFFBytes {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    var tiff = TIFFBytes(
      width: Int.random(in: 1...70, using: &random),
      height: Int.random(in: 30...60, using: &random), kind: kind,
      rowsPerStrip: isOneStrip ? nil : Int.random(in: 1...9, using: &random))
    tiff.coding = coding
    if coding.isFax { tiff.kind = .init(kind.photometric % 2, 1, 1) }
    tiff.isLittleEndian = chance(2)
    tiff.isBig = chance(2)
    tiff.isPlanar = !isOneStrip && tiff.kind.bits >= 8 && chance(3)
    if !isOneStrip {
      tiff.fillOrder = chance(4) ? 2 : 1
      tiff.surplus = chance(4) ? 3 : 0
      if tiff.isBig { tiff.offsetType = chance(2) ? 4 : 16 }
      tiff.countType = chance(2) ? 3 : 4
    }
    if [.lzw, .deflate, .zstd].contains(coding) {
      tiff.predictor =
        tiff.kind.sampleFormat == 3
        ? [1, 3].randomElement(using: &random) ?? 1
        : tiff.kind.bits >= 8 ? Int.random(in: 1...2, using: &random) : 1
    }
    return tiff
  }

  /// Compares regions with a full decode; returns whether both sources read the picture.
  private func isExact(
    _ path: FilePath, isOneStrip: Bool, _ label: String, _ random: inout SplitMix64
  ) throws -> Bool {
    guard let reference = try? Reference(path) else { return false }
    let source: any RegionSource
    do throws(PipelineError) {
      source = try Self.pipeline(isOneStrip: isOneStrip).open(path)
    } catch {
      #expect(error.code == .unsupported, "\(label): \(error)")
      return false
    }
    let telling = TellingRegions(of: reference.region.size, seed: random.next())
    try expectCrops(
      source, telling.corners() + telling.random(4) + [reference.region], of: reference,
      unit: isOneStrip ? .row : .strip, label)
    return true
  }
}
