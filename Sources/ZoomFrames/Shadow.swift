internal import ZoomGeometry

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The shadow of a rectangle, or of the line around one.
struct ShadowShape: Shape {
  private typealias Lanes = ShadowProfile.Lanes

  let bounds: PixelRegion
  private let opacity: Float
  private let across: Axis
  private let down: Axis
  /// The columns in which every lane is whole, so that a row has one value; empty if turned.
  private let core: Range<Int>
  /// Whether columns run along `across` and rows along `down`.
  private let isAligned: Bool

  /// Creates the shadow of a rounded rectangle, mapped to the screen; nil if it is not visible.
  init?(
    _ shadow: Shadow?, of rect: ViewRect, cornerRadius: Double, _ map: Affine, opacity: Double,
    on screen: Screen
  ) {
    guard let shadow, let space = RectangleSpace(rect, cornerRadius: cornerRadius, map) else {
      return nil
    }
    // Columns run along v if the rectangle lies on its side.
    let upright = space.across.x == 0 && space.down.y == 0 ? space.transposed : space
    self.init(
      shadow, ShadowProfile(upright, sigma: max(0, shadow.radius) * screen.scale), upright,
      box: map.boundingBox(of: rect), opacity: opacity, on: screen)
  }

  /// Creates the shadow of a line whose numbers are in points; nil if it is not visible.
  init?(_ shadow: Shadow?, ofOutline rect: ViewRect, width: Double, on screen: Screen) {
    guard let shadow, width > 0,
      let space = RectangleSpace(
        rect.grown(by: width / 2), cornerRadius: 0, .scale(screen.scale))
    else { return nil }
    let line = width * screen.scale
    let profile = ShadowProfile(
      outer: space.half, inner: (space.half.u - line, space.half.v - line),
      sigma: max(0, shadow.radius) * screen.scale)
    self.init(
      shadow, profile, space, box: rect.grown(by: width / 2).scaled(by: screen.scale), opacity: 1,
      on: screen)
  }

  private init?(
    _ shadow: Shadow, _ profile: ShadowProfile, _ space: RectangleSpace, box: ViewRect,
    opacity: Double, on screen: Screen
  ) {
    let strength = min(max(shadow.opacity, 0), 1) * min(max(opacity, 0), 1)
    let offset = (x: shadow.offset.x * screen.scale, y: shadow.offset.y * screen.scale)
    let moved = ViewRect(
      x: box.x + offset.x, y: box.y + offset.y, width: box.width, height: box.height)
    guard strength > 0, profile.sigma.isFinite,
      let touched = screen.touched(by: moved.grown(by: profile.reach))
    else { return nil }
    bounds = touched
    self.opacity = Float(strength)
    let space = space.moved(by: offset)
    isAligned = space.across.y == 0 && space.down.x == 0
    if isAligned {
      across = Axis(bounds.columns, space.across.x, space.across.start, profile.across)
      down = Axis(bounds.rows, space.down.y, space.down.start, profile.down)
      core = Self.core(bounds.columns, space, profile.flat)
    } else {
      across = Axis(bounds, space.across, profile.sigma, profile.across)
      down = Axis(bounds, space.down, profile.sigma, profile.down)
      core = bounds.x..<bounds.x
    }
  }

  /// Returns the columns with flat centres: |u| <= flat, where u = slope x + start and slope is ±1.
  private static func core(
    _ columns: Range<Int>, _ space: RectangleSpace, _ flat: Double
  ) -> Range<Int> {
    let none = columns.lowerBound..<columns.lowerBound
    let middle = -space.across.start / space.across.x
    guard flat > 0, middle.isFinite else { return none }
    let edges = (Double(columns.lowerBound), Double(columns.upperBound))
    let first = Int(min(max((middle - flat).rounded(.up), edges.0), edges.1))
    let end = Int(min(max((middle + flat).rounded(.down), edges.0), edges.1))
    return first < end ? first..<end : none
  }

