internal import ZoomGeometry

/// A first estimate of the card's place from its colours alone: no search and no start is needed.
enum ClosedForm {
  /// Returns the affine map from screen pixels to picture pixels that fits the colour codes best.
  ///
  /// A few rounds of weighted least squares discard overlays whose colours look like the card's.
  /// The result is nil if the codes do not lie on a plane, or do not vary.
  static func map(_ shot: Shot, _ mask: ScreenMask, of picture: PixelSize) -> Affine? {
    let points = samples(shot, mask)
    let frame = ScreenFrame(width: shot.width, height: shot.height)
    var weights = [Double](repeating: 1, count: points.count)
    var (across, down) = ([0.0, 0, 0], [0.0, 0, 0])
    var near = 0
    for _ in 0..<8 {
      var products = [SIMD3<Double>](repeating: .zero, count: 3)
      var (toAcross, toDown) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
      for (point, weight) in zip(points, weights) {
        let z = frame.normalised(point.x, point.y)
        let weighted = z * weight
        products[0] += weighted * z.x
        products[1] += weighted * z.y
        products[2] += weighted
        toAcross += weighted * point.across
        toDown += weighted * point.down
      }
      let matrix = products.flatMap { [$0.x, $0.y, $0.z] }
      guard let system = LinearSystem(matrix, damping: 1e-9) else { return nil }
      across = system.solve([toAcross.x, toAcross.y, toAcross.z])
      down = system.solve([toDown.x, toDown.y, toDown.z])
      let fitted = frame.map(across, down)
      let residuals = points.map { point in
        let code = fitted.apply(to: ViewPoint(x: point.x, y: point.y))
        return code.distance(to: ViewPoint(x: point.across, y: point.down))
      }
      // Codes are whole levels, so one level is the least scale that means anything.
      let scale = max(1, median(zip(residuals, weights).filter { $1 > 0.01 }.map { Float($0.0) }))
      near = residuals.count(where: { $0 < 4 * scale })
      weights = residuals.map { residual in
        let share = residual / (2 * scale)
        let cauchy = 1 / (1 + share * share)
        return cauchy * cauchy
      }
    }
    guard near * 10 >= points.count * 3 else { return nil }
    return frame.map(across, down).then(
      .scale(
        x: Double(picture.width) / PlaceCard.codeRange,
        y: Double(picture.height) / PlaceCard.codeRange))
  }

  private struct Point {
    let x, y, across, down: Double
  }

  /// Returns about 20,000 pixels; with so many the noise of the codes averages out.
  private static func samples(_ shot: Shot, _ mask: ScreenMask) -> [Point] {
    let step = max(1, mask.count / 20_000)
    var (points, seen) = ([Point](), 0)
    for y in 0..<shot.height {
      for x in 0..<shot.width where mask.isSet[y &* shot.width &+ x] {
        seen &+= 1
        guard seen.isMultiple(of: step) else { continue }
        let (across, down) = shot.codes(y &* shot.width &+ x)
        points.append(
          Point(
            x: Double(x) + 0.5, y: Double(y) + 0.5,
            across: Double(across) - PlaceCard.codeStart,
            down: Double(down) - PlaceCard.codeStart))
      }
    }
    return points
  }
}
