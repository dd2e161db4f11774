/// The placement of a layer in its parent by the rules of Core Animation.
///
/// The published components rely on these rules, and several of their defects come from overlooking
/// one: setting the anchor moves the layer, because the position stays (FT-B9, TI-B7); setting the
/// frame under a rotation swaps the size (ZV-B1). Nothing is validated.
public struct ViewLayer: Sendable, Hashable, Codable {
  /// The position of the anchor in the parent's points; by default the anchor is the centre.
  public var position: ViewPoint
  /// The size of the layer in its own points: the size of its `bounds`.
  public var size: ViewSize
  /// The point of the layer that is placed at `position` and about which `transform` applies, in
  /// fractions of the size.
  public var anchor: ViewPoint
  /// The transform of the layer about its anchor.
  public var transform: Affine
  /// The point of the layer's own space at its top left corner: a scroll view's content offset.
  public var boundsOrigin: ViewPoint

  /// Creates a layer that fills a frame, anchored at its centre.
  public init(frame: ViewRect, boundsOrigin: ViewPoint = ViewPoint(x: 0, y: 0)) {
    position = frame.centre
    size = frame.size
    anchor = ViewPoint(x: 0.5, y: 0.5)
    transform = .identity
    self.boundsOrigin = boundsOrigin
  }

  /// The map from the layer's own space to its parent.
  ///
  /// p' = position + M (p - boundsOrigin - anchor * size)
  public var toParent: Affine {
    Affine.translation(
      x: -boundsOrigin.x - anchor.x * size.width, y: -boundsOrigin.y - anchor.y * size.height
    ).then(transform).then(.translation(x: position.x, y: position.y))
  }

  /// The smallest upright rectangle of the parent that contains the layer.
  public var frame: ViewRect {
    toParent.boundingBox(
      of: ViewRect(x: boundsOrigin.x, y: boundsOrigin.y, width: size.width, height: size.height))
  }

  /// Sets the frame as Core Animation does: the transform stays, position and size change.
  ///
  /// The inverse transform is applied to the frame's size, so a quarter turn swaps it. A transform
  /// without an inverse does not change the size.
  public mutating func setFrame(_ frame: ViewRect) {
    if let inverse = transform.linear.inverted() {
      size = inverse.boundingBox(of: frame.size.atOrigin).size
    }
    position = ViewPoint(x: 0, y: 0)
    let placed = self.frame
    position = ViewPoint(x: frame.x - placed.x, y: frame.y - placed.y)
  }
}
