import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions of files that libvips writes against full decodes.
struct WrittenByVipsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let settings = [
    "lzw,predictor=horizontal", "lzw,predictor=none", "deflate,predictor=horizontal",
    "deflate,predictor=none", "deflate,bigtiff", "lzw,predictor=float", "deflate,predictor=float",
    "deflate,bitdepth=2,predictor=none", "zstd", "packbits", "jpeg,Q=80", "jpeg,Q=95",
    "ccittfax4,bitdepth=1", "none,miniswhite,bitdepth=4", "none",
  ]

  /// The first five are for strips that can be entered.
  @Test(arguments: settings.map { ($0, false) } + settings.prefix(5).map { ($0, true) })
  func `regions of TIFFs equal a full decode`(_ settings: String, _ isOneStrip: Bool) throws {
    var random = SplitMix64(seed: 7)
    let isFloating = settings.contains("float")
    var read = 0
    for number in 0..<Thoroughness.pick(6, full: 200) {
      let bands = settings.contains("bitdepth") ? 1 : [3, 1, 4][number % 3]
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
        to: path, settings: "[compression=\(settings),tile-height=\(rows)]")
      guard let reference = try? Reference(path) else { continue }
      let source: any RegionSource
      do throws(PipelineError) {
        source = try PartialPipeline().open(path)
      } catch {
        #expect(error.code == .unsupported, "\(settings) \(size): \(error)")
        continue
      }
      let telling = TellingRegions(of: size, seed: random.next())
      try expectCrops(
        source, telling.corners() + telling.random(4) + [reference.region], of: reference,
        unit: isOneStrip ? .row : .strip, "\(settings) \(size)")
      read += 1
    }
    #expect(read >= 3, "\(read)")
  }

  @Test(arguments: [
    "[Q=80]", "[Q=5]", "[Q=60,effort=0]", "[Q=70,smart-subsample]", "[lossless]",
    "[near-lossless,Q=40]", "[lossless,effort=0]",
  ])
  func `regions of WebPs equal a full decode`(_ settings: String) throws {
    for seed in 0..<UInt64(Thoroughness.pick(12, full: 120)) {
      var numbers = SplitMix64(seed: seed)
      let size = try PixelSize(
        width: .random(in: 1...90, using: &numbers), height: .random(in: 1...90, using: &numbers))
      let bands = seed % 2 == 0 ? 3 : 4
      // Noise, gradients, or alpha with edges.
      let style = Int.random(in: 0...2, using: &numbers)
      let pixels = try Pixels(width: size.width, height: size.height, bands: bands) { x, y, band in
        switch style {
        case 0: UInt8.random(in: 0...255, using: &numbers)
        case 1: UInt8(truncatingIfNeeded: x * 5 + y * 3 + band * 50)
        default: band == 3 && x < 20 ? 0 : UInt8(truncatingIfNeeded: x * y + band)
        }
      }
      let path = folder.path.appending("\(seed).webp")
      try Image(pixels).write(to: path, settings: settings)
      try expectCrops(
        PartialPipeline().open(path), TellingRegions(of: size, seed: seed).all(),
        of: Reference(path), "\(settings) \(size) of \(bands) seed \(seed)")
    }
  }
}
