internal import ZoomGeometry

/// The shadow of a rectangle or of the line around one.
struct ShadowShape: Shape {
  private typealias Lanes = ShadowProfile.Lanes

  let bounds: PixelBox?
  private let opacity: Float
  private let across: Axis
  private let down: Axis
  /// Columns in which every lane is whole, so that a row has one value; empty under a turn.
  private let core: Range<Int>
  /// Whether columns are places across and rows are places down.
  private let isAligned: Bool

  /// The shadow of a rectangle with round corners; nil when nothing of it is on the screen.
  /// - Parameters:
  ///   - shadow: how it falls; nil for none.
  ///   - rect: in its own space.
  ///   - cornerRadius: in its own space.
  ///   - map: from its own space to screen pixels.
  ///   - opacity: of what throws the shadow.
  ///   - screen: what is drawn on.
  init?(
    _ shadow: Shadow?, of rect: ViewRect, cornerRadius: Double, _ map: Affine, opacity: Double,
    on screen: Screen
  ) {
    guard let shadow, let space = RectangleSpace(rect, cornerRadius: cornerRadius, map) else {
      return nil
    }
    // Of a rectangle on its side, columns go along v.
    let upright = space.across.x == 0 && space.down.y == 0 ? space.transposed : space
    self.init(
      shadow, ShadowProfile(upright, sigma: max(0, shadow.radius) * screen.scale), upright,
      box: map.boundingBox(of: rect), opacity: opacity, on: screen)
  }

  /// The shadow of a line; nil when nothing of it is on the screen.
  /// - Parameters:
  ///   - shadow: how it falls; nil for none.
  ///   - rect: in points.
  ///   - width: of the line, in points.
  ///   - screen: what is drawn on.
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
    let bounds = PixelBox(touched)
    self.bounds = bounds
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
      core = bounds.columns.lowerBound..<bounds.columns.lowerBound
    }
  }

  /// The columns whose centres are flat: |u| <= flat, where u = slope x + start and slope is ±1.
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
    guard let bounds else { return }
    coverage.columns = bounds.columns
    coverage.inside = core
    if isAligned {
      let part = down[row - bounds.rows.lowerBound] * opacity
      coverage.insideValue = CoverageRow.coverage(Double(part.sum()))
      let first = bounds.columns.lowerBound
      for column in first..<core.lowerBound {
        coverage[column] = CoverageRow.coverage(Double((across[column - first] * part).sum()))
      }
      for column in core.upperBound..<bounds.columns.upperBound {
        coverage[column] = CoverageRow.coverage(Double((across[column - first] * part).sum()))
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
  /// The blurred lanes along one axis, made once for all pixels.
  private struct Axis: Sendable {
    private let entries: [ShadowProfile.Lanes]
    /// The entry of a place on the screen, before rounding.
    private let slope: (x: Double, y: Double, start: Double)

    /// One entry for each of the columns, or rows.
    init(
      _ pixels: Range<Int>, _ slope: Double, _ start: Double,
      _ profile: (Double) -> ShadowProfile.Lanes
    ) {
      entries = pixels.map { profile(slope * (Double($0) + 0.5) + start) }
      self.slope = (0, 0, 0)
    }

    /// Entries close enough for an axis that runs askew.
    ///
    /// The steepest slope is 0.4 / sigma, so 1/32 of a sigma is half an entry off by 1.6 of 255 levels
    /// at most. Of 2^14 entries a shadow that needs more, one wide and hard, makes do with what it gets.
    init(
      _ bounds: PixelBox, _ axis: (x: Double, y: Double, start: Double), _ sigma: Double,
      _ profile: (Double) -> ShadowProfile.Lanes
    ) {
      let places = [bounds.columns.lowerBound, bounds.columns.upperBound].flatMap { x in
        [bounds.rows.lowerBound, bounds.rows.upperBound].map { y in
          axis.x * Double(x) + axis.y * Double(y) + axis.start
        }
      }
      let low = places.min() ?? 0
      let length = (places.max() ?? 0) - low
      let step = max(sigma / 32, length / 0x1p14)
      let count = Int(min(length / step, 0x1p14)) + 1
      entries = (0..<count).map { profile(low + Double($0) * step) }
      // The half makes a cut a rounding, and another is the pixel's centre.
      slope = (
        axis.x / step, axis.y / step,
        (axis.start + (axis.x + axis.y) / 2 - low) / step + 0.5
      )
    }

    subscript(entry: Int) -> ShadowProfile.Lanes { entries[entry] }

    subscript(column: Int, row: Int) -> ShadowProfile.Lanes {
      let place = slope.x * Double(column) + slope.y * Double(row) + slope.start
      // Of a rectangle 1e300 pixels wide a rounding is more than the screen: clipped before the cut.
      return entries[Int(min(max(place, 0), Double(entries.count - 1)))]
    }
  }
}

extension RectangleSpace {
  /// The same rectangle with its axes swapped.
  fileprivate var transposed: RectangleSpace {
    RectangleSpace(across: down, down: across, half: (half.v, half.u), radius: (radius.v, radius.u))
  }

  /// The same rectangle elsewhere on the screen.
  fileprivate func moved(by offset: (x: Double, y: Double)) -> RectangleSpace {
    let move = { (axis: (x: Double, y: Double, start: Double)) in
      (axis.x, axis.y, axis.start - axis.x * offset.x - axis.y * offset.y)
    }
    return RectangleSpace(across: move(across), down: move(down), half: half, radius: radius)
  }

  private init(
    across: (x: Double, y: Double, start: Double), down: (x: Double, y: Double, start: Double),
    half: (u: Double, v: Double), radius: (u: Double, v: Double)
  ) {
    self.across = across
    self.down = down
    self.half = half
    self.radius = radius
  }
}
