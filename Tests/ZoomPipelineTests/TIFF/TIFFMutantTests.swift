import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that a TIFF with a changed directory or tables is decoded exactly or refused.
struct TIFFMutantTests {
  @Test(arguments: TIFFCoding.allCases)
  func `changed directories and tables never give other pixels`(_ coding: TIFFCoding) throws {
    let folder = try TestFolder()
    let limits = PictureLimits(memory: MemoryBudget(limit: 64 << 20))
    var random = SplitMix64(seed: 77 + UInt64(coding.rawValue))
    var (agreed, refused) = (0, 0)
    for number in 0..<Thoroughness.pick(250, full: 20_000) {
      var tiff = TIFFBytes(
        width: Int.random(in: 1...40, using: &random),
        height: Int.random(in: 1...40, using: &random),
        kind: CarvedTIFFTests.kinds.randomElement(using: &random) ?? .init(1, 8, 1),
        rowsPerStrip: Int.random(in: 1...9, using: &random))
      if coding.isFax { tiff.kind = .init(0, 1, 1) }
      tiff.coding = coding
      tiff.isLittleEndian = Bool.random(using: &random)
      tiff.isBig = Int.random(in: 0..<4, using: &random) == 0
      tiff.isPlanar = tiff.kind.bits >= 8 && Int.random(in: 0..<4, using: &random) == 0
      var (bytes, start) = tiff.file(seed: random.next())
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 4..<start, using: &random)
        let near = bytes[place] ^ (1 << UInt8.random(in: 0..<8, using: &random))
        bytes[place] =
          [near, near, 0, 1, 255, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? near
      }
      let path = try folder.write(bytes, as: "a.tif")
      // Sizes that take long to decode are left to the fuzzer.
      guard let picture = try? Picture(path, limits: limits), picture.size.area < 1 << 18 else {
        refused += 1
        continue
      }
      guard let source = try? CarvedPipeline().open(picture) else {
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
    #expect(agreed > Thoroughness.pick(40, full: 3000) && refused > 20, "\(agreed) \(refused)")
  }
}
