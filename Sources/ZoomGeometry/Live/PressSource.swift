/// The way in which a picture is pressed.
///
/// The corrected peek and the corrected force systems take any of these; the published ones know
/// only the force of fingers.
public enum PressSource: Sendable, Hashable {
  /// The force of fingers and pens, on hardware that has the sense.
  case force(ForceRange)
  /// The time that a finger rests: it replaces force on hardware without the sense, as on every
  /// iPhone since the 11.
  case longPress(LongPress)
  /// The pressure of pens; fingers press nothing.
  case pen(ForceRange)

  /// Creates a source of force if the hardware has the sense, otherwise one of long presses.
  public init(hardware range: ForceRange) {
    self = range.maximum > 0 ? .force(range) : .longPress(LongPress())
  }

  /// The range of its forces; a long press has the one of the usual hardware.
  public var range: ForceRange {
    switch self {
    case .force(let range), .pen(let range): range
    case .longPress: .usual
    }
  }

  /// The forces of the hardware, which is all that the published systems know.
  var hardware: ForceRange {
    switch self {
    case .force(let range), .pen(let range): range
    case .longPress: .none
    }
  }

  /// Whether a touch can press.
  func accepts(_ touch: Touch) -> Bool {
    if case .pen = self { touch.isPen } else { true }
  }
}

/// A press measured in time: the finger stays at the point where it came down, and the force rises
/// evenly from 0 to the largest until it has stayed long enough.
public struct LongPress: Sendable, Hashable {
  /// The time until the force is the largest, in seconds; UIKit's is 0.5.
  public let duration: Double

  /// The distance that the finger may move meanwhile, in points; UIKit's is 10.
  public let slop: Double

  /// Creates a long press.
  ///
  /// - Throws: `GeometryError` if the duration is not 0.01 to 60 seconds, or the slop negative or
  ///   too large.
  public init(duration: Double, slop: Double = 10) throws(GeometryError) {
    guard (0.01...60).contains(try GeometryError.finite(duration, "duration")) else {
      throw GeometryError(
        argument: "duration", value: duration,
        reason: .contradiction("is not between 0.01 and 60 seconds"))
    }
    self.duration = duration
    self.slop = try GeometryError.point(GeometryError.notNegative(slop, "slop"), "slop")
  }

  /// UIKit's own: half a second, 10 points.
  public init() {
    duration = 0.5
    slop = 10
  }
}

/// The one touch that presses, and how hard.
struct Press: Sendable, Hashable {
  private let source: PressSource
  private let began: Double
  /// The number of its touch.
  let id: Int
  /// The point to which it was followed.
  private(set) var point: ViewPoint
  /// The force that the hardware reported last.
  private var reported: Double
  /// Whether it moved away before it had stayed long enough.
  private(set) var hasFailed = false

  init(_ touch: Touch, source: PressSource, at time: Double) {
    self.source = source
    began = time
    id = touch.id
    point = touch.point
    reported = touch.force
  }

  /// Takes the place and the force of the touch.
  ///
  /// - Parameter fingers: The fingers, updated with the event.
  mutating func move(to touch: Touch, _ fingers: FingerTable) {
    point = touch.point
    reported = touch.force
    if case .longPress(let press) = source, !isComplete(press, at: fingers.time),
      let start = fingers[id]?.start, start.distance(to: point) > press.slop
    {
      hasFailed = true
    }
  }

  /// The force in the source's range.
  func force(at time: Double) -> Double {
    switch source {
    case .force(let range), .pen(let range): return reported.clamped(to: 0...range.maximum)
    case .longPress(let press):
      guard !hasFailed else { return 0 }
      return min(1, (time - began) / press.duration) * source.range.maximum
    }
  }

  /// Whether the force rises without an event.
  func isRising(at time: Double) -> Bool {
    guard case .longPress(let press) = source else { return false }
    return !hasFailed && !isComplete(press, at: time)
  }

  /// Whether a long press has lasted long enough.
  private func isComplete(_ press: LongPress, at time: Double) -> Bool {
    time - began >= press.duration
  }
}
