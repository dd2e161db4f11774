internal import RealModule
internal import ZoomGeometry

/// The shadow of a rounded rectangle, or of a line along its border.
struct ShadowShape: Shape {
  let bounds: PixelRegion
  private let space: RectangleSpace
  private let opacity: Double
  private let outer: BlurredRectangle
  /// The blurred rectangle inside of a line.
  private let inner: BlurredRectangle?

  /// Creates the shadow of a rectangle, mapped to the viewport; nil if it is not visible.
  ///
  /// If `line` is finite, only a line of that width in points, inside of the border, has a shadow.
  init?(
    _ shadow: Shadow?, of rect: ViewRect, cornerRadius: Double, _ map: Affine, opacity: Double,
    line: Double = .infinity, on screen: Screen
  ) {
    guard let shadow, line > 0 else { return nil }
    let map = map.then(.translation(x: shadow.offset.x, y: shadow.offset.y))
      .then(.scale(screen.scale))
    let blur = max(0, shadow.radius) * screen.scale
    // A pixel is a square, whose variance of 1/12 adds to the blur's.
    let sigma = (blur * blur + 1.0 / 12).squareRoot()
    let strength = min(max(shadow.opacity, 0), 1) * min(max(opacity, 0), 1)
    guard strength > 0, sigma.isFinite,
      let space = RectangleSpace(rect, cornerRadius: cornerRadius, map),
      let touched = screen.touched(
        by: map.boundingBox(of: rect).grown(by: BlurredRectangle.reach * sigma)),
      let outer = BlurredRectangle(space, inset: 0, sigma: sigma)
    else { return nil }
    bounds = touched
    self.space = space
    self.opacity = strength
    self.outer = outer
    inner = BlurredRectangle(space, inset: line * screen.scale, sigma: sigma)
  }

  func cover(row: Int, _ coverage: inout CoverageRow) {
    // The outer rectangle's blur is constant wherever the inner one's is.
    let constant = (inner ?? outer).constant
    // Along the edges of the screen, a row has one u or one v.
    let isFixed = (u: space.across.x == 0, v: space.down.x == 0)
    coverage.set(bounds.columns) { column in
      let u = space.across.place(column: column, row: row)
      let v = space.down.place(column: column, row: row)
      let share = outer.coverage(u: u, v: v) - (inner?.coverage(u: u, v: v) ?? 0)
      return (
        CoverageRow.coverage(Double(share) * opacity),
        (isFixed.u || abs(u) <= constant.u) && (isFixed.v || abs(v) <= constant.v)
      )
    }
  }
}

/// A blurred rounded rectangle, as a table of the part of a quarter in which it varies.
///
/// The blur of a sharp rectangle is the product of two blurred intervals. A rounded rectangle is a
/// sum of sharp ones: its middle, and strips of equal angles of the corners, each with the inset of
/// its middle angle. The error is below 4 of 255 levels: 1 for the interpolation, 0.7 for the cut-off,
/// 1.3 for the strips and 0.5 for rounding.
struct BlurredRectangle: Sendable {
  private let across: Axis
  private let down: Axis
  /// The coverage at the places of both axes, row by row.
  private let table: [Float]

  /// The distance that the blur reaches beyond the shape, in standard deviations.
  ///
  /// The part of a Gaussian beyond, 0.0013, is a third of 1/255.
  static let reach = 3.0

