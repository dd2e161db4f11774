import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions decoded by libwebp alone against full decodes by libvips.
struct WebPSourceTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: [
    "[Q=80]", "[Q=5]", "[Q=60,effort=0]", "[Q=70,smart-subsample]", "[lossless]",
    "[near-lossless,Q=40]", "[lossless,effort=0]",
  ])
  func `regions equal a full decode`(_ settings: String) throws {
    for seed in 0..<UInt64(Thoroughness.pick(12, full: 120)) {
      var numbers = SplitMix64(seed: seed)
      let size = try PixelSize(
        width: .random(in: 1...90, using: &numbers), height: .random(in: 1...90, using: &numbers))
      let bands = seed % 2 == 0 ? 3 : 4
      let path = folder.path.appending("\(seed).webp")
      try Image(Self.pixels(size, bands, &numbers)).write(to: path, as: .settings(settings))
      try expectCrops(
        CarvedPipeline().open(path), TellingRegions(of: size, seed: seed).all(),
        of: Reference(path), "\(settings) \(size) of \(bands) seed \(seed)")
    }
  }

  /// Returns noise, gradients, or alpha with edges.
  private static func pixels(
    _ size: PixelSize, _ bands: Int, _ numbers: inout SplitMix64
  ) throws -> Pixels {
    let style = Int.random(in: 0...2, using: &numbers)
    return try Pixels(width: size.width, height: size.height, bands: bands) { x, y, band in
      switch style {
      case 0: UInt8.random(in: 0...255, using: &numbers)
      case 1: UInt8(truncatingIfNeeded: x * 5 + y * 3 + band * 50)
      default: band == 3 && x < 20 ? 0 : UInt8(truncatingIfNeeded: x * y + band)
      }
    }
  }
}
