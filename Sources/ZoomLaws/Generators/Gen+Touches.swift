public import PropertyTesting
public import ZoomGeometry

/// A boundary at which the result of zoom code changes its form; tests aim at it.
enum Boundary: String, Sendable, Hashable, CaseIterable {
  /// The edges of the shown picture.
  case imageEdge
  /// The edges of the viewport.
  case viewportEdge
  /// The points at which a crop centred on the touch first reaches the picture's border.
  case cropLimit
  /// The seams between tiles of 256 or 512 pixels.
  case tileSeam
  /// The edges of coding blocks of 8 or 16 pixels.
  case codingBlock
  /// The middle of a pixel, where rounding goes either way.
  case halfPixel
}

extension Gen where Value == ViewPoint {
  /// Points that no finger touches: a coordinate is NaN or infinite.
  public static var invalidTouches: Gen {
    Gen<(Double, Double)>.pairs(with: .nonFinite, or: .element(of: [0, 1, 187.5]))
      .map { ViewPoint(x: $0, y: $1) }
  }
}

extension TestCase {
  /// Draws a finite touch point, in and around a viewport that shows a whole picture.
  ///
  /// Each axis is drawn separately. The shares of the coordinates are: `outsideShare` (0 to 0.2) outside,
  /// 0.35 - `outsideShare` within two ulps of a boundary, 0.15 in the letterbox if there is one, the rest anywhere. The
  /// simplest point is (0, 0).
  mutating func touch(
    _ axes: FitAxes<Double>, near boundaries: [Boundary], outsideShare: Double
  ) -> ViewPoint {
    let peek = min(axes.across.viewport, axes.down.viewport)
    let x = coordinate(axes.across, peek: peek, near: boundaries, outside: outsideShare)
    let y = coordinate(axes.down, peek: peek, near: boundaries, outside: outsideShare)
    return ViewPoint(x: x, y: y)
  }

  /// Draws one coordinate of a touch, by one choice whichever way is taken.
  private mutating func coordinate(
    _ axis: FitAxis<Double>, peek: Double, near boundaries: [Boundary], outside: Double
  ) -> Double {
    // A point near a boundary may be an ulp or two outside the viewport.
    let range =
      outside > 0 ? -0x1p53...axis.viewport + 0x1p53 : (0.0).stepped(-2)...axis.viewport.stepped(2)
    return double(in: range) { random in
      let kind = random.nextUnit()
      if kind < outside { return random.beyond(axis) }
      if kind >= 0.5 + outside, kind < 0.85, !boundaries.isEmpty {
        return random.place(at: random.element(of: boundaries), axis, peek: peek)
          .stepped(random.steps())
      }
      if kind >= 0.85, axis.start > 0 {
        let depth = random.double(in: 0...axis.start)
        return random.either(axis.viewport - depth, depth)
      }
      return random.double(in: 0...axis.viewport)
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func either(_ one: Double, _ other: Double) -> Double {
    next() >> 63 == 0 ? one : other
  }

  fileprivate mutating func beyond(_ axis: FitAxis<Double>) -> Double {
    let distance = double(in: 0...(next() >> 61 < 7 ? 4 * axis.viewport : 0x1p53))
    return either(axis.viewport + distance, -distance)
  }

  fileprivate mutating func place(
    at boundary: Boundary, _ axis: FitAxis<Double>, peek: Double
  ) -> Double {
    switch boundary {
    case .imageEdge: return either(axis.end, axis.start)
    case .viewportEdge: return either(axis.viewport, 0)
    case .cropLimit:
      let half = min(peek, axis.side) / 2
      return axis.point(of: either(axis.side - half, half))
    case .tileSeam: return axis.point(of: multiple(of: either(256, 512), upTo: axis.side))
    case .codingBlock: return axis.point(of: multiple(of: either(8, 16), upTo: axis.side))
    case .halfPixel: return axis.point(of: multiple(of: 1, upTo: max(axis.side - 1, 0)) + 0.5)
    }
  }

  private mutating func multiple(of step: Double, upTo side: Double) -> Double {
    step * Double(next(through: UInt64(side / step)))
  }
}
