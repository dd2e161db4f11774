/// How Core Animation places a layer in its parent: a position, a size, an anchor and a transform.
///
/// The published components are written against these rules, and several of their defects are
/// rules forgotten: setting the anchor moves the layer, for the position stays (FT-B9, TI-B7);
/// setting the frame under a rotation swaps the size (ZV-B1). Nothing is validated.
public struct ViewLayer: Sendable, Hashable, Codable {
  /// Where the anchor stands in the parent, in its points; the centre, for the usual anchor.
  public var position: ViewPoint

  /// The size of the layer in its own points: the size of its `bounds`.
  public var size: ViewSize

  /// The place of the layer that stands at `position` and about which `transform` works, in
  /// fractions of the size.
  public var anchor: ViewPoint

  /// What is done to the layer about its anchor.
  public var transform: Affine

  /// What of the layer's own space stands in its top left corner: a scroll view's content offset.
  public var boundsOrigin: ViewPoint

  /// Creates a layer that fills a frame, anchored at its centre.
  public init(frame: ViewRect, boundsOrigin: ViewPoint = ViewPoint(x: 0, y: 0)) {
    position = ViewPoint(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
    size = ViewSize(width: frame.width, height: frame.height)
    anchor = ViewPoint(x: 0.5, y: 0.5)
    transform = .identity
    self.boundsOrigin = boundsOrigin
  }

  /// The map from the layer's own space to its parent's.
  ///
  /// p' = position + M (p - boundsOrigin - anchor * size)
  public var toParent: Affine {
    Affine.translation(
      x: -boundsOrigin.x - anchor.x * size.width, y: -boundsOrigin.y - anchor.y * size.height
    ).then(transform).then(.translation(x: position.x, y: position.y))
  }

  /// The smallest upright rectangle of the parent that holds the layer.
  public var frame: ViewRect {
    toParent.boundingBox(
      of: ViewRect(x: boundsOrigin.x, y: boundsOrigin.y, width: size.width, height: size.height))
  }

  /// Sets the frame as Core Animation does: the transform stays, position and size change.
  ///
  /// The size becomes that of the frame's size under the inverse transform, which swaps it under
  /// a quarter turn. A transform without an inverse leaves the size alone.
  public mutating func setFrame(_ frame: ViewRect) {
    if let inverse = transform.linear.inverted() {
      size = inverse.boundingBox(of: frame.size.atOrigin).size
    }
    position = ViewPoint(x: 0, y: 0)
    let placed = self.frame
    position = ViewPoint(x: frame.x - placed.x, y: frame.y - placed.y)
  }
}
