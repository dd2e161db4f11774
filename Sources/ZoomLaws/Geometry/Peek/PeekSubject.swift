public import ZoomGeometry

/// The unchecked numbers on which a peek depends; sides may be zero or NaN.
public struct PeekInput: Sendable, Hashable {
  /// The picture's width in pixels.
  public var pictureWidth: Int
  /// The picture's height in pixels.
  public var pictureHeight: Int
  /// The size in points of the view that shows the whole picture.
  public var viewport: ViewSize
  /// The side of the peek in points; nil for the viewport's shorter side.
  public var side: Double?
  /// The number of picture pixels per point of the peek: k.
  public var scale: Double
  /// The treatment of a touch beside the shown picture.
  public var letterbox: LetterboxPolicy
  /// The touch in points of the viewport.
  public var touch: ViewPoint

  /// Creates an input.
  public init(
    pictureWidth: Int, pictureHeight: Int, viewport: ViewSize, side: Double? = nil,
    scale: Double = 1, letterbox: LetterboxPolicy = .clamp, touch: ViewPoint
  ) {
    (self.pictureWidth, self.pictureHeight) = (pictureWidth, pictureHeight)
    (self.viewport, self.side, self.scale) = (viewport, side, scale)
    (self.letterbox, self.touch) = (letterbox, touch)
  }

  /// The input as `touch (375, 474.1) on 1600x1200 in 375x667`, followed by the side, the scale and the letterbox
  /// policy if they are not the defaults.
  public var inWords: String {
    var words = "touch \(touch.inWords) on \(pictureWidth)x\(pictureHeight) in \(viewport.inWords)"
    if let side { words += ", peek of \(side.inWords) pt" }
    if scale != 1 { words += ", \(scale.inWords) px a point" }
    if letterbox == .reject { words += ", letterbox rejected" }
    return words
  }

  package var axes: FitAxes<Double> { fit(in: Double.self) }

  func fit<Number>(in numbers: Number.Type) -> FitAxes<Number> {
    FitAxes(width: pictureWidth, height: pictureHeight, viewport: viewport)
  }

  /// The length of the requested crop, in pixels: k P.
  package var wantedLength: Double { (side ?? min(viewport.width, viewport.height)) * scale }

  package var touchedPixel: (x: Double, y: Double) {
    (axes.across.nearestPixel(to: touch.x), axes.down.nearestPixel(to: touch.y))
  }

  func touching(_ touch: ViewPoint) -> PeekInput {
    var input = self
    input.touch = touch
    return input
  }
}

/// The answer of a peek to one touch.
public struct PeekAnswer: Sendable, Hashable {
  /// The crop that the peek shows, in picture pixels.
  public var crop: PictureRect
  /// The region of the picture to decode; nil if the implementation does not return one.
  public var region: PixelRegion?
  /// The outline of the crop on the screen, in points of the viewport.
  public var frame: ViewRect
  /// The part that the peek's layer shows, in fractions of the picture's sides.
  public var contentsRect: UnitRect
  /// The size of the peek in points.
  public var size: ViewSize

  /// Creates an answer.
  public init(
    crop: PictureRect, region: PixelRegion?, frame: ViewRect, contentsRect: UnitRect, size: ViewSize
  ) {
    (self.crop, self.region, self.frame) = (crop, region, frame)
    (self.contentsRect, self.size) = (contentsRect, size)
  }
}

/// An implementation of the peek at a touch, on which laws are tried.
///
///     let mine = PeekSubject(name: "mine") { input in try MyPeek(input).answer }
///     for law in PeekLaws.all { print(await law.check(mine).verdict) }
public struct PeekSubject: LawSubject {
  /// The subject's name in reports.
  public let name: String
  /// Whether it supports other scales k than 1.
  public let takesScale: Bool
  /// Returns the answer to an input; nil if nothing is shown; throws for an input that it refuses.
  public var peek: @Sendable (PeekInput) throws -> PeekAnswer?

  /// Creates a subject.
  public init(
    name: String, takesScale: Bool = true,
    peek: @escaping @Sendable (PeekInput) throws -> PeekAnswer?
  ) {
    (self.name, self.takesScale, self.peek) = (name, takesScale, peek)
  }

  /// The corrected peek.
  public static let corrected = PeekSubject(name: "peek corrected") { input in
    let setup = try PeekSetup(
      picture: PixelSize(width: input.pictureWidth, height: input.pictureHeight),
      viewport: input.viewport, side: input.side, scale: input.scale, letterbox: input.letterbox)
    return try setup.peek(at: input.touch).map { peek in
      PeekAnswer(
        crop: peek.exact, region: peek.region, frame: peek.frame,
        contentsRect: peek.contentsRect, size: peek.size)
    }
  }

  /// The peek of FlexMonkey/ForceZoom as published, without checks, k, letterbox and region.
  public static let original = PeekSubject(name: "peek original", takesScale: false) { input in
    let side = input.side ?? min(input.viewport.width, input.viewport.height)
    let peek = OriginalPeek(
      touch: input.touch, viewport: input.viewport, pictureWidth: Double(input.pictureWidth),
      pictureHeight: Double(input.pictureHeight), peekSide: side)
    return PeekAnswer(
      crop: peek.shownCrop, region: nil, frame: peek.frame, contentsRect: peek.contentsRect,
      size: ViewSize(width: side, height: side))
  }
}
