extension FullscreenSetup {
  /// The view in full screen, centred in the window: its transform is the bare turn.
  public var layer: ViewLayer {
    var layer = ViewLayer(
      frame: ViewRect(x: 0, y: 0, width: size.width, height: size.height))
    layer.position = middle
    layer.transform = .turn(turn)
    return layer
  }

  /// Returns the transform that fills the window with a view of `size` that is centred elsewhere.
  ///
  /// - Parameter centre: The view's position in the window, in points.
  /// - Returns: The exact turn, then a translation in the window's axes by what the centre is off.
  ///   The translation is zero if and only if `centre` is `middle` (ZV-P11).
  /// - Throws: `GeometryError` if a coordinate is not finite or too large.
  public func transform(centre: ViewPoint) throws(GeometryError) -> Affine {
    let centre = try GeometryError.point(centre, "centre")
    return Affine.turn(turn).then(.translation(x: middle.x - centre.x, y: middle.y - centre.y))
  }

  /// Returns a view as it comes to rest after full screen: in its place, with nothing left over.
  ///
  /// The transform and the anchor are reset before the frame is set. The other way round, the frame
  /// is taken for that of the turned view, and the sides stay swapped (ZV-B1).
  /// - Parameters:
  ///   - layer: The view in full screen, whichever way it is turned.
  ///   - frame: The place it is to return to, in points of where it is put: that of the proxy, which
  ///     may have changed in the meantime.
  /// - Returns: The view in the frame, without a transform, anchored at its centre.
  /// - Throws: `GeometryError` if a number of the frame is not finite, or a side not positive.
  public static func zoomedOut(
    _ layer: ViewLayer, to frame: ViewRect
  ) throws(GeometryError) -> ViewLayer {
    ViewLayer(frame: try GeometryError.rect(frame, "frame"), boundsOrigin: layer.boundsOrigin)
  }
}
