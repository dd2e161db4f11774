extension Transition {
  /// Works out the transition from a stage's view, converted through the views around it.
  ///
  /// Frame and radius are both converted. The published form takes the mask's ratio from the
  /// thumbnail's own frame and the transform from the converted one (TI-B4).
  ///
  /// A stage without a view gets a thumbnail of 100x100 points at (20, 50) of the safe area, from its
  /// leading corner, or the same in the proportions of a smaller one.
  /// - Parameters:
  ///   - picture: The upright size of the picture in pixels.
  ///   - screen: What is drawn on.
  ///   - stage: The thumbnail, its corners and what is around it. `GestureScript` has checked it.
  /// - Throws: `GeometryError` if a view around has a map without an inverse.
  package init(picture: PixelSize, screen: Screen, stage: Stage) throws(GeometryError) {
    let chain = try stage.chain()
    self.init(
      picture: picture, checkedViewport: screen.size,
      thumbnail: chain.placed(stage.view ?? Self.usualThumbnail(on: screen, stage.direction)),
      // The views around only move and scale, evenly.
      cornerRadius: chain.toWindow.a * stage.cornerRadius)
  }

  /// The thumbnail's place without a stage's own.
  package static func usualThumbnail(
    on screen: Screen, _ direction: LayoutDirection = .leftToRight
  ) -> ViewRect {
    let safe = screen.safeArea
    let part = min(1, safe.width / 120, safe.height / 150)
    let margin = 20 * part
    let side = 100 * part
    let leading = direction == .leftToRight ? safe.x + margin : safe.maxX - margin - side
    return ViewRect(x: leading, y: safe.y + 50 * part, width: side, height: side)
  }
}
