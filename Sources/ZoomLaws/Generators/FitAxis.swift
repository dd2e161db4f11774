package import ZoomGeometry

/// One axis of a picture that is shown whole and centred in a viewport, by the textbook's formula:
/// what generators aim with and laws compare with.
///
/// It is not taken from `ZoomGeometry`, so that a mistake there is not made here too.
package struct FitAxis: Sendable {
  /// The picture's length in pixels.
  package let side: Double
  /// The viewport's length in points.
  package let viewport: Double
  /// Points a pixel.
  package let scale: Double

  /// Where the picture begins, in points.
  package var start: Double { (viewport - shown) / 2 }
  /// How long the picture is shown, in points; on the axis that limits the scale exactly the
  /// viewport.
  package var shown: Double { viewport / side == scale ? viewport : side * scale }
  /// Where the picture ends, in points.
  package var end: Double { start + shown }

  /// Returns where a place of the picture stands on the screen.
  package func point(of pixel: Double) -> Double { start + pixel * scale }

  /// Returns which place of the picture stands at a point of the screen, beyond its borders too.
  package func pixel(at point: Double) -> Double { (point - start) / scale }

  /// One unit in the last place of the largest pixel coordinate that a point of the viewport has.
  ///
  /// Rounding errors of a touched place come from points as large as the viewport, and so they are
  /// as large as this, however small the place's own coordinate is.
  package var pixelUlp: Double { max(viewport / scale, side).ulp }

  /// The same in points: one unit in the last place of the viewport's length.
  package var pointUlp: Double { viewport.ulp }
}

/// Both axes of a picture that is shown whole and centred in a viewport.
package struct FitAxes: Sendable {
  /// The horizontal axis.
  package let across: FitAxis
  /// The vertical axis.
  package let down: FitAxis
  /// Points a pixel.
  package let scale: Double

  /// The axes of a picture, in pixels, in a viewport, in points; all sides are positive.
  package init(width: Int, height: Int, viewport: ViewSize) {
    let (wide, high) = (Double(width), Double(height))
    scale = min(viewport.width / wide, viewport.height / high)
    across = FitAxis(side: wide, viewport: viewport.width, scale: scale)
    down = FitAxis(side: high, viewport: viewport.height, scale: scale)
  }
}
