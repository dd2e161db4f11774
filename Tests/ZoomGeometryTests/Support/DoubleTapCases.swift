import ZoomGeometry

/// A picture of so many points on the phone's screen.
func doubleTap(_ width: Double, _ height: Double) throws -> DoubleTapSetup {
  try DoubleTapSetup(image: ViewSize(width: width, height: height), bounds: phone)
}

/// The same picture as published.
func originalDoubleTap(
  _ width: Double, _ height: Double, _ correction: OriginalDoubleTap.Correction = .scaled,
  factor: Double = 2
) -> OriginalDoubleTap {
  OriginalDoubleTap(
    image: ViewSize(width: width, height: height), bounds: phone, factor: factor,
    correction: correction)
}

/// The middle of a picture, in its points.
func centre(_ image: ViewSize) -> ViewPoint { ViewPoint(x: image.width / 2, y: image.height / 2) }

extension OriginalDoubleTap {
  /// Where a double tap at the picture's middle leads from the whole picture.
  var centreTapped: ScrollPosition { toggled(fitted, tapped: centre(image)) }

  /// How far above and left of the screen's middle that shows the tapped place.
  var centreMissed: ViewPoint {
    let tapped = centreTapped.screenPoint(of: centre(image))
    return ViewPoint(x: bounds.width / 2 - tapped.x, y: bounds.height / 2 - tapped.y)
  }
}

/// Tells whether two positions are the same but for rounding.
func near(
  _ first: ScrollPosition, _ second: ScrollPosition, within tolerance: Double = 1e-9
) -> Bool {
  near(first.zoom, second.zoom, within: tolerance) && near(first.origin, second.origin, tolerance)
    && near(first.offset, second.offset, tolerance)
}

/// Tells whether two points are the same but for rounding.
func near(_ first: ViewPoint, _ second: ViewPoint, _ tolerance: Double = 1e-9) -> Bool {
  near(first.x, second.x, within: tolerance) && near(first.y, second.y, within: tolerance)
}
