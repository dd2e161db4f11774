public import ZoomGeometry

/// A viewer that plays gestures and reports what it shows.
public struct ViewerSubject: LawSubject {
  /// The cost in evaluations of the peek, within a factor of 3: a case plays in a browser.
  public var caseCost: Int { 30 }
  /// The name in reports.
  public let name: String
  /// Plays a case; it blocks, and throws if the viewer cannot be tested.
  public var play: @Sendable (ViewerCase) throws -> ViewerPlay
  /// Plays a case again in a new browser context.
  public var playFresh: @Sendable (ViewerCase) throws -> ViewerPlay
  /// The viewer's traits.
  public var traits: ViewerTraits
  /// The schemes that it reads, the device pixel ratios and the sizes of pictures to try.
  public var kinds: [TileScheme], ratios: [Double], sizes: [PixelSize]

  /// Creates a viewer.
  ///
  /// - Precondition: There is a scheme, a ratio and a size.
  public init(
    _ name: String, traits: ViewerTraits, kinds: [TileScheme], ratios: [Double],
    sizes: [PixelSize], play: @escaping @Sendable (ViewerCase) throws -> ViewerPlay,
    playFresh: (@Sendable (ViewerCase) throws -> ViewerPlay)? = nil
  ) {
    precondition(
      !kinds.isEmpty && !ratios.isEmpty && !sizes.isEmpty,
      "a viewer needs a scheme, a ratio and a size")
    (self.name, self.traits, self.play, self.playFresh) = (name, traits, play, playFresh ?? play)
    (self.kinds, self.ratios, self.sizes) = (kinds, ratios, sizes)
  }
}

/// Traits of a viewer, measured once; premises of laws, never tolerances.
public struct ViewerTraits: Sendable, Hashable {
  /// The smallest and the largest length of a picture pixel in CSS pixels, for the picture and
  /// screen of the measurement.
  public var scales: ClosedRange<Double>
  /// The scale at which the picture of the measurement fits its screen.
  public var fitScale: Double
  /// The way in CSS pixels that one finger, and each of two, moves before the picture does.
  public var dragSlop = 0.0, pinchSlop = 0.0
  /// The longest time from an event to rest, in seconds.
  public var restTime = 0.5
  /// The factor of a wheel step of 100 px towards the user's screen; nil if it does not zoom.
  public var wheelFactor: Double?
  /// The effect of a double tap; nil if it has none.
  public var doubleTap: DoubleTap?
  /// Whether pinches, dragging a mouse, flicks, and turning two fingers move the picture.
  public var pinches = true, drags = true, flicks = true, turns = false
  /// The levels by which pixels at 1:1 differ from the picture's: 0 for an exact drawer, 2 for a
  /// graphics processor's; nil if the browser scales the picture.
  public var exactness: Int? = 0
  /// The functions of the page's adapter.
  public var adapter: Set<AdapterPart> = []
  /// The promises of the page.
  public var promises: Set<ViewerPromise> = []

  /// Creates traits with the measured limits of scale.
  public init(scales: ClosedRange<Double>, fitScale: Double) {
    (self.scales, self.fitScale) = (scales, fitScale)
  }

  /// Returns limits of scale for a picture on a screen, whether the viewer's own are multiples of
  /// the fit or not.
  func limits(of picture: PixelSize, on screen: Screen) -> (least: Double, largest: Double) {
    let share = TransitionLaws.fitScale(of: picture, on: screen) / fitScale
    return (
      scales.lowerBound * max(1, share), scales.upperBound * min(1, share)
    )
  }

  /// The effect of a double tap.
  public struct DoubleTap: Sendable, Hashable {
    /// The factor by which it enlarges a fitted picture.
    public var factor: Double
    /// Whether the tapped place moves to the middle of the viewport; otherwise it stays.
    public var isCentring: Bool
    /// Whether a second one returns to the fit.
    public var returns: Bool

    /// Creates an effect.
    public init(factor: Double, isCentring: Bool, returns: Bool) {
      (self.factor, self.isCentring, self.returns) = (factor, isCentring, returns)
    }
  }

  /// A function of an adapter.
  public enum AdapterPart: String, Sendable, Hashable, CaseIterable {
    case show, state, settled, open
  }
}
