/// A map by quarter turns that puts picture pixels onto screen pixels, one to one.
struct ExactMap {
  let turn: QuarterTurn
  /// The picture pixels of the target.
  let box: SampleBox
  /// The largest distance in pixels between the centres of a screen pixel and its picture pixel.
  ///
  /// Bilinear sampling at that distance changes an 8-bit sample by at most 255 * 2e-6, which rounding
  /// removes. A formula's rounding is smaller: 2^-52 of a coordinate for each of a dozen operations,
  /// 3e-9 for coordinates up to a million.
  static let tolerance = 1e-6

  /// Creates the exact map that is nearest, or nil if none is within the tolerance.
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
    // An affine map deviates most at a corner.
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
    // The scale may be off by up to the tolerance, which adds up to a whole pixel across a wide
    // target. Only the comparison of the sizes detects that.
    let size = target.size.turned(by: near)
    guard right - left == size.width, bottom - top == size.height else { return nil }
    turn = near
    box = SampleBox(columns: left..<right, rows: top..<bottom)
  }
}
