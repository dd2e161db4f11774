/// The views around a view, up to the window: the way between its place and the window's points.
///
/// Each ancestor maps its own points to its parent's as Core Animation does, with its scroll offset
/// and its transform; the chain is the product of these maps and its inverse:
///
///     p_parent = position + M (p - bounds.origin - anchor * size)
///
/// Without transforms that is the sum of `frame.origin - bounds.origin` over the ancestors: a scroll
/// view's content offset counts negatively.
public struct ViewChain: Sendable, Hashable {
  /// The map from the points of the innermost ancestor to those of the window.
  public let toWindow: Affine

  /// The map that undoes `toWindow`.
  public let fromWindow: Affine

  /// Multiplies the ancestors up.
  ///
  /// - Parameter ancestors: From the view's parent outwards to the window's child; none for a view
  ///   that stands in the window itself.
  /// - Throws: `GeometryError` that names the ancestor if one has a number that is not finite or a
  ///   transform without an inverse, such as a scaling to zero; and if the product of them all has
  ///   no inverse in finite numbers.
  public init(_ ancestors: [ViewLayer]) throws(GeometryError) {
    for (number, ancestor) in ancestors.enumerated() {
      _ = try Self.invertible(ancestor.toParent, "ancestors[\(number)]")
    }
    (toWindow, fromWindow) = try Self.invertible(Affine(through: ancestors), "ancestors")
  }

  private static func invertible(
    _ map: Affine, _ argument: String
  ) throws(GeometryError) -> (map: Affine, inverse: Affine) {
    guard map.isFinite else {
      throw GeometryError(argument: argument, value: "its map", reason: .notFinite)
    }
    guard let inverse = map.inverted() else {
      throw GeometryError(
        argument: argument, value: "its map", reason: .contradiction("has no inverse"))
    }
    return (map, inverse)
  }

  /// Returns where a point of the innermost ancestor stands in the window.
  ///
  /// - Throws: `GeometryError` if a coordinate, given or resulting, is not finite or too large.
  public func toWindow(_ point: ViewPoint) throws(GeometryError) -> ViewPoint {
    try Self.convert(point, by: toWindow)
  }

  /// Returns what point of the innermost ancestor stands at a point of the window.
  ///
  /// - Throws: `GeometryError` if a coordinate, given or resulting, is not finite or too large.
  public func fromWindow(_ point: ViewPoint) throws(GeometryError) -> ViewPoint {
    try Self.convert(point, by: fromWindow)
  }

  /// Returns the upright rectangle of the window around a rectangle of the innermost ancestor.
  ///
  /// As long as the ancestors only move, scale and make quarter turns, it comes back unchanged
  /// through `fromWindow`, to rounding (ZV-P9). Under an oblique ancestor it is a bounding box,
  /// which grows each way; points come back from there too.
  /// - Throws: `GeometryError` if a number, given or resulting, is not finite, or out of its range.
  public func toWindow(_ rect: ViewRect) throws(GeometryError) -> ViewRect {
    try Self.convert(rect, by: toWindow)
  }

  /// Returns the upright rectangle of the innermost ancestor around a rectangle of the window.
  ///
  /// - Throws: `GeometryError` if a number, given or resulting, is not finite, or out of its range.
  public func fromWindow(_ rect: ViewRect) throws(GeometryError) -> ViewRect {
    try Self.convert(rect, by: fromWindow)
  }

  private static func convert(
    _ point: ViewPoint, by map: Affine
  ) throws(GeometryError) -> ViewPoint {
    let converted = map.apply(to: try GeometryError.point(point, "point"))
    return ViewPoint(
      x: try GeometryError.finite(converted.x, "converted.x"),
      y: try GeometryError.finite(converted.y, "converted.y"))
  }

  private static func convert(
    _ rect: ViewRect, by map: Affine
  ) throws(GeometryError) -> ViewRect {
    let converted = mapped(try GeometryError.rect(rect, "rect"), by: map)
    guard converted.isFinite else {
      throw GeometryError(argument: "converted", value: "a number", reason: .notFinite)
    }
    return converted
  }

  /// The rectangle of the window around a rectangle that is known to be good.
  func placed(_ rect: ViewRect) -> ViewRect { Self.mapped(rect, by: toWindow) }

  private static func mapped(_ rect: ViewRect, by map: Affine) -> ViewRect {
    // The size goes through the linear part by itself: as a difference of two distant corners it
    // would lose its digits, and for a small view far out become zero.
    let linear = Affine(a: map.a, b: map.b, c: map.c, d: map.d, tx: 0, ty: 0)
    let box = linear.boundingBox(
      of: ViewRect(x: 0, y: 0, width: rect.width, height: rect.height))
    let corner = map.apply(to: ViewPoint(x: rect.x, y: rect.y))
    return ViewRect(
      x: corner.x + box.x, y: corner.y + box.y, width: box.width, height: box.height)
  }
}

extension Affine {
  /// The map out of some views, from the innermost outwards: the product of their maps.
  init(through ancestors: [ViewLayer]) {
    self = ancestors.reduce(.identity) { $0.then($1.toParent) }
  }
}
