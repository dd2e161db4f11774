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

  @Test func `a file that is cut off is refused`() throws {
    let path = folder.path.appending("a.webp")
    var numbers = SplitMix64(seed: 2)
    let size = try PixelSize(width: 80, height: 80)
    try Image(Self.pixels(size, 3, &numbers)).write(to: path, as: .settings("[lossless]"))
    let whole = try FileReader(path).bytes(at: 0, count: .max >> 1)
    let cut = try folder.write(Array(whole.dropLast(20)), as: "cut.webp")
    #expect(throws: PipelineError.self) { try CarvedPipeline().open(cut) }
  }

  /// Returns noise, gradients, or alpha with edges.
  private static func pixels(
    _ size: PixelSize, _ bands: Int, _ numbers: inout SplitMix64
  ) -> Pixels {
    let style = Int.random(in: 0...2, using: &numbers)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * bands)
    for y in 0..<size.height {
      for x in 0..<size.width {
        for band in 0..<bands {
          switch style {
          case 0: bytes.append(.random(in: 0...255, using: &numbers))
          case 1: bytes.append(UInt8(truncatingIfNeeded: x * 5 + y * 3 + band * 50))
          default: bytes.append(band == 3 && x < 20 ? 0 : UInt8(truncatingIfNeeded: x * y + band))
          }
        }
      }
    }
    return Pixels(
      size: size, bands: bands, format: .uint8, interpretation: .srgb, bytes: bytes)
  }
}
