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
  private static let amplitude: Float = 8

  /// Returns the card in 8-bit sRGB; the same size yields the same pixels everywhere.
  package static func pixels(of size: PixelSize) -> Pixels {
    let (width, height) = (size.width, size.height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * Pixels.screenBands)
    for y in 0..<height {
      let down = codeStart + codeRange * (Double(y) + 0.5) / Double(height)
      for x in 0..<width {
        let across = codeStart + codeRange * (Double(x) + 0.5) / Double(width)
        let codes = SIMD3<Double>(across, down, 0)
        let texture = spacings.indices.reduce(Float(0)) { sum, octave in
          sum + noise(x, y, spacings[octave], seed: UInt32(octave))
        }
        for band in 0..<Pixels.screenBands {
          // The hash is a dither: without it, averages of the rounded ramps would have steps.
          let dither = hash(x, y, seed: 100 + UInt32(band))
          bytes.append(UInt8(min(max(32 + codes[band] + Double(texture) + dither, 0), 255)))
        }
      }
    }
    return Pixels(rgb: size, bytes)
  }

  /// Returns value noise: random levels at the points of a lattice, smoothly interpolated.
  private static func noise(_ x: Int, _ y: Int, _ spacing: Int, seed: UInt32) -> Float {
    func weight(_ place: Int) -> Float {
      let part = (Float(place % spacing) + 0.5) / Float(spacing)
      return part * part * (3 - 2 * part)
    }
    func level(_ column: Int) -> Float {
      let above = Float(hash(column, y / spacing, seed: seed))
      let below = Float(hash(column, y / spacing + 1, seed: seed))
      return amplitude * (2 * (above + (below - above) * weight(y)) - 1)
    }
    let left = level(x / spacing)
    return left + (level(x / spacing + 1) - left) * weight(x)
  }

  /// Returns a number from 0 to 1, excluding 1, that looks random from one place to the next.
  private static func hash(_ x: Int, _ y: Int, seed: UInt32) -> Double {
    var bits = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1
    bits ^= UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    bits ^= seed &* 0xC2B2_AE3D
    bits ^= bits >> 15
    bits &*= 0x2C1B_3C6D
    bits ^= bits >> 12
    bits &*= 0x297A_2D39
    bits ^= bits >> 15
    return Double(bits) / 4_294_967_296
  }
}

extension SIMD4<Float> {
  /// Red less blue and green less blue, the code of a place on the card.
  @inline(__always) var code: SIMD2<Float> { SIMD2(x - z, y - z) }
}
