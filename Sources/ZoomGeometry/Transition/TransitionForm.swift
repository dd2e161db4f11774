/// The differences between the two forms of the transition: the movements of the picture between
/// thumbnail and full screen, and at full screen.
package protocol TransitionForm: Sendable {
  init(_ scene: ZoomScene, picture: PixelSize, _ transition: Transition) throws(GeometryError)

  var isMoving: Bool { get }
  mutating func advance(to time: Double)

  // These animate the picture between thumbnail and full screen, from the visible pose.
  mutating func present(at time: Double) throws(GeometryError)
  mutating func dismiss(at time: Double) throws(GeometryError)

  /// Follows the fingers, and releases the picture when a gesture ends.
  mutating func follow(_ change: FingerTracker.Change, at time: Double) throws(GeometryError)
  /// Handles a single tap and returns whether it dismisses the picture.
  mutating func singleTap(at time: Double) -> Bool
  /// Handles a double tap and returns the zoom that it starts, if any.
  mutating func doubleTap(_ point: ViewPoint, at time: Double) throws(GeometryError) -> ZoomEvent?
  /// Handles a turn of the device and returns whether the picture follows it.
  mutating func turn(
    to device: DeviceOrientation, isShown: Bool, at time: Double
  ) throws(GeometryError) -> Bool
  mutating func change(to screen: Screen, _ transition: Transition) throws(GeometryError)

  func layer(at time: Double) throws(GeometryError) -> PictureLayer
}

/// The published durations, in seconds, and curves of the transition.
enum TransitionTiming {
  static let present = 0.5
  static let dismiss = 0.3
  /// The duration of mask and corners, in both directions.
  static let mask = 0.15
  /// The duration of taps and turns.
  static let change = 0.3
  static let pinchEnd = 0.25

  static let presentCurve = TimingCurve.spring(dampingRatio: 0.7, velocity: 0)
  /// It starts at one whole way per second: 0.3 ways per duration.
  static let dismissCurve = TimingCurve.spring(dampingRatio: 1, velocity: dismiss)
}