  func cover(row: Int, _ coverage: inout CoverageRow) {
    coverage.columns = bounds.columns
    coverage.inside = core
    if isAligned {
      let part = down[row - bounds.y] * opacity
      coverage.insideValue = CoverageRow.coverage(Double(part.sum()))
      for side in [bounds.x..<core.lowerBound, core.upperBound..<bounds.maxX] {
        for column in side {
          coverage[column] = CoverageRow.coverage(Double((across[column - bounds.x] * part).sum()))
        }
      }
    } else {
      for column in bounds.columns {
        let part = across[column, row] * down[column, row]
        coverage[column] = CoverageRow.coverage(Double(part.sum() * opacity))
      }
    }
  }
}

extension ShadowShape {
  /// The blurred lanes along one axis, computed once for all pixels.
  private struct Axis: Sendable {
    private let entries: [ShadowProfile.Lanes]
    /// The map from a place on the screen to the index of an entry, before rounding.
    private let slope: (x: Double, y: Double, start: Double)

    /// Creates one entry for each column or row.
    init(
      _ pixels: Range<Int>, _ slope: Double, _ start: Double,
      _ profile: (Double) -> ShadowProfile.Lanes
    ) {
      entries = pixels.map { profile(slope * (Double($0) + 0.5) + start) }
      self.slope = (0, 0, 0)
    }

    /// Creates sufficiently dense entries for an oblique axis.
    ///
    /// The steepest slope is 0.4 / sigma, so half an entry of 1/32 sigma is off by at most 1.6 of
    /// 255 levels. A wide and hard shadow that needs more than 2^14 entries is less exact.
    init(
      _ bounds: PixelRegion, _ axis: (x: Double, y: Double, start: Double), _ sigma: Double,
      _ profile: (Double) -> ShadowProfile.Lanes
    ) {
      let places = [bounds.x, bounds.maxX].flatMap { x in
        [bounds.y, bounds.maxY].map { y in axis.x * Double(x) + axis.y * Double(y) + axis.start }
      }
      let low = places.min() ?? 0
      let length = (places.max() ?? 0) - low
      let step = max(sigma / 32, length / 0x1p14)
      let count = Int(min(length / step, 0x1p14)) + 1
      entries = (0..<count).map { profile(low + Double($0) * step) }
      // One half turns truncation into rounding; the other is the pixel's centre.
      slope = (
        axis.x / step, axis.y / step,
        (axis.start + (axis.x + axis.y) / 2 - low) / step + 0.5
      )
    }

    subscript(entry: Int) -> ShadowProfile.Lanes { entries[entry] }

    subscript(column: Int, row: Int) -> ShadowProfile.Lanes {
      let place = slope.x * Double(column) + slope.y * Double(row) + slope.start
      // For a rectangle 1e300 pixels wide, rounding errors exceed the screen, so clamp first.
      return entries[Int(min(max(place, 0), Double(entries.count - 1)))]
    }
  }
}

extension RectangleSpace {
  fileprivate var transposed: RectangleSpace {
    RectangleSpace(across: down, down: across, half: (half.v, half.u), radius: (radius.v, radius.u))
  }

  fileprivate func moved(by offset: (x: Double, y: Double)) -> RectangleSpace {
    let move = { (axis: (x: Double, y: Double, start: Double)) in
      (axis.x, axis.y, axis.start - axis.x * offset.x - axis.y * offset.y)
    }
    return RectangleSpace(across: move(across), down: move(down), half: half, radius: radius)
  }
}

/// The Gaussian blur of intervals, from a table of the Gaussian's integral.
///
/// A blurred rectangle is the product of two blurred intervals. A rounded rectangle is a sum of
/// rectangles: its middle, and strips of equal angles of the corners, each with the inset of its
/// middle angle. As lanes of one vector, they take one product and one sum per pixel.
struct ShadowProfile: Sendable {
  typealias Lanes = SIMD16<Float>

  /// One rectangle of the sum: half of its width, and the intervals of its height.
  private struct Lane {
    let half: Double
    let pieces: [Range<Double>]
    let weight: Float
  }

