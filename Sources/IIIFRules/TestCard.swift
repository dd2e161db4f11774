internal import Measurement
package import ZoomGeometry
package import ZoomPipeline

/// A picture made for finding faults: every place looks different, no two sides are alike, and its structure
/// is coarse enough to measure shifts of a fraction of a pixel.
///
/// Red grows from left to right and green from top to bottom, so that swapped axes, directions and bands
/// show. Aperiodic waves are added, and noise of some levels, so that a single skipped pixel shows.
package enum TestCard {
  /// Returns the picture in 8-bit sRGB; the same size yields the same pixels everywhere.
  package static func pixels(of size: PixelSize) -> Pixels {
    func noise(_ seeds: Range<UInt64>, spacing: Int) -> [LatticeNoise] {
      seeds.map {
        LatticeNoise(seed: $0, spacing: spacing, width: size.width, height: size.height)
      }
    }
    let (coarse, fine) = (noise(0..<3, spacing: 17), noise(3..<6, spacing: 7))
    var random = SeededRandom(seed: 0x1A61)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let noise = Double(random.next() >> 56) / 255
        for band in 0..<3 {
          let slope =
            band == 0
            ? Double(x) / Double(size.width)
            : band == 1 ? Double(y) / Double(size.height) : 0.5
          let level =
            -35 + 90 * slope + 140 * coarse[band].level(x, y) + 90 * fine[band].level(x, y)
            + 10 * noise
          bytes.append(UInt8(min(max(level, 0), 255)))
        }
      }
    }
    return Pixels(size: size, bands: 3, format: .uint8, interpretation: .srgb, bytes: bytes)
  }
}
