public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == ViewPoint {
  /// Finite points to touch, in and about a viewport that shows a picture whole.
  ///
  /// The axes are drawn apart: a half anywhere in the viewport, three tenths within two ulps of a
  /// boundary, an eighth in the letterbox where there is one, the rest outside. (0, 0) is the
  /// simplest.
  ///
  /// - Parameters:
  ///   - viewport: its size in points; positive and finite.
  ///   - picture: the picture's size.
  ///   - boundaries: what to be near to; those that are no places are left out.
  ///   - outsideShare: how often a coordinate is outside the viewport, from 0 to 0.2.
  /// - Returns: Such a generator.
  public static func touches(
    in viewport: ViewSize, showing picture: PixelSize,
    near boundaries: Set<Boundary> = Boundary.ofPlaces, outsideShare: Double = 0.05
  ) -> Gen {
    let axes = FitAxes(width: picture.width, height: picture.height, viewport: viewport)
    let places = Boundary.allCases.filter {
      boundaries.contains($0) && Boundary.ofPlaces.contains($0)
    }
    return Gen { testCase throws(Discarded) in
      testCase.touch(axes, near: places, outsideShare: outsideShare)
    }
  }

  /// Points that no finger touches: a coordinate is NaN or infinite.
  public static var invalidTouches: Gen {
    let good = Gen<Double>.element(of: [0, 1, 187.5])
    return .oneOf(
      Gens.zip(.nonFinite, good).map { ViewPoint(x: $0, y: $1) },
      Gens.zip(good, .nonFinite).map { ViewPoint(x: $0, y: $1) },
      Gens.zip(.nonFinite, .nonFinite).map { ViewPoint(x: $0, y: $1) })
  }
}

extension Gen where Value == Touch {
  /// One finger, with the point of `Gen<ViewPoint>.touches` and a force of `Gen<Double>.forces`.
  ///
  /// - Parameters:
  ///   - viewport: its size in points; positive and finite.
  ///   - picture: the picture's size.
  ///   - boundaries: what to be near to.
  ///   - maximumForce: the greatest force of the screen.
  ///   - thresholds: the forces at which a press counts.
  /// - Returns: Such a generator, of touches with the number 0.
  public static func touches(
    in viewport: ViewSize, showing picture: PixelSize,
    near boundaries: Set<Boundary> = Set(Boundary.allCases), maximumForce: Double = 400.0 / 60,
    thresholds: [Double] = []
  ) -> Gen {
    let points = Gen<ViewPoint>.touches(in: viewport, showing: picture, near: boundaries)
    let forces = Gen<Double>.forces(maximum: maximumForce, thresholds: thresholds, near: boundaries)
    return Gens.zip(points, forces).map { Touch(id: 0, point: $0, force: $1) }
  }
}

extension TestCase {
  /// Draws a touch of `Gen<ViewPoint>.touches`.
  ///
  /// - Parameters:
  ///   - axes: of the picture in the viewport.
  ///   - boundaries: those of places that touches are to be near to.
  ///   - outsideShare: how often a coordinate is outside the viewport.
  /// - Returns: The touch.
  package mutating func touch(
    _ axes: FitAxes, near boundaries: [Boundary], outsideShare: Double
  ) -> ViewPoint {
    let peek = min(axes.across.viewport, axes.down.viewport)
    let x = coordinate(axes.across, peek: peek, near: boundaries, outside: outsideShare)
    let y = coordinate(axes.down, peek: peek, near: boundaries, outside: outsideShare)
    return ViewPoint(x: x, y: y)
  }

  /// Draws one coordinate of a touch: one number, however it is picked.
  private mutating func coordinate(
    _ axis: FitAxis, peek: Double, near boundaries: [Boundary], outside: Double
  ) -> Double {
    // A boundary may be met by an ulp or two beyond the viewport's ends.
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
  /// One of two, as likely as the other.
  fileprivate mutating func either(_ one: Double, _ other: Double) -> Double {
    next() >> 63 == 0 ? one : other
  }

  /// A place outside the viewport: as far as four viewports away, and now and then as far as the
  /// exact range of whole numbers.
  fileprivate mutating func beyond(_ axis: FitAxis) -> Double {
    let distance = double(in: 0...(next() >> 61 < 7 ? 4 * axis.viewport : 0x1p53))
    return either(axis.viewport + distance, -distance)
  }

  /// A boundary of a kind, in points.
  fileprivate mutating func place(at boundary: Boundary, _ axis: FitAxis, peek: Double) -> Double {
    switch boundary {
    case .imageEdge: return either(axis.end, axis.start)
    case .viewportEdge: return either(axis.viewport, 0)
    case .cropLimit:
      let half = min(peek, axis.side) / 2
      return axis.point(of: either(axis.side - half, half))
    case .tileSeam: return axis.point(of: multiple(of: either(256, 512), upTo: axis.side))
    case .codingBlock: return axis.point(of: multiple(of: either(8, 16), upTo: axis.side))
    case .halfPixel: return axis.point(of: Double(next(upTo: UInt64(max(axis.side - 1, 0)))) + 0.5)
    case .scaleLimit, .forceThreshold: return 0
    }
  }

  private mutating func multiple(of step: Double, upTo side: Double) -> Double {
    step * Double(next(upTo: UInt64(side / step)))
  }
}

/// A place where zoom code changes its mind, and so the place to test it.
public enum Boundary: String, Sendable, Hashable, CaseIterable {
  /// Where the shown picture begins or ends.
  case imageEdge
  /// Where the viewport begins or ends.
  case viewportEdge
  /// Where a crop centred on the touch first reaches the picture's border.
  case cropLimit
  /// Between two tiles of 256 or 512 pixels.
  case tileSeam
  /// Between two coding blocks of 8 or 16 pixels.
  case codingBlock
  /// In the middle of a pixel, where rounding goes either way.
  case halfPixel
  /// The smallest and the largest zoom.
  case scaleLimit
  /// The force at which a press counts.
  case forceThreshold

  /// The boundaries that a place on the screen can be at.
  public static let ofPlaces: Set<Boundary> = [
    .imageEdge, .viewportEdge, .cropLimit, .tileSeam, .codingBlock, .halfPixel,
  ]
}
