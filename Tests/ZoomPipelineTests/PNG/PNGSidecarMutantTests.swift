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

  /// Sealed with the key, as a faulty writer of ours would do it.
  @Test func `a check finds points in a wrong order, at a wrong start, or that cannot be unpacked`()
    throws
  {
    func isRefused(_ change: (inout [[UInt8]]) -> Void) throws -> Bool {
      let draft = try SampleSidecar.read(bytes, key)
      var blocks = draft.blocks
      change(&blocks)
      let changed = SidecarDraft(header: draft.header, blocks: blocks, payload: nil)
        .encoded(with: key)
      let file = MemoryFile(changed, madeFrom: picture.path)
      let sidecar = try Sidecar(file, key: key, of: .png(png))
      return (try? IndexedHeaders.png(png).checkPoints(of: sidecar)) == nil
    }
    #expect(try !isRefused { _ in })
    let count = try SampleSidecar.read(bytes, key).blocks.count
    #expect(count == 15)
    for number in 0..<count {
      // The first and the last points differ from all others.
      let other = number < count - 1 ? count - 1 : 0
      #expect(try isRefused { $0.swapAt(number, other) }, "\(number) and \(other)")
    }
    for number in 1..<count {
      let zlib = RowEntryPoint.recordByteCount
      #expect(try isRefused { $0[number][zlib] ^= 1 }, "\(number): its zlib header")
      #expect(try isRefused { $0[number].removeLast() }, "\(number): its end")
    }
    // The bit of the first symbol.
    #expect(try isRefused { $0[0][21] ^= 1 })
  }

  /// Reads a region with a sidecar of these bytes; nil if the sidecar is refused.
  private func answer(_ bytes: [UInt8], _ region: PixelRegion) throws -> Pixels? {
    let file = MemoryFile(bytes, madeFrom: picture.path)
    guard let sidecar = try? Sidecar(file, key: key, of: .png(png)) else { return nil }
    let reader = try PNGReader(picture, png, .success(sidecar))
    return try PartSource(picture, reader, bytesBefore: 0).read(RegionRequest(region)).pixels
  }

  /// Reads a region with each of many changed indexes; checks the pixels of those not refused.
  private func outcomes(
    seed: UInt64, isSealed: Bool, _ check: (_ pixels: Pixels, _ region: PixelRegion) throws -> Void
  ) throws -> (read: Int, refused: Int) {
    var numbers = SplitMix64(seed: seed)
    let regions = try TellingRegions(of: picture.size, seed: seed + 1).random(200, longest: 30)
    var outcomes = (read: 0, refused: 0)
    for number in 0..<Thoroughness.pick(2000, full: 100_000) {
      var changed = bytes
      changed.mutate(most: 4, &numbers)
      if isSealed { changed = SampleSidecar.sealed(changed, with: key) }
      let region = regions[number % regions.count]
      if let pixels = try answer(changed, region) {
        try check(pixels, region)
        outcomes.read += 1
      } else {
        outcomes.refused += 1
      }
    }
    return outcomes
  }

  @Test func `a changed index is refused, or the pixels are those of a full decode`() throws {
    let found = try outcomes(seed: 3, isSealed: false) { pixels, region in
      #expect(pixels.difference(from: reference.crop(region)) == nil, "\(region)")
    }
    #expect(found.refused > 0)
    let unchanged = try #require(try answer(bytes, reference.region))
    #expect(unchanged.difference(from: reference.pixels) == nil)
  }

  /// A holder of the key can cause wrong pixels, but reads stay inside the file.
  @Test func `a changed index whose tag matches does no harm`() throws {
    let found = try outcomes(seed: 5, isSealed: true) { pixels, region in
      #expect(pixels.size == region.size, "\(region)")
    }
    #expect(found.read > 0 && found.refused > 0)
  }
}
