/// One axis of a zoomed picture in a scroll view, in points.
///
/// Both axes go through this one calculation, so that transposing everything transposes the result
/// to the last bit (DT-P8). Nothing is validated.
struct ScrollAxis {
  /// The picture's unscaled length.
  let image: Double
  /// The scroll view's length.
  let bounds: Double
  /// Screen points an image point.
  let zoom: Double

  /// Where the picture begins in the content: half of what is left over, 0 if nothing is.
  var margin: Double { max(0, (bounds - zoom * image) / 2) }

  /// The largest offset that does not scroll past the picture's end.
  var furthest: Double { max(0, zoom * image - bounds) }

  /// Aims at a place of the picture.
  ///
  /// - Parameter place: A number that is not NaN, in image points.
  /// - Returns: The offset that brings it to the middle, as far as scrolling goes.
  func offset(centring place: Double) -> Double {
    (zoom * place - bounds / 2).clamped(to: 0...furthest)
  }
}

/// Both axes of a zoomed picture in a scroll view.
struct ScrollAxes {
  let across, down: ScrollAxis

  init(image: ViewSize, bounds: ViewSize, zoom: Double) {
    across = ScrollAxis(image: image.width, bounds: bounds.width, zoom: zoom)
    down = ScrollAxis(image: image.height, bounds: bounds.height, zoom: zoom)
  }

  /// The origin that centres the picture.
  var margins: ViewPoint { ViewPoint(x: across.margin, y: down.margin) }
}
