public import ZoomPipeline
internal import ZoomGeometry

/// The distance between the contents of two pictures, measured by image registration.
///
/// The whole pixels are found by trying all shifts in a range. The fraction is a least-squares fit
/// on the gradients (Lucas and Kanade 1981), solved for both axes at once: the shift s that best
/// fits `got - expected = -(gradient, s)`.
///
/// It is accurate to 0.05 px, for shifts up to the range plus half a pixel, on pictures whose
/// finest structure is 6 pixels or wider. On noise only the whole pixels are reliable.
public struct PixelShift: Sendable, Hashable {
  /// Pixels to the right; negative to the left.
  public let x: Double
  /// Pixels down; negative up.
  public let y: Double
  /// The part of the squared difference that the shift explains, from 0 to 1.
  public let explained: Double

  /// The larger of the two components.
  public var length: Double { max(abs(x), abs(y)) }
}

extension PixelShift {
  /// Measures the shift of an answer against the expected pixels.
  ///
  /// It is nil for pictures of different form, smaller than 7 pixels a side, or without enough
  /// structure along both axes. Up to `range` whole pixels are tried each way, but no more than a
  /// third of the shorter side.
  public init?(_ got: Pixels, expected: Pixels, within range: Int = 8) {
    guard got.size == expected.size, got.bands == expected.bands, got.format == expected.format,
      min(got.size.width, got.size.height) >= 7
    else { return nil }
    let one = LumaPlane(got)
    let other = LumaPlane(expected)
    let reach = max(0, min(range, min(got.size.width, got.size.height) / 3))
    let (dx, dy) = one.wholeShift(from: other, within: reach)
    guard let rest = one.rest(from: other, dx: dx, dy: dy) else { return nil }
    x = Double(dx) + rest.x
    y = Double(dy) + rest.y
    let before = one.squaredDifference(from: other, dx: 0, dy: 0)
    explained = before > 0 ? min(max(1 - rest.left / before, 0), 1) : 1
  }
}

/// The mean of the bands on a scale of 255, smoothed so that gradients are smooth too.
private struct LumaPlane {
  let width: Int
  let height: Int
  let levels: [Double]

  init(_ pixels: Pixels) {
    let plain = pixels.bandMeans
    let (w, h) = (pixels.size.width, pixels.size.height)
    // A binomial filter 1 2 1 along both axes, which drops the outermost pixels. It removes the
    // finest structure, which central differences do not see.
    let rows: [Double] = (0..<h).flatMap { y in
      (y * w..<(y + 1) * w - 2).map { Self.smoothed(plain[$0], plain[$0 + 1], plain[$0 + 2]) }
    }
    let row = w - 2
    levels = (0..<row * (h - 2)).map { Self.smoothed(rows[$0], rows[$0 + row], rows[$0 + 2 * row]) }
    (width, height) = (row, h - 2)
  }

  private static func smoothed(_ before: Double, _ here: Double, _ after: Double) -> Double {
    (before + 2 * here + after) / 4
  }

  /// Returns the shift by whole pixels that leaves the least squared difference.
  ///
  /// Of equal ones the shortest counts, and of equally short ones the first in row order.
  func wholeShift(from other: LumaPlane, within range: Int) -> (Int, Int) {
    var best = (dx: 0, dy: 0, left: squaredDifference(from: other, dx: 0, dy: 0))
    for dy in -range...range {
      for dx in -range...range {
        let left = squaredDifference(from: other, dx: dx, dy: dy)
        let isShorter = dx * dx + dy * dy < best.dx * best.dx + best.dy * best.dy
        if left < best.left || (left == best.left && isShorter) { best = (dx, dy, left) }
      }
    }
    return (best.dx, best.dy)
  }

  /// Returns the mean squared difference where the planes overlap after the shift.
  ///
  /// Shifts are at most a third of the picture's shorter side, so the overlap is never empty.
  func squaredDifference(from other: LumaPlane, dx: Int, dy: Int) -> Double {
    let columns = max(0, -dx)..<min(width, width - dx)
    let rows = max(0, -dy)..<min(height, height - dy)
    // A few thousand samples measure the shift as well as all do.
    let step = max(1, Int((Double(columns.count * rows.count) / 4096).squareRoot()))
    var (sum, count) = (0.0, 0)
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
        let difference = levels[(y + dy) * width + x + dx] - other.levels[y * width + x]
        sum += difference * difference
        count += 1
      }
    }
    return sum / Double(count)
  }

  /// Returns the central difference of fourth order.
  ///
  /// At a period of 7 pixels it is 2 % too small; the difference of second order is 13 % too small.
  @inline(__always) private func slope(_ at: Int, _ step: Int) -> Double {
    (8 * (levels[at + step] - levels[at - step]) - levels[at + 2 * step] + levels[at - 2 * step])
      / 12
  }

  /// Returns the rest of the shift, less than a pixel, and the mean squared difference that
  /// remains after it.
  func rest(from other: LumaPlane, dx: Int, dy: Int) -> (x: Double, y: Double, left: Double)? {
    let (left, top) = (max(2, 2 - dx), max(2, 2 - dy))
    let (right, bottom) = (min(width - 2, width - 2 - dx), min(height - 2, height - 2 - dy))
    guard left < right, top < bottom else { return nil }
    let (columns, rows) = (left..<right, top..<bottom)
    var (xx, xy, yy, xd, yd, dd) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for y in rows {
      for x in columns {
        let at = y * width + x
        let moved = (y + dy) * width + x + dx
        // The mean of both gradients cancels the error of second order.
        let gx = (other.slope(at, 1) + slope(moved, 1)) / 2
        let gy = (other.slope(at, width) + slope(moved, width)) / 2
        let difference = levels[moved] - other.levels[at]
        xx += gx * gx
        xy += gx * gy
        yy += gy * gy
        xd += gx * difference
        yd += gy * difference
        dd += difference * difference
      }
    }
    // The smaller eigenvalue measures the structure along the weaker direction. Rounding to whole
    // levels leaves an error of 0.15 levels in a smoothed difference, so a sum of 12 squared levels
    // keeps the error of the shift within 0.15 / sqrt(12) = 0.04 px.
    let least = (xx + yy) / 2 - ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    guard least >= 12 else { return nil }
    let determinant = xx * yy - xy * xy
    let x = -(yy * xd - xy * yd) / determinant
    let y = -(xx * yd - xy * xd) / determinant
    let remaining = (dd + x * xd + y * yd) / Double(columns.count * rows.count)
    return (x, y, remaining)
  }
}
