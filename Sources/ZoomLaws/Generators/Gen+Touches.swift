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
      zip(.nonFinite, good).map { ViewPoint(x: $0, y: $1) },
      zip(good, .nonFinite).map { ViewPoint(x: $0, y: $1) },
      zip(.nonFinite, .nonFinite).map { ViewPoint(x: $0, y: $1) })
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
    let forces = Gen<Double>.forces(
      maximum: maximumForce, thresholds: thresholds, near: boundaries)
    return zip(points, forces).map { Touch(id: 0, point: $0, force: $1) }
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

  /// Draws one coordinate of a touch.
  private mutating func coordinate(
    _ axis: FitAxis, peek: Double, near boundaries: [Boundary], outside: Double
  ) -> Double {
    // Anywhere, near a boundary, in the letterbox, outside: one choice, the first the simplest.
    let kind = index(upTo: 3) { random in
      let pick = random.nextUnit()
      return pick < outside ? 3 : pick < 0.5 + outside ? 0 : pick < 0.85 ? 1 : 2
    }
    // Drawn for every kind, so that a shrinker that tries the simplest one finds a place there.
    let anywhere = double(in: 0...axis.viewport)
    switch kind {
    case 1 where !boundaries.isEmpty:
      let last = UInt64(boundaries.count - 1)
      let boundary = boundaries[Int(index(upTo: last) { $0.next(upTo: last) })]
      let place = place(at: boundary, axis, peek: peek)
      return place.stepped(integer(in: -2...2))
    case 2 where axis.start > 0:
      let depth = double(in: 0...axis.start)
      return integer(in: 0...1) == 0 ? axis.viewport - depth : depth
    case 3:
      // As far as four viewports away, and now and then as far as the exact range of whole numbers.
      let distance = double(in: 0...(integer(in: 0...7) < 7 ? 4 * axis.viewport : 0x1p53))
      return integer(in: 0...1) == 0 ? axis.viewport + distance : -distance
    default:
      return anywhere
    }
  }

  /// Draws a boundary of a kind, in points.
  private mutating func place(
    at boundary: Boundary, _ axis: FitAxis, peek: Double
  ) -> Double {
    switch boundary {
    case .imageEdge:
      return integer(in: 0...1) == 0 ? axis.end : axis.start
    case .viewportEdge:
      return integer(in: 0...1) == 0 ? axis.viewport : 0
    case .cropLimit:
      let half = min(peek, axis.side) / 2
      return axis.point(of: integer(in: 0...1) == 0 ? axis.side - half : half)
    case .tileSeam:
      return axis.point(of: multiple(of: integer(in: 0...1) == 0 ? 256 : 512, upTo: axis.side))
    case .codingBlock:
      return axis.point(of: multiple(of: integer(in: 0...1) == 0 ? 8 : 16, upTo: axis.side))
    case .halfPixel:
      return axis.point(of: Double(integer(in: 0...max(Int(axis.side) - 1, 0))) + 0.5)
    case .scaleLimit, .forceThreshold:
      return 0
    }
  }

  private mutating func multiple(of step: Int, upTo side: Double) -> Double {
    Double(step * integer(in: 0...Int(side) / step))
  }
}
