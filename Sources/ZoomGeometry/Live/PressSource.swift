/// The source of the force that presses a picture.
///
/// The corrected peek and the corrected force systems take any of these; the published ones know
/// only the force of fingers.
public enum PressSource: Sendable, Hashable {
  /// The force of fingers and pens, on hardware that measures it.
  case force(ForceRange)
  /// The time that a finger rests, in place of force on hardware that does not measure it, such as
  /// every iPhone since the 11.
  case longPress(LongPress)
  /// The force of pens; fingers are ignored.
  case pen(ForceRange)

  /// Creates a source of force if the hardware measures it, otherwise one of long presses.
  public init(hardware range: ForceRange) {
    self = range.maximum > 0 ? .force(range) : .longPress(LongPress())
  }

  /// The range of its forces; for a long press, the range of the usual hardware.
  public var range: ForceRange {
    switch self {
    case .force(let range), .pen(let range): range
    case .longPress: .usual
    }
  }

  /// The range of the hardware's forces; the published systems know no other source.
  var hardware: ForceRange {
    if case .longPress = self { .none } else { range }
  }

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
  public init(duration: Double, slop: Double = TouchThresholds.usual.slop) throws(GeometryError) {
    guard (0.01...60).contains(try GeometryError.finite(duration, "duration")) else {
      throw GeometryError(
        argument: "duration", value: duration,
        reason: .contradiction("is not between 0.01 and 60 seconds"))
    }
    self.duration = duration
    self.slop = try GeometryError.point(GeometryError.notNegative(slop, "slop"), "slop")
  }

  /// Creates a long press with UIKit's numbers.
  public init() {
    duration = TouchThresholds.usual.longPress
    slop = TouchThresholds.usual.slop
  }
}

/// The forces that the hardware distinguishes: 0 to a maximum.
///
/// UIKit reports the maximum per touch (`maximumPossibleForce`): a screen and a pencil differ, and
/// hardware that does not measure force has 0. The published examples hard-code 6.6, 7 or nothing.
public struct ForceRange: Sendable, Hashable {
  /// The force of the hardest touch; 0 if the hardware does not measure force.
  public let maximum: Double
  /// The range of Apple's screens that measured force: 0 to 400/60, in steps of 1/60.
  public static let usual = ForceRange(unchecked: GestureScript.usualMaximumForce)
  /// The range of hardware that does not measure force.
  public static let none = ForceRange(unchecked: 0)

  /// Creates a range of a maximum of 0, or of 1e-6 to `PixelSize.maximumSide`.
  public init(maximum: Double) throws(GeometryError) {
    if try GeometryError.notNegative(maximum, "maximumForce") != 0 {
      _ = try GeometryError.length(maximum, "maximumForce")
    }
    self.init(unchecked: maximum)
  }

  private init(unchecked maximum: Double) { self.maximum = maximum }

  /// Returns the nearest force of the range.
  public func clamped(_ force: Double) throws(GeometryError) -> Double {
    try GeometryError.finite(force, "force").clamped(to: 0...maximum)
  }

  /// Returns the force as a fraction of the maximum, 0 to 1; 0 if the maximum is 0.
  public func share(of force: Double) throws(GeometryError) -> Double {
    share(ofClamped: try clamped(force))
  }

  /// Returns a force that is known to be in the range as a fraction of the maximum.
  func share(ofClamped force: Double) -> Double { maximum > 0 ? force / maximum : 0 }
}
