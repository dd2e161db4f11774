public import ZoomGeometry

/// Everything a peek depends on, unchecked: zero sides and NaN are inputs too.
public struct PeekInput: Sendable, Hashable {
  /// The picture's width in pixels.
  public var pictureWidth: Int
  /// The picture's height in pixels.
  public var pictureHeight: Int
  /// The size in points of the view that shows the whole picture.
  public var viewport: ViewSize
  /// The side of the peek in points; nil for the viewport's shorter side.
  public var side: Double?
  /// Picture pixels a point of the peek: k.
  public var scale: Double
  /// What a touch beside the shown picture means.
  public var letterbox: LetterboxPolicy
  /// The touch in points of the viewport.
  public var touch: ViewPoint

  /// Creates an input.
  public init(
    pictureWidth: Int, pictureHeight: Int, viewport: ViewSize, side: Double? = nil,
    scale: Double = 1, letterbox: LetterboxPolicy = .clamp, touch: ViewPoint
  ) {
    self.pictureWidth = pictureWidth
    self.pictureHeight = pictureHeight
    self.viewport = viewport
    self.side = side
    self.scale = scale
    self.letterbox = letterbox
    self.touch = touch
  }

  /// The input as `touch (375, 474.1) on 1600x1200 in 375x667`, with what is not as usual.
  public var inWords: String {
    var words = "touch \(touch.inWords) on \(pictureWidth)x\(pictureHeight) in \(viewport.inWords)"
    if let side { words += ", peek of \(side.inWords) pt" }
    if scale != 1 { words += ", \(scale.inWords) px a point" }
    if letterbox == .reject { words += ", letterbox rejected" }
    return words
  }

  /// The length in pixels of the crop asked for: k P.
  package var wantedLength: Double { (side ?? min(viewport.width, viewport.height)) * scale }

  /// Where the picture is shown.
  package var axes: FitAxes {
    FitAxes(width: pictureWidth, height: pictureHeight, viewport: viewport)
  }

  /// The input with x and y swapped everywhere.
  package var transposed: PeekInput {
    var input = self
    (input.pictureWidth, input.pictureHeight) = (pictureHeight, pictureWidth)
    (input.viewport, input.touch) = (viewport.transposed, touch.transposed)
    return input
  }

  /// The input with the touch mirrored about the viewport's centre.
  package var reflected: PeekInput {
    var input = self
    input.touch = ViewPoint(x: viewport.width - touch.x, y: viewport.height - touch.y)
    return input
  }
}
