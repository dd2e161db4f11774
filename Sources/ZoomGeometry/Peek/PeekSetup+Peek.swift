extension PeekSetup {
  /// Returns what a peek shows for a touch.
  ///
  ///     let forest = try PixelSize(width: 1600, height: 1200)
  ///     let setup = try PeekSetup(picture: forest, viewport: ViewSize(width: 375, height: 667))
  ///     let peek = try setup.peek(at: ViewPoint(x: 187.5, y: 333.5))
  ///     // peek?.region is 375x375+613+413
  ///
  /// - Parameter touch: The touch in points of the viewport. It may lie outside it.
  /// - Returns: The peek; nil only if `letterbox` is `reject` and the touch lies outside
  ///   `shownFrame`, whose border is inside.
  /// - Throws: `GeometryError` if a coordinate is NaN or infinite.
  public func peek(at touch: ViewPoint) throws(GeometryError) -> Peek? {
    let touch = ViewPoint(
      x: try GeometryError.finite(touch.x, "touch.x"),
      y: try GeometryError.finite(touch.y, "touch.y"))
    guard letterbox == .clamp || shownFrame.contains(touch) else { return nil }

    let touched = picturePoint(nearest: touch)
    let across = PeekAxis(side: picture.width, wanted: wantedLength, touched: touched.x)
    let down = PeekAxis(side: picture.height, wanted: wantedLength, touched: touched.y)
    let (left, width) = onScreen(across, from: shownFrame.x, length: shownFrame.width)
    let (top, height) = onScreen(down, from: shownFrame.y, length: shownFrame.height)
    let (unitX, unitWidth) = normalised(across, side: picture.width)
    let (unitY, unitHeight) = normalised(down, side: picture.height)
    return Peek(
      touched: touched,
      exact: PictureRect(
        x: across.origin, y: down.origin, width: across.length, height: down.length),
      region: PixelRegion(
        uncheckedX: across.regionOrigin, y: down.regionOrigin,
        width: across.regionLength, height: down.regionLength),
      frame: ViewRect(x: left, y: top, width: width, height: height),
      contentsRect: UnitRect(x: unitX, y: unitY, width: unitWidth, height: unitHeight),
      size: ViewSize(width: peekLength(across), height: peekLength(down)))
  }

  /// The place of the picture that is nearest to the touch.
  private func picturePoint(nearest touch: ViewPoint) -> PicturePoint {
    // The quotients may overflow to an infinity, which clamps, but cannot be NaN: the dividends
    // come from finite numbers and the divisor is a normal number.
    let place = picturePoint(at: touch)
    return PicturePoint(
      x: place.x.clamped(to: 0...Double(picture.width)),
      y: place.y.clamped(to: 0...Double(picture.height)))
  }

  /// The point of the picture, or beside it, that the viewport shows at a point.
  func picturePoint(at point: ViewPoint) -> PicturePoint {
    PicturePoint(x: (point.x - shownFrame.x) / fitScale, y: (point.y - shownFrame.y) / fitScale)
  }

  /// Where the viewport shows a place of the picture, in points.
  func viewPoint(of place: PicturePoint) -> ViewPoint {
    ViewPoint(x: shownFrame.x + place.x * fitScale, y: shownFrame.y + place.y * fitScale)
  }

  /// The exact crop's place on the screen, on one axis of the shown frame.
  private func onScreen(
    _ axis: PeekAxis, from start: Double, length shown: Double
  ) -> (start: Double, length: Double) {
    // The bounds matter by a rounding, and at the end of the range, where the products overflow.
    let length = min(axis.length * fitScale, shown)
    return (start + min(axis.origin * fitScale, shown - length), length)
  }

  /// The exact crop as a fraction of the picture's side.
  private func normalised(_ axis: PeekAxis, side: Int) -> (start: Double, length: Double) {
    // Two quotients, each rounded, can add up to the number after 1.
    let length = axis.length / Double(side)
    return (min(axis.origin / Double(side), 1 - length), length)
  }

  /// The peek's length in points on one axis.
  private func peekLength(_ axis: PeekAxis) -> Double {
    // Not `length / scale` where nothing was cut off: the peek is then exactly as asked for.
    axis.length < wantedLength ? min(axis.length / scale, side) : side
  }
}
