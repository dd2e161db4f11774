/// Value noise: random levels from 0 to 1 at the points of a lattice, smoothly interpolated between them.
///
/// Test cards have it as a texture, whose finest structure is as wide as the lattice's spacing.
package struct LatticeNoise: Sendable {
  private let levels: [Double]
  private let columns: Int
  private let spacing: Int

  /// Creates noise for an area; each seed has its own levels, which are the same everywhere.
  package init(seed: UInt64, spacing: Int, width: Int, height: Int) {
    var random = SeededRandom(seed: 0xCA4D, stream: seed)
    columns = width / spacing + 2
    let rows = height / spacing + 2
    levels = (0..<columns * rows).map { _ in random.unit() }
    self.spacing = spacing
  }

  /// Returns the level of a pixel in the area.
  package func level(_ x: Int, _ y: Int) -> Double {
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
