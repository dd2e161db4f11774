internal import Measurement
package import ZoomGeometry
package import ZoomPipeline

/// A picture whose colours are coordinates, so that a screenshot shows which part of it is visible.
///
/// Red less blue grows from left to right and green less blue from top to bottom, by 127 levels
/// from 64. Filters that average pixels keep these differences, and grey backgrounds have none. A
/// texture, equal in all bands, locates a fraction of a pixel: its four octaves have structure for
/// every scale from 1/20 to 12.
package enum PlaceCard {
  /// The difference of two bands at the left or top edge; backgrounds must be well below it.
  static let codeStart = 64.0
  /// The growth of the difference across the picture; together they leave room for the texture.
  static let codeRange = 127.0
  /// The differences that count as the card: those at the edges, less or more 8 for noise.
  static let codes: Range<Float> = 57..<199
  /// The distances in pixels between the lattice points of the octaves.
  private static let spacings = [3, 8, 21, 55]
  /// The amplitude of an octave in levels.
  private static let amplitude = 8.0

  /// Returns the card in 8-bit sRGB; the same size yields the same pixels everywhere.
  package static func pixels(of size: PixelSize) -> Pixels {
    let (width, height) = (size.width, size.height)
    let octaves = spacings.enumerated().map {
      LatticeNoise(seed: UInt64($0), spacing: $1, width: width, height: height)
    }
    var random = SeededRandom(seed: 0x91AC)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * Pixels.screenBands)
    for y in 0..<height {
      let down = codeStart + codeRange * (Double(y) + 0.5) / Double(height)
      for x in 0..<width {
        let across = codeStart + codeRange * (Double(x) + 0.5) / Double(width)
        let codes = SIMD3<Double>(across, down, 0)
        let texture = octaves.reduce(0.0) { $0 + amplitude * (2 * $1.level(x, y) - 1) }
        for band in 0..<Pixels.screenBands {
          // The random part is a dither: without it, averages of the rounded ramps would have steps.
          let level = 32 + codes[band] + texture + random.unit()
          bytes.append(UInt8(min(max(level, 0), 255)))
        }
      }
    }
    return Pixels(rgb: size, bytes)
  }
}

extension SIMD4<Float> {
  /// Red less blue and green less blue, the code of a place on the card.
  @inline(__always) var code: SIMD2<Float> { SIMD2(x - z, y - z) }
}
