/// What tells how hard a picture is pressed.
///
/// The corrected peek and the corrected force systems take any of these; what was published knows
/// only the force of fingers.
public enum PressSource: Sendable, Hashable {
  /// The force of fingers and pens, on hardware that has the sense.
  case force(ForceRange)
  /// How long a finger rests: what stands for force on hardware without it, as on every iPhone
  /// since the 11.
  case longPress(LongPress)
  /// The pressure of pens; fingers press nothing.
  case pen(ForceRange)

  /// Force where the hardware tells it, a long press where it does not.
  public init(hardware range: ForceRange) {
    self = range.maximum > 0 ? .force(range) : .longPress(LongPress())
  }

  /// The forces that it gives; a long press gives those of the usual hardware.
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

/// A press told by time: the finger stays where it came down, and the force rises evenly from 0 to
/// the largest until it has stayed long enough.
public struct LongPress: Sendable, Hashable {
  /// How long the finger stays until the force is the largest, in seconds; UIKit's own is 0.5.
  public let duration: Double

  /// How far the finger may move meanwhile, in points; UIKit's own is 10.
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
  let id: Int
  private let source: PressSource
  private let start: ViewPoint
  private let began: Double
  /// Where the touch is.
  private(set) var point: ViewPoint
  /// The force that the hardware told last.
  private var told: Double
  /// Whether it moved away before it had stayed long enough.
  private(set) var hasFailed = false

  init(_ touch: Touch, source: PressSource, at time: Double) {
    id = touch.id
    self.source = source
    start = touch.point
    began = time
    point = touch.point
    told = touch.force
  }

  /// Takes where the touch is now, and how hard.
  mutating func move(to touch: Touch, at time: Double) {
    point = touch.point
    told = touch.force
    if case .longPress(let press) = source, !isComplete(press, at: time),
      start.distance(to: point) > press.slop
    {
      hasFailed = true
    }
  }

  /// How hard it presses, in the source's range.
  func force(at time: Double) -> Double {
    switch source {
    case .force(let range), .pen(let range): return told.clamped(to: 0...range.maximum)
    case .longPress(let press):
      guard !hasFailed else { return 0 }
      return min(1, (time - began) / press.duration) * source.range.maximum
    }
  }

  /// Whether the force rises by itself.
  func isRising(at time: Double) -> Bool {
    guard case .longPress(let press) = source else { return false }
    return !hasFailed && !isComplete(press, at: time)
  }

  /// Whether a long press has lasted long enough.
  private func isComplete(_ press: LongPress, at time: Double) -> Bool {
    time - began >= press.duration
  }
}