  private let lanes: [Lane]
  /// The standard deviation in pixels.
  let sigma: Double
  /// The distance from the middle, in pixels, up to which every lane is whole.
  let flat: Double

  init(_ space: RectangleSpace, sigma: Double) {
    let (half, radius) = (space.half, space.radius)
    var lanes = [
      Lane(
        half: half.u, pieces: [-half.v + radius.v..<max(half.v - radius.v, -half.v + radius.v)],
        weight: 1)
    ]
    let strips = radius.v > 0 ? Lanes.scalarCount - 1 : 0
    for strip in 0..<strips {
      // The depth and the inset of an ellipse at an angle from the corner's topmost point.
      let angle = { (number: Double) in number / Double(strips) * .pi / 2 }
      let top = -half.v + radius.v * (1 - cos(angle(Double(strip))))
      let bottom = -half.v + radius.v * (1 - cos(angle(Double(strip + 1))))
      let inset = radius.u * (1 - sin(angle(Double(strip) + 0.5)))
      lanes.append(
        Lane(
          half: half.u - inset, pieces: [top..<max(top, bottom), -bottom..<max(-bottom, -top)],
          weight: 1))
    }
    self.init(lanes, sigma: sigma, flat: half.u - radius.u)
  }

  init(outer: (u: Double, v: Double), inner: (u: Double, v: Double), sigma: Double) {
    let lanes = [(outer, Float(1)), (inner, Float(-1))]
      .filter { $0.0.u > 0 && $0.0.v > 0 }
      .map { Lane(half: $0.0.u, pieces: [-$0.0.v..<$0.0.v], weight: $0.1) }
    self.init(lanes, sigma: sigma, flat: min(inner.u, outer.u))
  }

  private init(_ lanes: [Lane], sigma: Double, flat: Double) {
    self.lanes = lanes
    // A pixel is a square, whose variance of 1/12 adds to the blur's.
    self.sigma = (sigma * sigma + 1.0 / 12).squareRoot()
    self.flat = flat - Self.reach * self.sigma
  }

  /// The distance that the blur reaches beyond the shape, in pixels.
  var reach: Double { Self.reach * sigma }

  /// In standard deviations: the part of a Gaussian beyond, 0.0013, is a third of 1/255.
  private static let reach = 3.0

  /// Returns the share of each lane at a place across the shape.
  func across(_ u: Double) -> Lanes {
    var values = Lanes.zero
    for (number, lane) in lanes.enumerated() {
      values[number] = share(u, -lane.half..<max(lane.half, -lane.half))
    }
    return values
  }

  /// Returns the weighted share of each lane at a place down the shape.
  func down(_ v: Double) -> Lanes {
    var values = Lanes.zero
    for (number, lane) in lanes.enumerated() {
      values[number] = lane.weight * lane.pieces.reduce(0) { $0 + share(v, $1) }
    }
    return values
  }

  private func share(_ place: Double, _ interval: Range<Double>) -> Float {
    Self.below((place - interval.lowerBound) / sigma)
      - Self.below((place - interval.upperBound) / sigma)
  }

  /// Returns the normal distribution, cut off at the reach and scaled to the range 0...1.
  private static func below(_ deviations: Double) -> Float {
    guard deviations > -reach else { return 0 }
    guard deviations < reach else { return 1 }
    let place = (deviations + reach) / (2 * reach) * Double(entries)
    let entry = min(Int(place), entries - 1)
    return table[entry] + Float(place - Double(entry)) * (table[entry + 1] - table[entry])
  }

  /// With entries 6/512 apart, linear interpolation is off by at most 0.24 / 8 * (6/512)² = 4e-6.
  private static let entries = 512
  private static let table: [Float] = {
    let normal = { (deviations: Double) in 0.5 * (1 + erf(deviations / 2.0.squareRoot())) }
    let least = normal(-reach)
    return (0...entries).map { entry in
      let value = normal((Double(entry) / Double(entries) * 2 - 1) * reach)
      return Float((value - least) / (1 - 2 * least))
    }
  }()
}
