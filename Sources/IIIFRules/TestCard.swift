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

  /// Random levels from 0 to 1 at the points of a grid, smoothly interpolated in the cells.
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
