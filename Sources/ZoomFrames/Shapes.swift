internal import ZoomGeometry

/// The coverage of each pixel of one row of the screen by a shape, from 0 to 255.
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

  /// Sets columns to a function's values, from both sides to the first column inside.
  ///
  /// The columns inside must be contiguous and have one value.
  @inline(__always)
  mutating func set(
    _ columns: Range<Int>, _ value: (_ column: Int) -> (coverage: UInt8, isInside: Bool)
  ) {
    var (left, right) = (columns.lowerBound, columns.upperBound)
    while left < right {
      let (coverage, isInside) = value(left)
      insideValue = coverage
      if isInside { break }
      self[left] = coverage
      left += 1
    }
    while right > left {
      let (coverage, isInside) = value(right - 1)
      if isInside { break }
      self[right - 1] = coverage
      right -= 1
    }
    (self.columns, inside) = (columns, left..<right)
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
  /// One of the coordinates, and the rectangle along it.
  struct Axis: Sendable {
    /// The coordinate is x X + y Y + start, for (X, Y) on the screen in pixels.
    let x, y, start: Double
    /// Half of the rectangle's side in screen pixels.
    let half: Double
    /// The radius of the corners in screen pixels, at most `half`.
    let radius: Double

    /// Returns the coordinate of the centre of a pixel.
    @inline(__always)
    func place(column: Int, row: Int) -> Double {
      // A loop over columns computes the second term once.
      x * (Double(column) + 0.5) + (y * (Double(row) + 0.5) + start)
    }

    /// Returns the part of a pixel between the edges.
    @inline(__always)
    fileprivate func part(_ place: Double) -> Double {
      let left = min(max(half + place + 0.5, 0), 1)
      let right = min(max(half - place + 0.5, 0), 1)
      return max(0, left + right - 1)
    }
  }

  /// The axes of u and of v.
  let across, down: Axis

  /// Maps a rectangle to screen pixels; nil if it is squeezed to a line or a number is not finite.
  init?(_ rect: ViewRect, cornerRadius: Double, _ map: Affine) {
    guard let inverse = map.inverted(), rect.width > 0, rect.height > 0 else { return nil }
    let radius = min(max(cornerRadius, 0), rect.width / 2, rect.height / 2)
    func axis(_ x: Double, _ y: Double, _ start: Double, side: Double) -> Axis? {
      // The slope of the rectangle's coordinate on the screen: its units per pixel.
      let slope = (x * x + y * y).squareRoot()
      let axis = Axis(
        x: x / slope, y: y / slope, start: start / slope, half: side / 2 / slope,
        radius: radius / slope)
      let numbers = [axis.x, axis.y, axis.start, axis.half, axis.radius]
      return numbers.allSatisfy(\.isFinite) ? axis : nil
    }
    let centre = rect.centre
    guard let across = axis(inverse.a, inverse.c, inverse.tx - centre.x, side: rect.width),
      let down = axis(inverse.b, inverse.d, inverse.ty - centre.y, side: rect.height)
    else { return nil }
    (self.across, self.down) = (across, down)
  }

  /// Returns the covered part, from 0 to 1, of a pixel whose centre is at (u, v).
  ///
  /// At a straight edge it is computed from the centre's signed distance; the parts for both axes
  /// are multiplied. This is exact for edges along the screen's, even if slivers are thinner than a
  /// pixel. In a corner, the distance from the arc is approximated to the first order.
  @inline(__always)
  func coverage(u: Double, v: Double) -> Double {
    let (beyondU, beyondV) = (abs(u) - across.half, abs(v) - down.half)
    if beyondU > -across.radius, beyondV > -down.radius, across.radius > 0 {
      return cornerCoverage(beyondU + across.radius, beyondV + down.radius)
    }
    return across.part(u) * down.part(v)
  }

  /// Returns the coverage in a corner by f / |grad f|, where f = (u / ru)² + (v / rv)² - 1.
  private func cornerCoverage(_ u: Double, _ v: Double) -> Double {
    let (x, y) = (u / across.radius, v / down.radius)
    let length = (x * x + y * y).squareRoot()
    guard length > 0 else { return 1 }
    let (slopeU, slopeV) = (x / across.radius, y / down.radius)
    let slope = (slopeU * slopeU + slopeV * slopeV).squareRoot() / length
    return min(max(0.5 - (length - 1) / slope, 0), 1)
  }
}

struct RoundedRectangle: Shape {
  let bounds: PixelRegion
  private let space: RectangleSpace
  private let opacity: Double

  /// Creates a rectangle, mapped to the viewport; nil if it is not visible.
  init?(
    _ rect: ViewRect, cornerRadius: Double, _ map: Affine, opacity: Double, on screen: Screen
  ) {
    let map = map.then(.scale(screen.scale))
    guard opacity > 0, let space = RectangleSpace(rect, cornerRadius: cornerRadius, map),
      let touched = screen.touched(by: map.boundingBox(of: rect))
    else { return nil }
    self.space = space
    self.opacity = min(opacity, 1)
    bounds = touched
  }

  /// Sets columns up to the first full one on both sides; those between are full, by convexity.
  func cover(row: Int, _ coverage: inout CoverageRow) {
    coverage.set(bounds.columns) { column in
      let part = space.coverage(
        u: space.across.place(column: column, row: row),
        v: space.down.place(column: column, row: row))
      let isFull = part >= CoverageRow.full
      return (CoverageRow.coverage(isFull ? opacity : part * opacity), isFull)
    }
  }
}

/// A line centred on the border of a rectangle along the screen's edges, with sharp corners.
struct RectangleOutline: Shape {
  let bounds: PixelRegion
  /// The line's outer and inner edge, in screen pixels.
  private let outer, inner: ViewRect

  init?(_ rect: ViewRect, width: Double, on screen: Screen) {
    outer = rect.grown(by: width / 2).scaled(by: screen.scale)
    // A line wider than the rectangle fills it.
    inner = rect.grown(by: -width / 2).scaled(by: screen.scale)
    guard width > 0, rect.width >= 0, rect.height >= 0, let touched = screen.touched(by: outer)
    else { return nil }
    bounds = touched
  }

  /// Subtracts the inner rectangle's coverage from the outer's; both are products, so it is exact.
  func cover(row: Int, _ coverage: inout CoverageRow) {
    func part(_ pixel: Int, _ from: Double, _ to: Double) -> Double {
      max(0, min(Double(pixel) + 1, to) - max(Double(pixel), from))
    }
    let outerRow = part(row, outer.y, outer.maxY)
    let innerRow = part(row, inner.y, inner.maxY)
    coverage.set(bounds.columns) { column in
      let outerPart = part(column, outer.x, outer.maxX)
      let innerPart = part(column, inner.x, inner.maxX)
      // All columns in the middle of both have the same coverage.
      return (CoverageRow.coverage(outerPart * outerRow - innerPart * innerRow), innerPart == 1)
    }
  }
}

extension ViewRect {
  func grown(by margin: Double) -> ViewRect {
    ViewRect(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  func scaled(by factor: Double) -> ViewRect {
    ViewRect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}
