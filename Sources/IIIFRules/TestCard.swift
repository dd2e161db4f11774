internal import Measurement
package import ZoomGeometry
package import ZoomPipeline

/// A picture made for finding faults: every place looks different, neither side is like the other, and its structure is
/// coarse enough for shifts of a part of a pixel to be measured.
///
/// Red grows from left to right and green from top to bottom, so that axes, directions and bands which are swapped
/// show. Waves of no period stand on them, and noise of some levels, so that a single pixel that is skipped shows, too.
package enum TestCard {
  /// Draws it, 8-bit sRGB; the same for the same size everywhere.
  package static func pixels(of size: PixelSize) -> Pixels {
    let coarse = (0..<3).map { Lattice(seed: UInt64($0), spacing: 17, size: size) }
    let fine = (0..<3).map { Lattice(seed: UInt64($0 + 3), spacing: 7, size: size) }
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

  /// Random levels from 0 to 1 at the points of a grid, and between them what smoothly leads from one to the next.
  private struct Lattice {
    private let levels: [Double]
    private let columns: Int
    private let spacing: Int

    init(seed: UInt64, spacing: Int, size: PixelSize) {
      var random = SeededRandom(seed: 0xCA4D, stream: seed)
      columns = size.width / spacing + 2
      let rows = size.height / spacing + 2
      levels = (0..<columns * rows).map { _ in random.unit() }
      self.spacing = spacing
    }

    func level(_ x: Int, _ y: Int) -> Double {
      let (column, row) = (x / spacing, y / spacing)
      func eased(_ part: Int) -> Double {
        let t = Double(part) / Double(spacing)
        return t * t * (3 - 2 * t)
      }
      let (a, b) = (eased(x % spacing), eased(y % spacing))
      let at = row * columns + column
      let top = levels[at] * (1 - a) + levels[at + 1] * a
      let bottom = levels[at + columns] * (1 - a) + levels[at + columns + 1] * a
      return top * (1 - b) + bottom * b
    }
  }
}
