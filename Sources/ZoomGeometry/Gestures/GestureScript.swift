/// A script of touches, turns and resizes with their times, checked when it is created.
///
/// A ``GesturePlayer`` plays it on any of the systems, in its corrected or in its original form.
public struct GestureScript: Sendable, Hashable {
  /// The version of the file format; no other one is written or read.
  public static let version = 1
  /// The latest time of an event in seconds: a day.
  ///
  /// So the number of any tick up to it is at most 86,400,000 and fits every integer type used.
  public static let latestTime = 86_400.0
  /// The purpose of the script, in a few words.
  public let name: String
  /// The screen at the start.
  public let screen: Screen
  /// The number of frames per second of a moving system, 1 to 1000.
  public let framesPerSecond: Double

  /// The largest force that the hardware measures; 0 if it measures none.
  public var maximumForce: Double { forces.maximum }

  private let forces: ForceRange
  /// The kind of press; nil means force if the hardware measures it, otherwise a long press.
  public let press: PressKind?
  /// The orientation of the device at the start.
  public let device: DeviceOrientation
  /// The orientation of the interface at the start.
  public let interface: InterfaceOrientation
  /// The surroundings of the picture at the start.
  public let stage: Stage
  /// The events in order of time.
  public let events: [GestureEvent]
  /// The force of a full press on the hardware that measures it: 400 / 60.
  public static let usualMaximumForce = 400.0 / 60

  /// Creates a script.
  ///
  /// - Throws: `GeometryError` that names the event and the number if a number is not finite or out
  ///   of range, times go back, or the touches contradict the earlier ones; see
  ///   ``FingerTable/take(_:)``.
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

  /// The initial scene of a system that plays the script.
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

/// The kind of press of a script; see ``PressSource``.
public enum PressKind: String, Sendable, Hashable, Codable, CaseIterable {
  case force
  case longPress = "long-press"
  case pen
}
