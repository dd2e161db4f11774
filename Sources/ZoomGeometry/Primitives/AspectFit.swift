/// The largest centred rectangle of the viewport that has the picture's aspect ratio.
struct AspectFit {
  /// Points a picture pixel.
  let scale: Double
  /// Where the picture stands in the viewport, in points.
  let frame: ViewRect

  init(picture: PixelSize, viewport: ViewSize) {
    let across = viewport.width / Double(picture.width)
    let down = viewport.height / Double(picture.height)
    let scale = min(across, down)
    // The side that limits the scale is filled exactly. Multiplying back would be off by a
    // rounding, and for the largest finite viewports overflow.
    let width = scale == across ? viewport.width : Double(picture.width) * scale
    let height = scale == down ? viewport.height : Double(picture.height) * scale
    self.scale = scale
    // A side that does not limit the scale is shorter than the viewport's, but can round above it.
    frame = viewport.atOrigin.centred(min(width, viewport.width), min(height, viewport.height))
  }
}
