import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions read from a TIFF's strips against full decodes.
struct CarvedTIFFTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  static let kinds: [TIFFBytes.Kind] = [
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

  @Test(arguments: TIFFCoding.allCases)
  func `generated strips of every kind`(_ coding: TIFFCoding) throws {
    var random = SplitMix64(seed: UInt64(coding.rawValue))
    var (carved, refused, kindsDone) = (0, 0, Set<Int>())
    for number in 0..<Thoroughness.pick(120, full: 4000) {
      let kind = number % Self.kinds.count
      var tiff = TIFFBytes(
        width: Int.random(in: 1...70, using: &random),
        height: Int.random(in: 1...60, using: &random), kind: Self.kinds[kind],
        rowsPerStrip: Int.random(in: 1...20, using: &random))
      if coding.isFax { tiff.kind = .init(number % 2, 1, 1) }
      tiff.coding = coding
      tiff.isLittleEndian = Bool.random(using: &random)
      tiff.isBig = Bool.random(using: &random)
      tiff.isPlanar = tiff.kind.bits >= 8 && Bool.random(using: &random)
      tiff.fillOrder = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
      tiff.surplus = Int.random(in: 0..<4, using: &random) == 0 ? 3 : 0
      if tiff.isBig { tiff.offsetType = [4, 16].randomElement(using: &random) ?? 4 }
      tiff.countType = [3, 4].randomElement(using: &random) ?? 4
      if [.lzw, .deflate, .zstd].contains(coding) {
        tiff.predictor =
          tiff.kind.sampleFormat == 3
          ? [1, 3].randomElement(using: &random) ?? 1
          : tiff.kind.bits >= 8 ? Int.random(in: 1...2, using: &random) : 1
      }
      let path = try folder.write(tiff.file(seed: random.next()).bytes, as: "a.tif")
      let outcome = try expectExact(path, "\(number): \(tiff)", seed: random.next())
      if outcome == .carved { kindsDone.insert(kind) }
      carved += outcome == .carved ? 1 : 0
      refused += outcome == .refused ? 1 : 0
      if outcome == .refused {
        let isMixed = tiff.planes > 1 && ![2, 5].contains(tiff.kind.photometric)
        let isShort = coding != .none && tiff.stripsPerPlane < TIFFStrips.fewestStrips
        #expect(isMixed || isShort, "\(tiff)")
      }
    }
    #expect(carved >= Thoroughness.pick(30, full: 1500), "\(coding): \(carved), \(refused) refused")
    if !coding.isFax {
      #expect(kindsDone.count > (Self.kinds.count * 2) / 3, "\(coding): \(kindsDone.count) kinds")
    }
  }

  @Test(arguments: [
    "compression=lzw,predictor=horizontal", "compression=deflate", "compression=zstd",
    "compression=packbits", "compression=jpeg,Q=80", "compression=jpeg,Q=95",
    "compression=webp,lossless", "compression=webp,Q=70", "compression=ccittfax4,bitdepth=1",
    "compression=deflate,bigtiff", "bitdepth=2,compression=deflate,predictor=none",
    "miniswhite,bitdepth=4", "compression=none",
  ])
  func `strips that libvips writes`(_ settings: String) throws {
    var random = SplitMix64(seed: 7)
    var carved = 0
    for number in 0..<Thoroughness.pick(6, full: 200) {
      let bands = settings.contains("bitdepth") ? 1 : [1, 3, 4][number % 3]
      if settings.contains("webp"), bands == 1 { continue }
      if settings.contains("jpeg"), bands == 4 { continue }
      let size = try PixelSize(
        width: .random(in: 1...150, using: &random), height: .random(in: 130...190, using: &random))
      let pixels = Pixels(
        size: size, bands: bands, format: .uint8, interpretation: bands == 1 ? .grey : .srgb,
        bytes: (0..<size.area * bands).map { place in
          UInt8((place * 2) % 200 + Int.random(in: 0..<50, using: &random))
        })
      let path = folder.path.appending("a\(number).tif")
      let height = [1, 2].randomElement(using: &random) ?? 1
      try Image(pixels).write(to: path, as: .settings("[\(settings),tile-height=\(height * 16)]"))
      let outcome = try expectExact(path, "\(settings) \(number) \(size)", seed: random.next())
      carved += outcome == .carved ? 1 : 0
    }
    #expect(carved >= 3, "\(carved)")
  }

  // MARK: Helpers

  enum Outcome { case carved, refused, unreadable }

  private func expectExact(_ path: FilePath, _ label: String, seed: UInt64) throws -> Outcome {
    guard let reference = try? Reference(path) else { return .unreadable }
    let source: any RegionSource
    do throws(PipelineError) {
      source = try CarvedPipeline().open(path)
    } catch {
      #expect(error.code == .unsupported, "\(label): \(error)")
      return .refused
    }
    let telling = TellingRegions(of: reference.region.size, seed: seed)
    for region in try telling.corners() + telling.random(4) + [reference.region] {
      let answer = try source.read(RegionRequest(region))
      let difference = answer.pixels.difference(from: reference.crop(region))
      #expect(difference == nil, "\(label): \(region)")
      #expect(answer.work.unit == .strip, "\(label): \(region) was not carved")
      #expect(answer.work.pixelsDecoded ?? 0 >= region.area, "\(label): \(region)")
    }
    return .carved
  }
}
