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
  static let codes = 57..<199
  /// The distances in pixels between the lattice points of the octaves.
  private static let spacings = [3, 8, 21, 55]
  /// The amplitude of an octave in levels.
  private static let amplitude: Float = 8

  /// Returns the card in 8-bit sRGB; the same size and seed yield the same pixels everywhere.
  ///
  /// Cards of different seeds have the same colour code and different textures.
  package static func pixels(of size: PixelSize, seed: UInt32 = 0) -> Pixels {
    let (width, height) = (size.width, size.height)
    let octaves = spacings.indices.map {
      Octave(spacing: spacings[$0], seed: seed &* 16 &+ UInt32($0), width: width)
    }
    var bytes = [UInt8](repeating: 0, count: size.area * Pixels.screenBands)
    var texture = [Float](repeating: 0, count: width)
    for y in 0..<height {
      for x in texture.indices { texture[x] = 0 }
      for octave in octaves { octave.add(row: y, amplitude, to: &texture) }
      let down = codeStart + codeRange * (Double(y) + 0.5) / Double(height)
      for x in 0..<width {
        let across = codeStart + codeRange * (Double(x) + 0.5) / Double(width)
        let at = (y * width + x) * Pixels.screenBands
        // The hash is a dither: without it, averages of the rounded ramps would have steps.
        func paint(_ band: Int, _ code: Double) {
          let dither = hash(x, y, seed: 100 + UInt32(band))
          let level = 32 + code + Double(texture[x]) + dither
          bytes[at + band] = UInt8(min(max(level, 0), 255))
        }
        paint(0, across)
        paint(1, down)
        paint(2, 0)
      }
    }
    return Pixels(rgb: size, bytes)
  }

  /// Returns a number from 0 to 1, excluding 1, that looks random from one place to the next.
  static func hash(_ x: Int, _ y: Int, seed: UInt32) -> Double {
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

  /// Value noise: random levels at the points of a lattice, smoothly interpolated.
  private struct Octave {
    let spacing: Int
    let seed: UInt32
    /// The lattice column left of each pixel and the weight of the one on the right.
    let columns: [(left: Int, weight: Float)]

    init(spacing: Int, seed: UInt32, width: Int) {
      (self.spacing, self.seed) = (spacing, seed)
      columns = (0..<width).map { (left: $0 / spacing, weight: Self.eased($0, spacing)) }
    }

    private static func eased(_ pixel: Int, _ spacing: Int) -> Float {
      let part = (Float(pixel % spacing) + 0.5) / Float(spacing)
      return part * part * (3 - 2 * part)
    }

    /// Adds a row of the noise, from -amplitude to amplitude.
    func add(row y: Int, _ amplitude: Float, to levels: inout [Float]) {
      let (top, weight) = (y / spacing, Self.eased(y, spacing))
      let last = (columns.last?.left ?? 0) + 1
      // The lattice rows above and below the pixels, mixed once for each column.
      let mixed: [Float] = (0...last).map { column in
        let above = Float(PlaceCard.hash(column, top, seed: seed))
        let below = Float(PlaceCard.hash(column, top + 1, seed: seed))
        return amplitude * (2 * (above + (below - above) * weight) - 1)
      }
      for x in levels.indices {
        let (left, weight) = columns[x]
        levels[x] += mixed[left] + (mixed[left + 1] - mixed[left]) * weight
      }
    }
  }
}
