public import ZoomGeometry

/// The transition from a thumbnail to full screen, and the gestures there.
public struct TransitionSubject: LawSubject {
  /// A thumbnail and the screen that its picture is to fill.
  public struct Presentation: Sendable, Hashable {
    /// The upright size of the picture in pixels.
    public var picture: PixelSize
    /// The screen.
    public var screen: Screen
    /// Where the thumbnail stands, in points of the screen.
    public var thumbnail: ViewRect
    /// The radius of its corners, in points.
    public var cornerRadius: Double
  }

  /// How the full picture is made to look like the thumbnail.
  public struct ThumbnailCrop: Sendable, Hashable {
    /// The full frame on the screen, in points.
    public var full: ViewRect
    /// The scale of the full frame.
    public var scale: Double
    /// The map from the full frame's own points to the screen's.
    public var transform: Affine
    /// What is seen, in the full frame's own points.
    public var mask: ViewRect
    /// The radius of the mask's corners, in the full frame's own points.
    public var radius: Double

    /// A crop.
    public init(
      full: ViewRect, scale: Double, transform: Affine, mask: ViewRect, radius: Double
    ) {
      self.full = full
      self.scale = scale
      self.transform = transform
      self.mask = mask
      self.radius = radius
    }
  }

  /// Something that happens at full screen.
  public enum ViewerStep: Sendable, Hashable {
    /// A finger moves, in points.
    case pan(by: ViewPoint)
    /// A finger that panned is lifted, with a velocity in points a second.
    case endPan(velocity: ViewPoint)
    /// Two fingers are put down about a place, in points of the screen.
    case beginPinch(at: ViewPoint)
    /// The fingers' distance, over that at the beginning, and their middle.
    case pinch(ratio: Double, centre: ViewPoint)
    /// The fingers are lifted.
    case endPinch
    /// The fingers are taken away.
    case cancel
    /// A single tap.
    case singleTap
    /// A double tap, at a place of the screen.
    case doubleTap(at: ViewPoint)
    /// The device is turned; hastily if it is turned on before the picture has followed.
    case turn(DeviceOrientation, isHasty: Bool)
  }

  /// The picture at full screen, when all has come to rest.
  public struct ShownPicture: Sendable, Hashable {
    /// The map from the full frame's own points to the screen's.
    public var transform: Affine
    /// The size of the full frame, in its own points.
    public var full: ViewSize
    /// The scale relative to the fit, in the turn that the picture is in.
    public var scale: Double
    /// The largest scale at which the picture may rest, relative to the fit.
    public var maximum: Double
    /// Whether the picture was asked to go back to the thumbnail.
    public var isDismissed: Bool

    /// A view.
    public init(
      transform: Affine, full: ViewSize, scale: Double, maximum: Double, isDismissed: Bool
    ) {
      self.transform = transform
      self.full = full
      self.scale = scale
      self.maximum = maximum
      self.isDismissed = isDismissed
    }
  }

  /// The end of a pan.
  public struct Throw: Sendable, Hashable {
    /// The picture's centre, in points of the screen.
    public var centre: ViewPoint
    /// In points a second.
    public var velocity: ViewPoint
    /// The size of the picture's upright box, in points.
    public var box: ViewSize
    /// The size of the screen, in points.
    public var viewport: ViewSize
  }

  /// How a pan comes to rest.
  public struct Landing: Sendable, Hashable {
    /// Where the centre comes to rest, in points of the screen.
    public var target: ViewPoint
    /// In seconds.
    public var duration: Double
    /// The ratio of the spring's damping.
    public var damping: Double

    /// A landing.
    public init(target: ViewPoint, duration: Double, damping: Double) {
      self.target = target
      self.duration = duration
      self.damping = damping
    }
  }

  /// What reports call it.
  public let name: String
  /// How the picture begins when it is presented.
  public var presented: @Sendable (Presentation) throws -> ThumbnailCrop
  /// How the picture ends when it is dismissed after some steps.
  public var dismissed: @Sendable (Presentation, [ViewerStep]) throws -> ThumbnailCrop
  /// What is seen when a share of the mask's animation is over, in the full frame's own points.
  public var mask: @Sendable (Presentation, _ share: Double, _ isClosing: Bool) throws -> ViewRect
  /// The picture at full screen after some steps, each at rest before the next unless hasty.
  public var view: @Sendable (PixelSize, Screen, [ViewerStep]) throws -> ShownPicture
  /// How a pan comes to rest.
  public var landing: @Sendable (Throw) throws -> Landing
  /// The taps among some events, decided until a time, where a tap waits for a second one for a
  /// delay.
  public var taps: @Sendable ([GestureEvent], _ delay: Double) throws -> [TapArbiter.Tap]

  /// A subject of one's own.
  public init(
    _ name: String,
    presented: @escaping @Sendable (Presentation) throws -> ThumbnailCrop,
    dismissed: @escaping @Sendable (Presentation, [ViewerStep]) throws -> ThumbnailCrop,
    mask: @escaping @Sendable (Presentation, Double, Bool) throws -> ViewRect,
    view: @escaping @Sendable (PixelSize, Screen, [ViewerStep]) throws -> ShownPicture,
    landing: @escaping @Sendable (Throw) throws -> Landing,
    taps: @escaping @Sendable ([GestureEvent], Double) throws -> [TapArbiter.Tap]
  ) {
    self.name = name
    self.presented = presented
    self.dismissed = dismissed
    self.mask = mask
    self.view = view
    self.landing = landing
    self.taps = taps
  }
}

extension TransitionSubject.Presentation {
  /// The setup in words: "1600x1200 on 375x667 @2x, thumbnail 100x100 at (20, 50), corners 5".
  public var inWords: String {
    "\(picture) on \(screen.inWords), thumbnail \(thumbnail.inWords), corners "
      + cornerRadius.inWords
  }
}

extension TransitionSubject.ViewerStep {
  /// The step in words: "pan by (10, 20)".
  public var inWords: String {
    switch self {
    case .pan(let translation): "pan by \(translation.inWords)"
    case .endPan(let velocity): "let go at \(velocity.inWords) pt/s"
    case .beginPinch(let point): "two fingers about \(point.inWords)"
    case .pinch(let ratio, let centre): "\(ratio.inWords) times apart about \(centre.inWords)"
    case .endPinch: "two fingers lifted"
    case .cancel: "cancelled"
    case .singleTap: "tap"
    case .doubleTap(let point): "double tap at \(point.inWords)"
    case .turn(let device, let isHasty): "turn to \(device)" + (isHasty ? " hastily" : "")
    }
  }
}

extension [TransitionSubject.ViewerStep] {
  /// The steps in words, one after the other: "tap, pan by (10, 20)".
  var inWords: String { isEmpty ? "nothing" : map(\.inWords).joined(separator: ", ") }
}

extension TransitionSubject.Throw {
  /// The throw in words: "picture 500x300 about (100, 100) on 375x667, let go at (0, 200) pt/s".
  public var inWords: String {
    "picture \(box.inWords) about \(centre.inWords) on \(viewport.inWords), let go at "
      + "\(velocity.inWords) pt/s"
  }
}
