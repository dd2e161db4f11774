import Foundation
import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions of TIFFs with all rows in one strip against full decodes.
struct OneStripTIFFTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: [TIFFCoding.lzw, .deflate])
  func `generated strips of every kind`(_ coding: TIFFCoding) throws {
    var random = SplitMix64(seed: 40 + UInt64(coding.rawValue))
    var kindsDone: Set<Int> = []
    for number in 0..<Thoroughness.pick(140, full: 4000) {
      let kind = number % CarvedTIFFTests.kinds.count
      let tiff = Self.tiff(coding, CarvedTIFFTests.kinds[kind], &random)
      let path = try folder.write(tiff.file(seed: random.next()).bytes, as: "a.tif")
      if try isExact(path, "\(number): \(tiff)", seed: random.next()) { kindsDone.insert(kind) }
    }
    #expect(kindsDone.count == CarvedTIFFTests.kinds.count)
  }

  @Test(arguments: [
    "lzw,predictor=horizontal", "lzw,predictor=none", "lzw,predictor=float",
    "deflate,predictor=horizontal", "deflate,predictor=none", "deflate,predictor=float",
    "deflate,bigtiff",
  ])
  func `strips that libvips writes`(_ settings: String) throws {
    var random = SplitMix64(seed: 8)
    let isFloating = settings.contains("float")
    for number in 0..<Thoroughness.pick(5, full: 200) {
      let bands = [3, 1, 4][number % 3]
      let size = try PixelSize(
        width: .random(in: 1...250, using: &random), height: .random(in: 16...260, using: &random))
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
      let rows = (size.height + 15) / 16 * 16
      try Image(pixels).write(
        to: path, as: .settings("[compression=\(settings),tile-height=\(rows)]"))
      #expect(
        try isExact(path, "\(settings) \(number) \(size)", seed: random.next()),
        "\(settings) \(number) \(size)")
    }
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
    // A Clear code comes every 200 bytes, and one is kept if it is at least 16 rows after the last.
    #expect(later.pixelsDecoded ?? 0 <= 90 * (10 + 17))
    #expect(try #require(later.bytesRead) < #require(first.bytesRead) / 3)
  }

  @Test(arguments: [TIFFCoding.lzw, .deflate])
  func `many threads may make it known`(_ coding: TIFFCoding) throws {
    var random = SplitMix64(seed: 12)
    var tiff = TIFFBytes(width: 60, height: 300, kind: .init(2, 8, 3), rowsPerStrip: nil)
    (tiff.coding, tiff.predictor) = (coding, 2)
    let path = try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
    let reference = try Reference(path)
    let source = try IndexedPipeline().open(path)
    let regions = try TellingRegions(of: reference.region.size, seed: random.next()).random(64)
    DispatchQueue.concurrentPerform(iterations: regions.count) { number in
      let region = regions[number]
      let pixels = try? source.read(RegionRequest(region)).pixels
      #expect(pixels?.difference(from: reference.crop(region)) == nil && pixels != nil)
    }
  }

  @Test func `what cannot be entered is refused with its reason`() throws {
    func refusal(_ change: (inout TIFFBytes) -> Void, _ edit: (inout [UInt8], Int) -> Void)
      throws -> String?
    {
      var tiff = TIFFBytes(width: 20, height: 30, kind: .init(2, 8, 3), rowsPerStrip: nil)
      tiff.coding = .lzw
      change(&tiff)
      var (bytes, start) = tiff.file(seed: 5)
      edit(&bytes, start)
      let path = try folder.write(bytes, as: "a.tif")
      return expectError(.unsupported) { try IndexedPipeline().open(path) }?.reason
    }
    #expect(
      try refusal({ $0.rowsPerStrip = 8 }, { _, _ in }) == "its rows are in more than one strip")
    // libtiff's old bit order: the Clear code is the bytes 0, 1.
    #expect(
      try refusal({ _ in }, { $0.replaceSubrange($1..<$1 + 2, with: [0, 1]) })
        == "its strip does not begin as its coding does")
    #expect(
      try refusal({ $0.coding = .deflate }, { $0[$1] = 0x79 })
        == "its strip does not begin as its coding does")
    #expect(
      try refusal({ $0.coding = .packBits }, { _, _ in })
        == "its strips are coded in a way that is left to libtiff")
    // A predictor for floating point only, one with two values, and one of type BYTE.
    for field in [TIFFBytes.Field(317, 3, [3]), .init(317, 3, [2, 2]), .init(317, 1, [2])] {
      #expect(
        try refusal({ $0.more = [field] }, { _, _ in })
          == "its predictor is not one for such samples")
    }
  }

  @Test(arguments: [TIFFCoding.lzw, .deflate])
  func `damaged strips never give other pixels than a full decode`(_ coding: TIFFCoding) throws {
    let limits = PictureLimits(memory: MemoryBudget(limit: 64 << 20))
    var random = SplitMix64(seed: 90 + UInt64(coding.rawValue))
    var (agreed, refused) = (0, 0)
    for number in 0..<Thoroughness.pick(400, full: 50_000) {
      let kind = CarvedTIFFTests.kinds.randomElement(using: &random) ?? .init(1, 8, 1)
      let tiff = Self.tiff(coding, kind, &random)
      var (bytes, start) = tiff.file(seed: random.next())
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // Half of the changes hit the directory.
        let isHead = Bool.random(using: &random)
        let place = Int.random(in: isHead ? 4..<start : start..<bytes.count, using: &random)
        bytes[place] =
          [bytes[place] ^ (1 << UInt8.random(in: 0..<8, using: &random)), 0, 255]
          .randomElement(using: &random) ?? 0
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count - start, using: &random))
      }
      let path = try folder.write(bytes, as: "a.tif")
      guard let picture = try? Picture(path, limits: limits), picture.size.area < 1 << 18,
        let source = try? IndexedPipeline().open(picture)
      else {
        refused += 1
        continue
      }
      let whole = try? NaivePipeline().open(picture).read(
        RegionRequest(PixelRegion(whole: picture.size))
      ).pixels
      for region in try TellingRegions(of: picture.size, seed: random.next()).random(3) {
        guard let answer = try? source.read(RegionRequest(region)) else {
          refused += 1
          continue
        }
        guard let whole else { continue }
        #expect(
          answer.pixels.difference(from: whole.crop(region)) == nil,
          "\(coding) \(number): \(region) of \(tiff)")
        agreed += 1
      }
    }
    #expect(agreed > Thoroughness.pick(100, full: 9000) && refused > 50, "\(agreed) \(refused)")
  }

  // MARK: Helpers

  private static func tiff(
    _ coding: TIFFCoding, _ kind: TIFFBytes.Kind, _ random: inout SplitMix64
  ) -> TIFFBytes {
    var tiff = TIFFBytes(
      width: Int.random(in: 1...70, using: &random),
      height: Int.random(in: 1...90, using: &random), kind: kind, rowsPerStrip: nil)
    tiff.coding = coding
    tiff.isLittleEndian = Bool.random(using: &random)
    tiff.isBig = Bool.random(using: &random)
    if kind.sampleFormat == 3 {
      tiff.predictor = [1, 3].randomElement(using: &random) ?? 1
    } else if kind.bits >= 8 {
      tiff.predictor = Int.random(in: 1...2, using: &random)
    }
    return tiff
  }

  /// Compares regions with a full decode; returns false if the picture is refused.
  private func isExact(_ path: FilePath, _ label: String, seed: UInt64) throws -> Bool {
    let reference = try Reference(path)
    let source: any RegionSource
    do throws(PipelineError) {
      source = try IndexedPipeline().open(path)
    } catch {
      #expect(error.code == .unsupported, "\(label): \(error)")
      return false
    }
    let telling = TellingRegions(of: reference.region.size, seed: seed)
    for region in try telling.random(4) + telling.corners() + [reference.region] {
      let answer = try source.read(RegionRequest(region))
      let difference = answer.pixels.difference(from: reference.crop(region))
      #expect(difference == nil, "\(label): \(region)")
      #expect(answer.work.unit == .row, "\(label): \(region) was not carved")
    }
    return true
  }
}
