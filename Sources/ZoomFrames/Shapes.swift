internal import ZoomGeometry

/// The coverage of one row of the screen by a shape, of 255 for each column.
///
/// The inside of a shape, most of a row, has one value, stored separately. Used by one thread.
@safe struct CoverageRow: ~Copyable {
  private let values: UnsafeMutablePointer<UInt8>
  private let width: Int
  var columns = 0..<0
  /// The columns that all have the coverage `insideValue`.
  var inside = 0..<0
  var insideValue: UInt8 = 0

  init(width: Int) {
    self.width = width
    unsafe values = UnsafeMutablePointer<UInt8>.allocate(capacity: width)
  }

  deinit { unsafe values.deallocate() }

  /// The coverage of a column that is touched and not inside.
  subscript(column: Int) -> UInt8 {
    get {
      assert((0..<width).contains(column))
      return unsafe values[column]
    }
    set {
      assert((0..<width).contains(column))
      unsafe values[column] = newValue
    }
  }

  /// Converts a fraction to a coverage, rounded to the nearest; 0 for NaN.
  @inline(__always)
  static func coverage(_ fraction: Double) -> UInt8 {
    fraction > 0 ? UInt8(min(fraction, 1) * 255 + 0.5) : 0
  }

  /// A fraction that rounds to full coverage: 255 * (1 - 1/1024) is 254.75.
  static let full = 1 - 1.0 / 1024
}

protocol Shape: Sendable {
  /// The pixels of the screen that the shape may touch.
  var bounds: PixelRegion { get }

  /// Sets the coverage of one of the bounds' rows.
  func cover(row: Int, _ coverage: inout CoverageRow)
}

extension PixelRegion {
  var columns: Range<Int> { x..<maxX }
  var rows: Range<Int> { y..<maxY }
}

/// A rectangle under an affine map, in screen pixels.
///
/// Its coordinates (u, v) are a place's distances from the centre, in screen pixels along the
/// normals of the edges. If the map skews, corners and shadows are approximate.
struct RectangleSpace: Sendable {
  /// u = across.x X + across.y Y + across.start, for (X, Y) on the screen in pixels.
  let across: (x: Double, y: Double, start: Double)
  let down: (x: Double, y: Double, start: Double)
  let half: (u: Double, v: Double)
  /// The corners' radii along both axes in screen pixels, at most half of the sides.
  let radius: (u: Double, v: Double)

  /// Returns the covered part, from 0 to 1, of a pixel whose centre is at (u, v).
  ///
  /// At a straight edge it is computed from the centre's signed distance; the parts for both axes
  /// are multiplied. This is exact for edges along the screen's, even if slivers are thinner than a
  /// pixel. In a corner, the distance from the arc is approximated to the first order.
  @inline(__always)
  func coverage(u: Double, v: Double) -> Double {
    let (beyondU, beyondV) = (abs(u) - half.u, abs(v) - half.v)
    if beyondU > -radius.u, beyondV > -radius.v, radius.u > 0 {
      return cornerCoverage(beyondU + radius.u, beyondV + radius.v)
    }
    return Self.between(u, half.u) * Self.between(v, half.v)
  }

  /// Returns the part of a pixel between -half and half.
  @inline(__always)
  private static func between(_ place: Double, _ half: Double) -> Double {
    let left = min(max(half + place + 0.5, 0), 1)
    let right = min(max(half - place + 0.5, 0), 1)
    return max(0, left + right - 1)
  }

  /// Returns the coverage in a corner by f / |grad f|, where f = (u / ru)² + (v / rv)² - 1.
  private func cornerCoverage(_ u: Double, _ v: Double) -> Double {
    let (x, y) = (u / radius.u, v / radius.v)
    let length = (x * x + y * y).squareRoot()
    guard length > 0 else { return 1 }
    let (slopeU, slopeV) = (x / radius.u, y / radius.v)
    let slope = (slopeU * slopeU + slopeV * slopeV).squareRoot() / length
    return min(max(0.5 - (length - 1) / slope, 0), 1)
  }
}

