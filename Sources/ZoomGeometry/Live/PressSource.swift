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
    if case .longPress = self { .none } else { range }
  }

  /// Returns whether a touch can press.
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

  /// Creates UIKit's own.
  public init() {
    duration = TouchThresholds.usual.longPress
    slop = TouchThresholds.usual.slop
  }
}

/// The forces that the hardware distinguishes: 0 to a maximum.
///
/// UIKit reports the maximum per touch (`maximumPossibleForce`): a screen and a pencil have their
/// own, and hardware without the sense has 0. The published examples hard-code 6.6, 7 or nothing.
public struct ForceRange: Sendable, Hashable {
  /// The force of the hardest touch; 0 without the sense.
  public let maximum: Double
  /// The range of the hardware that had the sense: 0 to 400/60, in steps of 1/60.
  public static let usual = ForceRange(unchecked: GestureScript.usualMaximumForce)
  /// The range of hardware without the sense of force.
  public static let none = ForceRange(unchecked: 0)

  /// Creates a range.
  ///
  /// - Parameter maximum: The force of the hardest touch: 0, or 1e-6 to `PixelSize.maximumSide`.
  /// - Throws: `GeometryError` for any other number.
  public init(maximum: Double) throws(GeometryError) {
    if try GeometryError.notNegative(maximum, "maximumForce") != 0 {
      _ = try GeometryError.length(maximum, "maximumForce")
    }
    self.init(unchecked: maximum)
  }

  private init(unchecked maximum: Double) { self.maximum = maximum }

  /// Returns the nearest force of the range.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func clamped(_ force: Double) throws(GeometryError) -> Double {
    try GeometryError.finite(force, "force").clamped(to: 0...maximum)
  }

  /// Returns the force as a fraction of the maximum, 0 to 1; 0 if the maximum is 0.
  ///
  /// - Throws: `GeometryError` if the force is NaN or infinite.
  public func share(of force: Double) throws(GeometryError) -> Double {
    share(ofClamped: try clamped(force))
  }

  /// Returns the fraction of a force that is known to be in the range.
  func share(ofClamped force: Double) -> Double { maximum > 0 ? force / maximum : 0 }
}
