internal import ZoomGeometry

/// One axis of a peek in rational numbers: the formula itself, without rounding.
struct ExactPeekAxis {
  /// Points a pixel.
  let scale: Exact
  /// Where the picture begins, in points, and how long it is shown.
  let start, shown: Exact
  /// The crop in pixels.
  let origin, length: Exact

  init(scale: Exact, side: Int, viewport: Double, wanted: Exact, touch: Double) {
    let end = Exact(side)
    self.scale = scale
    shown = end * scale
    start = (Exact(viewport) - shown) / Exact(2)
    length = min(wanted, end)
    let touched = ((Exact(touch) - start) / scale).clamped(Exact(0), end)
    origin = (touched - length / Exact(2)).clamped(Exact(0), end - length)
  }

  /// Both axes of a peek.
  static func axes(of input: PeekInput) -> (across: ExactPeekAxis, down: ExactPeekAxis) {
    let viewport = input.viewport
    let scale = min(
      Exact(viewport.width) / Exact(input.pictureWidth),
      Exact(viewport.height) / Exact(input.pictureHeight))
    let side = Exact(input.side ?? min(viewport.width, viewport.height))
    let wanted = side * Exact(input.scale)
    return (
      ExactPeekAxis(
        scale: scale, side: input.pictureWidth, viewport: viewport.width, wanted: wanted,
        touch: input.touch.x),
      ExactPeekAxis(
        scale: scale, side: input.pictureHeight, viewport: viewport.height, wanted: wanted,
        touch: input.touch.y)
    )
  }
}
