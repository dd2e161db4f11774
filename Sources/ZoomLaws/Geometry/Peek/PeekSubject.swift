public import ZoomGeometry

/// What an implementation of the peek says for one touch.
public struct PeekAnswer: Sendable, Hashable {
  /// What the peek shows, in picture pixels.
  public var crop: PictureRect
  /// What of the picture is to be decoded; nil where the implementation does not say.
  public var region: PixelRegion?
  /// The outline drawn around what the peek shows, in points of the viewport.
  public var frame: ViewRect
  /// What the peek's layer is told to show, as fractions of the picture's sides.
  public var contentsRect: UnitRect
  /// The size of the peek in points.
  public var size: ViewSize

  /// Creates an answer.
  public init(
    crop: PictureRect, region: PixelRegion?, frame: ViewRect, contentsRect: UnitRect, size: ViewSize
  ) {
    self.crop = crop
    self.region = region
    self.frame = frame
    self.contentsRect = contentsRect
    self.size = size
  }
}

/// An implementation of the peek at a touch, ours or anyone's, to hold laws against.
///
///     let mine = PeekSubject(name: "mine") { input in try MyPeek(input).answer }
///     for law in PeekLaws.all { print(await law.check(mine).verdict) }
public struct PeekSubject: LawSubject {
  /// What reports call it.
  public let name: String
  /// Whether the scale k means anything to it; where not, it is only asked for k = 1.
  public let takesScale: Bool
  /// Answers one input: nil where nothing is shown; throws for an input that it refuses.
  public var peek: @Sendable (PeekInput) throws -> PeekAnswer?

  /// Creates a subject.
  public init(
    name: String, takesScale: Bool = true,
    peek: @escaping @Sendable (PeekInput) throws -> PeekAnswer?
  ) {
    self.name = name
    self.takesScale = takesScale
    self.peek = peek
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

  /// The peek as FlexMonkey/ForceZoom published it: it checks nothing, knows neither k nor the
  /// letterbox, and makes no integer region.
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