  /// Blurs a rectangle, inset in pixels; nil if nothing is left of it.
  ///
  /// On the arc, strips are at most (pi / 2) * sigma long; the blur multiplies a pattern of that
  /// period by exp(-8). A strip of the angle a is off its arc by at most radius a² / 12, here
  /// sigma / 78, and a blurred edge has a slope of 0.4 / sigma. A corner wider than 58 sigma has a
  /// coarser table, and one wider than 64 sigma also longer strips, so they are less exact.
  init?(_ space: RectangleSpace, inset: Double, sigma: Double) {
    guard space.across.half > inset, space.down.half > inset else { return nil }
    let across = Axis(space.across, inset: inset, sigma: sigma)
    let down = Axis(space.down, inset: inset, sigma: sigma)
    var table = [Float](repeating: 0, count: across.count * down.count)
    func add(_ width: [Float], _ height: [Float]) {
      for row in 0..<down.count {
        for column in 0..<across.count {
          table[row * across.count + column] += height[row] * width[column]
        }
      }
    }
    var height = down.blurred(inset: 0)
    let radii = max(across.radius, down.radius) / sigma
    let strips = radii > 0 ? Int(min(max(16, radii.rounded(.up)), 64)) : 0
    let angle = Double.pi / 2 / Double(strips)
    for strip in 0..<strips {
      let inset = across.radius * (1 - Double.sin((Double(strip) + 0.5) * angle))
      let rest = down.blurred(inset: down.radius * (1 - Double.cos(Double(strip + 1) * angle)))
      add(across.blurred(inset: inset), zip(height, rest).map { $0 - $1 })
      height = rest
    }
    add(across.blurred(inset: 0), height)
    (self.across, self.down, self.table) = (across, down, table)
  }

  /// The distances from the centre up to which the coverage does not depend on u and on v.
  var constant: (u: Double, v: Double) { (across.half - across.depth, down.half - down.depth) }

  /// Returns the coverage at (u, v), interpolated linearly.
  @inline(__always)
  func coverage(u: Double, v: Double) -> Float {
    let (column, right) = across.entry(at: u)
    let (row, below) = down.entry(at: v)
    let (first, second) = (row * across.count + column, (row + 1) * across.count + column)
    let upper = table[first] + right * (table[first + 1] - table[first])
    let lower = table[second] + right * (table[second + 1] - table[second])
    return upper + below * (lower - upper)
  }
}

extension BlurredRectangle {
  /// The places of a table along one axis, from a depth inside of the edge outwards.
  private struct Axis: Sendable {
    /// Half of the rectangle's side.
    let half: Double
    let radius: Double
    /// The depth from which on, towards the centre, the blur is constant; at most `half`.
    let depth: Double
    let count: Int
    private let sigma: Double
    private let step: Double

    /// Creates sufficiently dense places.
    ///
    /// The Gaussian's slope changes by at most 0.242 / sigma², so linear interpolation between
    /// places sigma / 4 apart is off by at most 0.242 / 8 / 4² = 0.0019: half of a level of 255.
    init(_ axis: RectangleSpace.Axis, inset: Double, sigma: Double) {
      self.sigma = sigma
      (half, radius) = (axis.half - inset, max(0, axis.radius - inset))
      let reach = BlurredRectangle.reach * sigma
      depth = min(half, radius + reach)
      step = max(sigma / 4, (depth + reach) / 256)
      count = Int(((depth + reach) / step).rounded(.up)) + 1
    }

    /// Returns the blur of an interval, inset at both ends, at every place.
    func blurred(inset: Double) -> [Float] {
      (0..<count).map { number in
        let distance = depth - Double(number) * step - inset
        let opposite = 2 * (half - inset) - distance
        return Float(below(distance / sigma) + below(opposite / sigma) - 1)
      }
    }

    /// Returns the normal distribution, cut off at the reach and scaled to the range 0...1.
    private func below(_ deviations: Double) -> Double {
      let most = Double.erf(BlurredRectangle.reach / 2.0.squareRoot())
      return (1 + min(max(-1, Double.erf(deviations / 2.0.squareRoot()) / most), 1)) / 2
    }

    /// Returns the last entry before a place, and the place's distance from it in entries.
    @inline(__always)
    func entry(at place: Double) -> (number: Int, rest: Float) {
      // A place may be 1e300 pixels away; in this order of arguments, `max` drops NaN.
      let entries = min(max(0, (abs(place) - half + depth) / step), Double(count - 1))
      let number = min(Int(entries), count - 2)
      return (number, Float(entries - Double(number)))
    }
  }
}
