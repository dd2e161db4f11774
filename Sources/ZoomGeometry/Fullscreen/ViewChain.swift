/// The views around a view, up to the window: the way from its place to the window's points.
///
/// Each ancestor maps its own points to its parent's as Core Animation does, with its scroll offset
/// and its transform; the chain is the product of these maps:
///
///     p_parent = position + M (p - bounds.origin - anchor * size)
///
/// Without transforms that is the sum of `frame.origin - bounds.origin` over the ancestors: a scroll
/// view's content offset counts negatively.
public struct ViewChain: Sendable, Hashable {
  /// The map from the points of the innermost ancestor to those of the window.
  public let toWindow: Affine

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
    let product = ancestors.reduce(Affine.identity) { $0.then($1.toParent) }
    toWindow = try Self.invertible(product, "ancestors")
  }

  private static func invertible(
    _ map: Affine, _ argument: String
  ) throws(GeometryError) -> Affine {
    guard map.isFinite else {
      throw GeometryError(argument: argument, value: "its map", reason: .notFinite)
    }
    guard map.inverted() != nil else {
      throw GeometryError(
        argument: argument, value: "its map", reason: .contradiction("has no inverse"))
    }
    return map
  }

  /// Returns the upright rectangle of the window around a rectangle of the innermost ancestor.
  ///
  /// Under an oblique ancestor it is a bounding box.
  /// - Throws: `GeometryError` if a number, given or resulting, is not finite, or out of its range.
  public func toWindow(_ rect: ViewRect) throws(GeometryError) -> ViewRect {
    let converted = placed(try GeometryError.rect(rect, "rect"))
    guard converted.isFinite else {
      throw GeometryError(argument: "converted", value: "a number", reason: .notFinite)
    }
    return converted
  }

  /// The rectangle of the window around a rectangle that is known to be good.
  func placed(_ rect: ViewRect) -> ViewRect {
    // The size goes through the linear part by itself: as a difference of two distant corners it
    // would lose its digits, and for a small view far out become zero.
    let box = toWindow.linear.boundingBox(of: rect.size.atOrigin)
    return box.moved(by: toWindow.apply(to: rect.origin))
  }
}
