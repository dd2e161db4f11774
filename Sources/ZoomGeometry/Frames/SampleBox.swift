/// The pixels that a stretch of screen pixels looks at; it may reach out of the picture.
///
/// Counted in blocks of picture pixels, from the picture's top left corner. Unlike a `PixelRegion` it
/// may lie anywhere: a published formula may put a picture a billion pixels away.
package struct SampleBox: Sendable, Hashable {
  /// The columns, at least one.
  package let columns: Range<Int>
  /// The rows, at least one.
  package let rows: Range<Int>

  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// What bilinear sampling at the centres of the target's pixels looks at.
  ///
  /// - Parameters:
  ///   - target: screen pixels.
  ///   - inverse: the map from screen pixels to picture pixels.
  ///   - content: the picture pixels that are seen; what the target holds beyond them is not.
  ///   - block: how many picture pixels a side make one.
  init(of target: PixelRegion, _ inverse: Affine, content: PictureRect, block: Int) {
    let centres = inverse.boundingBox(
      of: ViewRect(
        x: Double(target.x) + 0.5, y: Double(target.y) + 0.5, width: Double(target.width - 1),
        height: Double(target.height - 1)))
    // A pixel that an edge only grazes is seen though its centre lies outside, by no more than half
    // of its diagonal, and one whole pixel is more than that.
    let across = ViewPoint(x: inverse.a, y: inverse.c).length
    let down = ViewPoint(x: inverse.b, y: inverse.d).length
    columns = Self.taps(
      max(centres.x, content.x - across), min(centres.maxX, content.maxX + across), block)
    rows = Self.taps(
      max(centres.y, content.y - down), min(centres.maxY, content.maxY + down), block)
  }

  /// The blocks that are looked at between two places.
  ///
  /// Block i has its centre at i + 1/2. A place between two centres looks at both, and one block more
  /// at either end makes up for rounding.
  private static func taps(_ first: Double, _ last: Double, _ block: Int) -> Range<Int> {
    let low = Int(bounded((first / Double(block) - 0.5).rounded(.down))) - 1
    let high = Int(bounded((last / Double(block) - 0.5).rounded(.down))) + 3
    return low..<max(low + 1, high)
  }

  /// A coordinate that converts to `Int` and can be calculated with.
  ///
  /// 2^40 is hundreds of the largest pictures away, and there everything is one smeared pixel. NaN,
  /// which the difference of two overflows leaves, becomes 0.
  static func bounded(_ value: Double) -> Double {
    value.isNaN ? 0 : min(max(value, -0x1p40), 0x1p40)
  }

  /// The picture pixels that the box needs: those inside, or else the nearest edge.
  func region(of picture: PixelSize, block: Int) -> PixelRegion {
    let (x, maxX) = Self.inside(columns, picture.width, block)
    let (y, maxY) = Self.inside(rows, picture.height, block)
    return PixelRegion(uncheckedX: x, y: y, width: maxX - x, height: maxY - y)
  }

  private static func inside(_ range: Range<Int>, _ side: Int, _ block: Int) -> (Int, Int) {
    let count = (side + block - 1) / block
    let low = min(max(range.lowerBound, 0), count - 1)
    let high = min(max(range.upperBound, low + 1), count)
    return (low * block, min(high * block, side))
  }
}

/// A map by a quarter turn that puts picture pixels onto screen pixels, one to one.
struct ExactMap {
  let turn: QuarterTurn
  /// The picture pixels of the target, one by one.
  let box: SampleBox

  /// How far a screen pixel's centre may miss that of its picture pixel, in pixels.
  ///
  /// Bilinear sampling so far off, both ways, changes an 8-bit sample by at most 255 * 2e-6, so
  /// nothing that rounds. What a formula's rounding does is below: 2^-52 of a coordinate for each of
  /// a dozen operations, which for coordinates up to a million is 3e-9.
  static let tolerance = 1e-6

  /// Finds the turn; nil when the map is none, or puts pixels between pixels.
  init?(_ map: Affine, _ inverse: Affine, _ target: PixelRegion) {
    let near = QuarterTurn.allCases.first { turn in
      let ideal = Affine.turn(turn)
      return [map.a - ideal.a, map.b - ideal.b, map.c - ideal.c, map.d - ideal.d]
        .allSatisfy { abs($0) <= Self.tolerance }
    }
    guard let near else { return nil }
    let corners = [
      (target.x, target.y), (target.maxX, target.y), (target.x, target.maxY),
      (target.maxX, target.maxY),
    ].map { inverse.apply(to: ViewPoint(x: Double($0.0), y: Double($0.1))) }
    // A map that is affine misses nowhere by more than at a corner.
    guard
      corners.allSatisfy({ corner in
        abs(corner.x) < 0x1p40 && abs(corner.y) < 0x1p40
          && abs(corner.x - corner.x.rounded()) <= Self.tolerance
          && abs(corner.y - corner.y.rounded()) <= Self.tolerance
      })
    else { return nil }
    let xs = corners.map { Int($0.x.rounded()) }
    let ys = corners.map { Int($0.y.rounded()) }
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    // Over a wide target even a slight shrink skips a pixel: then no corner is off, but the count is.
    let size = target.size.turned(by: near)
    guard right - left == size.width, bottom - top == size.height else { return nil }
    turn = near
    box = SampleBox(columns: left..<right, rows: top..<bottom)
  }
}