extension RectangleSpace {
  /// Maps a rectangle to screen pixels; nil if it is squeezed to a line or a number is not finite.
  init?(_ rect: ViewRect, cornerRadius: Double, _ map: Affine) {
    guard let inverse = map.inverted(), rect.width > 0, rect.height > 0 else { return nil }
    // The slope of the rectangle's coordinate on the screen: its units per pixel.
    let slope = (
      x: (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot(),
      y: (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    )
    let centre = (x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
    let radius = min(max(cornerRadius, 0), rect.width / 2, rect.height / 2)
    self.init(
      across: (inverse.a / slope.x, inverse.c / slope.x, (inverse.tx - centre.x) / slope.x),
      down: (inverse.b / slope.y, inverse.d / slope.y, (inverse.ty - centre.y) / slope.y),
      half: (rect.width / 2 / slope.x, rect.height / 2 / slope.y),
      radius: (radius / slope.x, radius / slope.y))
    let numbers = [across.x, across.y, across.start, down.x, down.y, down.start, half.u, half.v]
    guard (numbers + [self.radius.u, self.radius.v]).allSatisfy(\.isFinite) else { return nil }
  }
}

struct RoundedRectangle: Shape {
  let bounds: PixelRegion
  private let space: RectangleSpace
  private let opacity: Double

  init?(
    _ rect: ViewRect, cornerRadius: Double, _ map: Affine, opacity: Double, on screen: Screen
  ) {
    guard let space = RectangleSpace(rect, cornerRadius: cornerRadius, map),
      let touched = screen.touched(by: map.boundingBox(of: rect))
    else { return nil }
    self.space = space
    self.opacity = min(max(opacity, 0), 1)
    bounds = touched
  }

  /// Computes pixels from both sides to the first full one; the others are full, by convexity.
  func cover(row: Int, _ coverage: inout CoverageRow) {
    let columns = bounds.columns
    let y = Double(row) + 0.5
    let startU = space.across.y * y + space.across.start
    let startV = space.down.y * y + space.down.start
    var left = columns.lowerBound
    var right = columns.upperBound
    while left < right {
      let part = value(left, startU, startV)
      if part >= CoverageRow.full { break }
      coverage[left] = CoverageRow.coverage(part * opacity)
      left += 1
    }
    while right > left {
      let part = value(right - 1, startU, startV)
      if part >= CoverageRow.full { break }
      coverage[right - 1] = CoverageRow.coverage(part * opacity)
      right -= 1
    }
    coverage.columns = columns
    coverage.inside = left..<right
    coverage.insideValue = CoverageRow.coverage(opacity)
  }

  @inline(__always)
  private func value(_ column: Int, _ startU: Double, _ startV: Double) -> Double {
    let x = Double(column) + 0.5
    return space.coverage(u: space.across.x * x + startU, v: space.down.x * x + startV)
  }
}

/// A line centred on the border of a rectangle along the screen's edges, with sharp corners.
struct RectangleOutline: Shape {
  let bounds: PixelRegion
  /// The line's outer and inner edge, in screen pixels.
  private let outer, inner: ViewRect

  init?(_ rect: ViewRect, width: Double, on screen: Screen) {
    let (outer, inner) = (rect.grown(by: width / 2), rect.grown(by: -width / 2))
    guard width > 0, rect.width >= 0, rect.height >= 0,
      let touched = screen.touched(by: outer.scaled(by: screen.scale))
    else { return nil }
    self.outer = outer.scaled(by: screen.scale)
    // A line wider than the rectangle fills it.
    self.inner = inner.scaled(by: screen.scale)
    bounds = touched
  }

  /// Subtracts the inner rectangle's coverage from the outer's; both are products, so it is exact.
  func cover(row: Int, _ coverage: inout CoverageRow) {
    let columns = bounds.columns
    let outerRow = outer.down(row)
    let innerRow = inner.down(row)
    // All columns in the middle of both have the same coverage.
    let core = inner.core.clamped(to: columns)
    for part in [columns.lowerBound..<core.lowerBound, core.upperBound..<columns.upperBound] {
      for column in part {
        coverage[column] = CoverageRow.coverage(
          outer.across(column) * outerRow - inner.across(column) * innerRow)
      }
    }
    coverage.columns = columns
    coverage.inside = core
    coverage.insideValue = CoverageRow.coverage(outerRow - innerRow)
  }
}

extension ViewRect {
  /// Returns the part of a column that is between the left and the right edge.
  fileprivate func across(_ column: Int) -> Double { Self.share(column, x, maxX) }

  /// Returns the part of a row that is between the top and the bottom edge.
  fileprivate func down(_ row: Int) -> Double { Self.share(row, y, maxY) }

  private static func share(_ pixel: Int, _ from: Double, _ to: Double) -> Double {
    max(0, min(Double(pixel) + 1, to) - max(Double(pixel), from))
  }

  /// The columns that are wholly between the edges; empty without any.
  fileprivate var core: Range<Int> {
    // Clamped to the largest screen before the conversion to integers.
    let limit = Double(Screen.maximumSide)
    let first = Int(min(max(x.rounded(.up), 0), limit))
    let end = Int(min(max(maxX.rounded(.down), 0), limit))
    return first < end ? first..<end : 0..<0
  }

  func grown(by margin: Double) -> ViewRect {
    ViewRect(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  func scaled(by factor: Double) -> ViewRect {
    ViewRect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}
