/// The initial surroundings of a zoom system.
public struct ZoomScene: Sendable, Hashable {
  /// The screen to draw on.
  public var screen: Screen
  /// The orientation of the device.
  public var device: DeviceOrientation
  /// The orientation of the interface.
  public var interface: InterfaceOrientation
  /// The source of the force that presses the picture.
  ///
  /// The published systems ignore the kind: they take the force of every touch. For a long press
  /// their largest force is 0, so a published peek never opens.
  public var press: PressSource
  /// The views around the picture.
  public var stage: Stage

  /// Creates a scene.
  public init(
    screen: Screen, device: DeviceOrientation = .portrait,
    interface: InterfaceOrientation = .portrait, press: PressSource = .force(.usual),
    stage: Stage = Stage()
  ) {
    self.screen = screen
    self.device = device
    self.interface = interface
    self.press = press
    self.stage = stage
  }
}

/// The limits by which our recognisers distinguish gestures.
///
/// The long press has UIKit's numbers. UIKit does not publish the others; those are measured or
/// chosen.
public struct TouchThresholds: Sendable, Hashable {
  /// The numbers that all systems use.
  public static let usual = TouchThresholds()
  /// The distance that a finger may move and still tap or press long, in points.
  public let slop = 10.0
  /// The time that a first tap waits for a second, in seconds.
  public let tapDelay = 0.35
  /// The largest distance of the two taps of a double tap, in points.
  public let tapReach = 45.0
  /// The time until a long press is complete, in seconds.
  public let longPress = 0.5
  /// The shares of the largest force at which a peek opens, and at which it is committed.
  public let peekOpening = 0.2, peekCommitment = 0.75
}
