/// What the two forms of the transition do differently: how the picture moves between thumbnail and
/// full screen, and there.
package protocol TransitionForm: Sendable {
  init(_ scene: ZoomScene, picture: PixelSize, _ transition: Transition) throws(GeometryError)

  /// Whether something is on its way.
  var isMoving: Bool { get }

  /// Ends what is over.
  mutating func advance(to time: Double)

  /// Sets out from the thumbnail to full screen.
  mutating func present(at time: Double) throws(GeometryError)

  /// Sets out for the thumbnail from wherever the picture is.
  mutating func dismiss(at time: Double) throws(GeometryError)

  /// Follows a finger.
  mutating func pan(by translation: ViewPoint, at time: Double)

  /// Lets the picture go after a pan.
  mutating func endPan(velocity: ViewPoint, at time: Double) throws(GeometryError)

  /// Puts two fingers on the picture.
  mutating func beginPinch(at centre: ViewPoint, time: Double) throws(GeometryError)

  /// Follows two fingers.
  mutating func pinch(_ pinch: FingerTracker.Pinch, at time: Double) throws(GeometryError)

  /// Lets the picture go after a pinch.
  mutating func endPinch(at time: Double) throws(GeometryError)

  /// Lets the picture go because the touches were taken away.
  mutating func cancel(at time: Double) throws(GeometryError)

  /// Takes a single tap; returns whether it asks for dismissal.
  mutating func singleTap(at time: Double) -> Bool

  /// Takes a double tap; returns what it sets off, if anything.
  mutating func doubleTap(_ point: ViewPoint, at time: Double) throws(GeometryError) -> ZoomEvent?

  /// Takes a turn of the device; returns whether the picture follows it.
  mutating func turn(
    to device: DeviceOrientation, isShown: Bool, at time: Double
  ) throws(GeometryError) -> Bool

  /// Takes another screen.
  mutating func change(to screen: Screen, _ transition: Transition) throws(GeometryError)

  /// What is drawn of the picture.
  func layer(at time: Double) throws(GeometryError) -> PictureLayer
}

/// The published times and curves of the transition, in seconds.
enum TransitionTiming {
  static let present = 0.5
  static let dismiss = 0.3
  /// Mask and corners, in both directions.
  static let mask = 0.15
  /// Taps and turns.
  static let change = 0.3
  /// The end of a pinch.
  static let pinchEnd = 0.25

  static let presentCurve = TimingCurve.spring(dampingRatio: 0.7, velocity: 0)
  /// It starts at one distance a second: 0.3 distances a duration.
  static let dismissCurve = TimingCurve.spring(dampingRatio: 1, velocity: dismiss)
}
