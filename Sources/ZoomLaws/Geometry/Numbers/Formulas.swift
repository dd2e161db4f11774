package import ZoomGeometry

// The textbook formulas of the aspect fit, the peek and the double tap. Generators and laws use
// them instead of ZoomGeometry's, whose mistakes they must not repeat.

/// A type of number for formulas: `Double`, which rounds, or `Exact`, which does not.
package protocol FormulaNumber: Comparable, Sendable {
  init(_ value: Int)
  init(_ value: Double)
  static func + (first: Self, second: Self) -> Self
  static func - (first: Self, second: Self) -> Self
  static func * (first: Self, second: Self) -> Self
  static func / (first: Self, second: Self) -> Self
}

extension Double: FormulaNumber {}

extension FormulaNumber {
  /// Returns the nearest number from `low` to `high`, which are in order.
  package func clamped(_ low: Self, _ high: Self) -> Self { max(low, min(self, high)) }
}

/// One axis of a picture that is shown whole and centred in a viewport.
package struct FitAxis<Number: FormulaNumber>: Sendable {
  /// The length of the picture in pixels, and of the viewport in points.
  package let side, viewport: Number
  /// The scale in points per pixel.
  package let scale: Number
  /// Whether the axis limits the scale, and the picture fills the viewport on it.
  let isLimiting: Bool
  /// The length and the start of the shown picture, in points.
  package let shown, start: Number
  package var end: Number { start + shown }

  fileprivate init(side: Number, viewport: Number, scale: Number) {
    (self.side, self.viewport, self.scale) = (side, viewport, scale)
    isLimiting = viewport / side == scale
    // On the axis that limits the scale, it is exactly the viewport's length.
    shown = isLimiting ? viewport : side * scale
    start = (viewport - shown) / Number(2)
  }

  package func point(of pixel: Number) -> Number { start + pixel * scale }

  /// Returns the pixel coordinate that is shown at a point; it may be outside the picture.
  package func pixel(at point: Number) -> Number { (point - start) / scale }

  func nearestPixel(to point: Number) -> Number { pixel(at: point).clamped(Number(0), side) }

  /// Returns the crop that a peek at a point shows, in pixels.
  func crop(at point: Number, wanted: Number) -> (origin: Number, length: Number) {
    let length = min(wanted, side)
    let centred = nearestPixel(to: point) - length / Number(2)
    return (centred.clamped(Number(0), side - length), length)
  }
}

extension FitAxis<Double> {
  /// One unit in the last place of the largest pixel coordinate that a point of the viewport can
  /// have: the unit of a touched point's error.
  package var pixelUlp: Double { max(viewport / scale, side).ulp }

  /// One unit in the last place of the viewport's length in points.
  package var pointUlp: Double { viewport.ulp }
}

/// Both axes of a picture that is shown whole and centred in a viewport.
package struct FitAxes<Number: FormulaNumber>: Sendable {
  package let across, down: FitAxis<Number>
  package var scale: Number { across.scale }

  /// Creates the axes of a picture, in pixels, in a viewport, in points; all sides are positive.
  package init(width: Int, height: Int, viewport: ViewSize) {
    let (wide, high) = (Number(width), Number(height))
    let (room, headroom) = (Number(viewport.width), Number(viewport.height))
    let scale = min(room / wide, headroom / high)
    across = FitAxis(side: wide, viewport: room, scale: scale)
    down = FitAxis(side: high, viewport: headroom, scale: scale)
  }
}

struct DoubleTapFormula<Number: FormulaNumber> {
  /// The zoom that shows the whole picture, and the zoom after a double tap on it.
  let fit, close: Number

  init(_ scene: DoubleTapScene) {
    fit = min(
      Number(1), Number(scene.bounds.width) / Number(scene.image.width),
      Number(scene.bounds.height) / Number(scene.image.height))
    close = max(fit, min(fit * Number(scene.factor), Number(scene.maximumZoom)))
  }

  /// Returns the start of the enlarged picture on one axis of the screen: its margin less the offset.
  func start(image: Double, bounds: Double, place: Double) -> Number {
    let (zero, shown, bounds) = (Number(0), close * Number(image), Number(bounds))
    let margin = max(zero, (bounds - shown) / Number(2))
    let offset = (close * Number(place) - bounds / Number(2))
      .clamped(zero, max(zero, shown - bounds))
    return margin - offset
  }
}
