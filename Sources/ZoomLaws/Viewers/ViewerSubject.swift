package import ZoomGeometry

/// A viewer that plays gestures and reports what it shows.
package struct ViewerSubject: LawSubject {
  /// The cost in evaluations of the peek, within a factor of 3: a case plays in a browser.
  package var caseCost: Int { 30 }
  package let name: String
  /// Plays a case; it blocks, and throws if the viewer cannot be tested.
  package var play: @Sendable (ViewerCase) throws -> ViewerPlay
  /// Plays a case again in a new browser context.
  package var playFresh: @Sendable (ViewerCase) throws -> ViewerPlay
  package var traits: ViewerTraits
  /// The schemes that it reads, the device pixel ratios and the sizes of pictures to try.
  package var kinds: [TileScheme], ratios: [Double], sizes: [PixelSize]

  /// Creates a viewer.
  ///
  /// - Precondition: There is a scheme, a ratio and a size.
  package init(
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
package struct ViewerTraits: Sendable, Hashable {
  /// The smallest and the largest length of a picture pixel in CSS pixels, for the picture and
  /// screen of the measurement.
  package var scales: ClosedRange<Double>
  /// The scale at which the picture of the measurement fits its screen.
  package var fitScale: Double
  /// The way in CSS pixels that one finger, and each of two, moves before the picture does.
  package var dragSlop = 0.0, pinchSlop = 0.0
  /// The longest time from an event to rest, in seconds.
  package var restTime = 0.5
  /// The factor of a wheel step of 100 px towards the user's screen; nil if it does not zoom.
  package var wheelFactor: Double?
  /// The effect of a double tap; nil if it has none.
  package var doubleTap: DoubleTap?
  /// Whether pinches, dragging a mouse, flicks, and turning two fingers move the picture.
  package var pinches = true, drags = true, flicks = true, turns = false
  /// The levels by which pixels at 1:1 differ from the picture's: 0 for an exact drawer, 2 for a
  /// graphics processor's; nil if the browser scales the picture.
  package var exactness: Int? = 0
  package var adapter: Set<AdapterPart> = []
  package var promises: Set<ViewerPromise> = []

  package init(scales: ClosedRange<Double>, fitScale: Double) {
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

  package struct DoubleTap: Sendable, Hashable {
    /// The factor by which it enlarges a fitted picture.
    package var factor: Double
    /// Whether the tapped place moves to the middle of the viewport; otherwise it stays.
    package var isCentring: Bool
    /// Whether a second one returns to the fit.
    package var returns: Bool

    package init(factor: Double, isCentring: Bool, returns: Bool) {
      (self.factor, self.isCentring, self.returns) = (factor, isCentring, returns)
    }
  }

  package enum AdapterPart: String, Sendable, Hashable, CaseIterable {
    case show, state, settled, open
  }
}
