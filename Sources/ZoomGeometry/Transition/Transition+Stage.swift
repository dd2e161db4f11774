extension Transition {
  /// Works out the transition from a stage's view, converted through the views around it.
  ///
  /// Frame and radius are both converted. The published form takes the mask's ratio from the
  /// thumbnail's own frame and the transform from the converted one (TI-B4).
  ///
  /// A stage without a view gets a thumbnail of 100x100 points at (20, 50), or the same in the
  /// proportions of a smaller viewport.
  /// - Parameters:
  ///   - picture: The upright size of the picture in pixels.
  ///   - screen: What is drawn on.
  ///   - stage: The thumbnail, its corners and what is around it. `GestureScript` has checked it.
  init(picture: PixelSize, screen: Screen, stage: Stage) {
    let own = stage.view ?? Self.usualThumbnail(in: screen.size)
    // At most 16 views of scales up to 1000 around: products up to 1e57, far from overflow.
    let toViewport = stage.ancestors.reduce(Affine.identity) { $0.then($1.layer.toParent) }
    let corner = toViewport.apply(to: ViewPoint(x: own.x, y: own.y))
    // The views around only move and scale. Sides are not differences of two places, which far out
    // would be zero.
    let scale = toViewport.a
    self.init(
      picture: picture, checkedViewport: screen.size,
      thumbnail: ViewRect(
        x: corner.x, y: corner.y, width: scale * own.width, height: scale * own.height),
      cornerRadius: scale * stage.cornerRadius)
  }

  private static func usualThumbnail(in viewport: ViewSize) -> ViewRect {
    let part = min(1, viewport.width / 120, viewport.height / 150)
    return ViewRect(x: 20 * part, y: 50 * part, width: 100 * part, height: 100 * part)
  }
}
