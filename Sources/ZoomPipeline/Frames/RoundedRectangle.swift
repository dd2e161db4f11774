internal import ZoomGeometry

/// A rectangle under an affine map, as pixels of the screen see it.
///
/// Its own axes are measured in screen pixels along the normals of its edges: (u, v) of a place is
/// how far it lies right of and below the rectangle's centre. Where the map turns, mirrors and scales,
/// also unevenly, u and v are a turned screen; where it skews they are not at right angles, and
/// corners and shadows are approximate.
struct RectangleSpace: Sendable {
  /// u = across.x X + across.y Y + across.start, of the screen's (X, Y) in pixels.
  let across: (x: Double, y: Double, start: Double)
  let down: (x: Double, y: Double, start: Double)
  /// Half of the sides, in screen pixels.
  let half: (u: Double, v: Double)
  /// The corners' radii along both axes, in screen pixels; no more than half of the sides.
  let radius: (u: Double, v: Double)

  /// Looks at a rectangle through a map; nil when it is squeezed to a line or its numbers fail.
  /// - Parameters:
  ///   - rect: in its own space.
  ///   - cornerRadius: in its own space.
  ///   - map: from its own space to screen pixels.
  init?(_ rect: ViewRect, cornerRadius: Double, _ map: Affine) {
    guard let inverse = map.inverted(), rect.width > 0, rect.height > 0 else { return nil }
    // The slope of the own coordinate on the screen: own units a pixel.
    let slope = (
      x: (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot(),
      y: (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    )
    let centre = (x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
    let radius = min(max(cornerRadius, 0), rect.width / 2, rect.height / 2)
    across = (inverse.a / slope.x, inverse.c / slope.x, (inverse.tx - centre.x) / slope.x)
    down = (inverse.b / slope.y, inverse.d / slope.y, (inverse.ty - centre.y) / slope.y)
    half = (rect.width / 2 / slope.x, rect.height / 2 / slope.y)
    self.radius = (radius / slope.x, radius / slope.y)
    let numbers = [across.x, across.y, across.start, down.x, down.y, down.start, half.u, half.v]
    guard numbers.allSatisfy(\.isFinite), self.radius.u.isFinite, self.radius.v.isFinite else {
      return nil
    }
  }

  /// How much is covered, from 0 to 1, of a pixel whose centre is at (u, v).
  ///
  /// Along a straight edge the signed distance of the centre from it, exact for edges along the
  /// screen's; where both pairs of edges cut a pixel, the product of what each leaves, exact for those
  /// too, and for slivers thinner than a pixel. In a corner the distance from its arc, to the first
  /// order.
  @inline(__always)
  func coverage(u: Double, v: Double) -> Double {
    let (beyondU, beyondV) = (abs(u) - half.u, abs(v) - half.v)
    if beyondU > -radius.u, beyondV > -radius.v, radius.u > 0 {
      return cornerCoverage(beyondU + radius.u, beyondV + radius.v)
    }
    return Self.between(u, half.u) * Self.between(v, half.v)
  }

  /// What of a pixel lies between -half and half.
  @inline(__always)
  private static func between(_ place: Double, _ half: Double) -> Double {
    let left = min(max(half + place + 0.5, 0), 1)
    let right = min(max(half - place + 0.5, 0), 1)
    return max(0, left + right - 1)
  }

  /// The coverage in a corner, by f / |grad f| of the ellipse f = (u / ru)² + (v / rv)² - 1.
  private func cornerCoverage(_ u: Double, _ v: Double) -> Double {
    let (x, y) = (u / radius.u, v / radius.v)
    let length = (x * x + y * y).squareRoot()
    guard length > 0 else { return 1 }
    let (slopeU, slopeV) = (x / radius.u, y / radius.v)
    let slope = (slopeU * slopeU + slopeV * slopeV).squareRoot() / length
    return min(max(0.5 - (length - 1) / slope, 0), 1)
  }
}

/// A filled rectangle with round corners, antialiased.
struct RoundedRectangle: Shape {
  let bounds: PixelBox?
  private let space: RectangleSpace
  private let opacity: Double

  /// Makes the shape; nil when nothing of it is on the screen.
  /// - Parameters:
  ///   - rect: in its own space.
  ///   - cornerRadius: in its own space.
  ///   - map: from its own space to screen pixels.
  ///   - opacity: 0 ... 1.
  ///   - screen: what is drawn on.
  init?(
    _ rect: ViewRect, cornerRadius: Double, _ map: Affine, opacity: Double, on screen: Screen
  ) {
    guard let space = RectangleSpace(rect, cornerRadius: cornerRadius, map),
      let touched = screen.touched(by: map.boundingBox(of: rect))
    else { return nil }
    self.space = space
    self.opacity = min(max(opacity, 0), 1)
    bounds = PixelBox(touched)
  }

  /// From the left to the first pixel that is full, and from the right: what lies between is full too,
  /// for the shape is convex.
  func cover(row: Int, _ coverage: inout CoverageRow) {
    guard let columns = bounds?.columns else { return }
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

extension PixelBox {
  /// The pixels of a region.
  init(_ region: PixelRegion) {
    columns = region.x..<region.maxX
    rows = region.y..<region.maxY
  }
}
