/// Touches, turns and resizes with their times: what a zoom system can be played over.
///
/// A script is checked when it is made. Any of the systems plays it, in its corrected or in its
/// original form, with a ``GesturePlayer``.
public struct GestureScript: Sendable, Hashable {
  /// The version of the file format that is written, and the only one that is read.
  public static let version = 1

  /// The latest time of an event in seconds: a day.
  ///
  /// Ticks up to it are exact in integers.
  public static let latestTime = 86_400.0

  /// What the script is for, in a few words.
  public let name: String

  /// What is drawn on at first.
  public let screen: Screen

  /// How many times a second a moving system is drawn, 1 to 1000.
  public let framesPerSecond: Double

  /// The force of the hardest touch that the hardware tells apart; 0 where it does not.
  public var maximumForce: Double { forces.maximum }

  private let forces: ForceRange

  /// What tells a press; force where the hardware tells it, otherwise a long press, if nil.
  public let press: PressKind?

  /// How the device is held at first.
  public let device: DeviceOrientation

  /// How the interface is drawn at first.
  public let interface: InterfaceOrientation

  /// What is around the picture at first.
  public let stage: Stage

  /// What happens, in the order of time.
  public let events: [GestureEvent]

  /// 400 / 60: the force of a full press on the hardware that had it.
  public static let usualMaximumForce = 400.0 / 60

  /// Checks and keeps a script.
  ///
  /// - Throws: `GeometryError` that names the event and the number if a number is not finite or out
  ///   of its range, if times go back, or if a touch moves or ends that has not begun or begins
  ///   twice.
  public init(
    name: String = "", screen: Screen, framesPerSecond: Double = 60,
    maximumForce: Double = GestureScript.usualMaximumForce, press: PressKind? = nil,
    device: DeviceOrientation = .portrait, interface: InterfaceOrientation = .portrait,
    stage: Stage = Stage(), events: [GestureEvent]
  ) throws(GeometryError) {
    self.name = name
    self.screen = screen
    guard (1...1000).contains(try GeometryError.finite(framesPerSecond, "framesPerSecond")) else {
      throw GeometryError(
        argument: "framesPerSecond", value: framesPerSecond,
        reason: .contradiction("is not between 1 and 1000"))
    }
    self.framesPerSecond = framesPerSecond
    forces = try ForceRange(maximum: maximumForce)
    self.press = press
    self.device = device
    self.interface = interface
    try stage.check()
    self.stage = stage
    self.events = events
    var fingers = FingerTable(latest: Self.latestTime)
    for (number, event) in events.enumerated() {
      do {
        try fingers.take(event)
      } catch {
        throw error.inside("events[\(number)]")
      }
    }
  }

  /// Where a system begins that plays the script.
  public var scene: ZoomScene {
    let source: PressSource =
      switch press {
      case nil: PressSource(hardware: forces)
      case .force: .force(forces)
      case .longPress: .longPress(LongPress())
      case .pen: .pen(forces)
      }
    return ZoomScene(
      screen: screen, device: device, interface: interface, press: source, stage: stage)
  }
}

/// What tells how hard a picture is pressed, by its name in a script; see ``PressSource``.
public enum PressKind: String, Sendable, Hashable, Codable, CaseIterable {
  case force
  case longPress = "long-press"
  case pen
}
