import PropertyTesting
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests stored indexes of PNGs with random changes, in memory.
struct PNGSidecarMutantTests {
  private let folder: TestFolder
  private let key: SidecarKey
  private let picture: Picture
  private let png: PNGHeaders
  private let bytes: [UInt8]
  private let reference: Reference

  init() throws {
    folder = try TestFolder()
    key = try #require(SidecarKey([UInt8](repeating: 7, count: SidecarKey.byteCount)))
    let made = RandomPNG(
      RandomPNG.Kind(colourType: 2, depth: 8), width: 61, height: 120, seed: 11)
    picture = try Picture(try folder.write(made.bytes, as: "a.png"))
    png = try PNGHeaders(picture.file)
    let index = try CompleteIndex(of: picture, .png(png), spacing: 8)
    let identity = SidecarIdentity(
      version: picture.version, contentDigest: [UInt8](repeating: 0, count: SHA256.byteCount))
    bytes = try #require(SidecarDraft(identity, .row, count: png.size.height, index))
      .encoded(with: key)
    reference = try Reference(picture.path)
  }

  private func mutated(_ numbers: inout SplitMix64) -> [UInt8] {
    var changed = bytes
    changed.mutate(most: 4, &numbers)
    return changed
  }

  /// Reads a region with a sidecar of these bytes; nil if the sidecar is refused.
  private func answer(_ bytes: [UInt8], _ region: PixelRegion) throws -> Pixels? {
    let file = MemoryFile(bytes, madeFrom: picture.path)
    guard let sidecar = try? Sidecar(file, key: key, of: .png(png)) else { return nil }
    let reader = try PNGReader(picture, png, .success(sidecar))
    return try PartSource(picture, reader, bytesBefore: 0).read(RegionRequest(region)).pixels
  }

  @Test func `a changed index is refused, or the pixels are those of a full decode`() throws {
    var numbers = SplitMix64(seed: 3)
    let regions = try TellingRegions(of: picture.size, seed: 4).random(200, longest: 30)
    var refused = 0
    for number in 0..<Thoroughness.pick(2000, full: 100_000) {
      let region = regions[number % regions.count]
      guard let pixels = try answer(mutated(&numbers), region) else {
        refused += 1
        continue
      }
      #expect(pixels.difference(from: reference.crop(region)) == nil, "mutant \(number)")
    }
    #expect(refused > 0)
    #expect(try answer(bytes, regions[0])?.difference(from: reference.crop(regions[0])) == nil)
  }

  /// A holder of the key can cause wrong pixels, but reads stay inside the file.
  @Test func `a changed index whose tag matches does no harm`() throws {
    var numbers = SplitMix64(seed: 5)
    let regions = try TellingRegions(of: picture.size, seed: 6).random(200, longest: 30)
    var (read, refused) = (0, 0)
    for number in 0..<Thoroughness.pick(2000, full: 100_000) {
      let region = regions[number % regions.count]
      if let pixels = try answer(SampleSidecar.sealed(mutated(&numbers), with: key), region) {
        #expect(pixels.size == region.size, "mutant \(number)")
        read += 1
      } else {
        refused += 1
      }
    }
    #expect(read > 0 && refused > 0)
  }
}
