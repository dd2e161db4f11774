extension TransitionFit {
  /// Whether a pose's scale is that of the fit, within the tolerance.
  public func isFitted(_ pose: TransitionPose) -> Bool {
    abs(pose.scale / scale - 1) <= Self.tolerance
  }

  /// Returns where a single tap sends the picture: back to the fit if it is zoomed, and nil if it
  /// is fitted and to be dismissed.
  ///
  /// It keeps the turn. The published tap resets the transform to the identity whatever the turn,
  /// and the next turn of the device is then made from a wrong angle (TI-B8).
  public func singleTapped(_ pose: TransitionPose) -> TransitionPose? {
    isFitted(pose) ? nil : fitted
  }

  /// Returns where a double tap sends the picture: from the fit to three times it with the tapped
  /// content staying under the finger, as far as the picture's borders allow; from anywhere else
  /// back to the fit.
  ///
  /// The published double tap works only on the identity transform, hence in no landscape (TI-B9),
  /// about the anchor, and only ever zooms in.
  /// - Throws: `GeometryError` if a number is not finite.
  public func doubleTapped(
    _ pose: TransitionPose, at point: ViewPoint
  ) throws(GeometryError) -> TransitionPose {
    guard isFitted(pose) else { return fitted }
    let zoomed = fitted.scaled(
      to: scale * PinchBand.publishedMaximum, about: try GeometryError.point(point, "point"))
    return try settled(zoomed, about: point)
  }
}
