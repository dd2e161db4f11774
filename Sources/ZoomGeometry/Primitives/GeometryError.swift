/// A number that geometry cannot work with: its argument, its value, and the reason.
///
/// Every public function of a corrected system checks its numbers once, and throws for one that is
/// not finite or out of its range; its documentation names further reasons. Inside, all numbers
/// are finite, and lengths and scales are positive. The value is kept as text, so that two errors
/// about NaN compare equal.
public struct GeometryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason for refusing a value.
  public enum Reason: Sendable, Hashable {
    /// NaN or an infinity.
    case notFinite
    /// Zero or less where a size, a length or a scale is needed.
    case notPositive
    /// Below zero where a time or a force is needed.
    case negative
    /// Larger in magnitude than `limit`.
    case tooLarge(limit: Int)
    /// Positive, but so small that the arithmetic would lose its digits or underflow to zero.
    case tooSmall
    /// Not inside a picture of the given size.
    case outside(PixelSize)
    /// Any other reason: the predicate of the error's sentence, in words.
    case contradiction(String)
  }

  /// The name of the argument, such as "viewport.width".
  public let argument: String
  /// The value as text.
  public let value: String
  /// The reason for refusing the value.
  public let reason: Reason

  init(argument: String, value: some CustomStringConvertible, reason: Reason) {
    self.argument = argument
    self.value = value.description
    self.reason = reason
  }

  /// One line: "viewport.width: nan is not finite".
  public var description: String { "\(argument): \(value) \(reason)" }

  /// Returns the same error for an argument that is a part of another.
  func inside(_ place: String) -> GeometryError {
    GeometryError(argument: "\(place).\(argument)", value: value, reason: reason)
  }
}

extension GeometryError.Reason: CustomStringConvertible {
  /// The predicate of the error's sentence.
  public var description: String {
    switch self {
    case .notFinite: "is not finite"
    case .notPositive: "is not positive"
    case .negative: "is negative"
    case .tooLarge(let limit): "is larger in magnitude than \(limit)"
    case .tooSmall: "is too small to calculate with"
    case .outside(let size): "is not inside a picture of \(size)"
    case .contradiction(let sentence): sentence
    }
  }
}

// Checks at the public boundary. Each returns its argument, so that only checked values are stored.
extension GeometryError {
  private static func require<Value: CustomStringConvertible>(
    _ value: Value, _ argument: String, _ reason: Reason, _ condition: Bool
  ) throws(GeometryError) -> Value {
    guard condition else { throw GeometryError(argument: argument, value: value, reason: reason) }
    return value
  }

  static func finite(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    try require(value, argument, .notFinite, value.isFinite)
  }

  static func positive(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    try require(finite(value, argument), argument, .notPositive, value > 0)
  }

  static func notNegative(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    try require(finite(value, argument), argument, .negative, value >= 0)
  }

  /// Returns `value` if it is in 0...1; throws otherwise.
  static func unit(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    try require(notNegative(value, argument), argument, .tooLarge(limit: 1), value <= 1)
  }

  /// Returns `value` if it is finite and at most `PixelSize.maximumSide` in magnitude; throws otherwise.
  ///
  /// The products of a few such numbers are finite, too.
  static func point(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    let limit = PixelSize.maximumSide
    return try require(
      finite(value, argument), argument, .tooLarge(limit: limit), abs(value) <= Double(limit))
  }

  /// Returns `value` if it is a length on a screen, 1e-6 points to `PixelSize.maximumSide`; throws otherwise.
  ///
  /// The quotient of any two lengths is finite and far from underflow.
  static func length(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    try require(point(positive(value, argument), argument), argument, .tooSmall, value >= 1e-6)
  }

  static func point(_ value: ViewPoint, _ argument: String) throws(GeometryError) -> ViewPoint {
    ViewPoint(x: try point(value.x, argument + ".x"), y: try point(value.y, argument + ".y"))
  }

  static func size(_ value: ViewSize, _ argument: String) throws(GeometryError) -> ViewSize {
    ViewSize(
      width: try length(value.width, argument + ".width"),
      height: try length(value.height, argument + ".height"))
  }

  static func rect(_ value: ViewRect, _ argument: String) throws(GeometryError) -> ViewRect {
    let origin = try point(value.origin, argument)
    let size = try size(value.size, argument)
    return ViewRect(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// Returns `value` if it is a side of a picture, 1 to `PixelSize.maximumSide`; throws otherwise.
  static func side(_ value: Int, _ argument: String) throws(GeometryError) -> Int {
    try coordinate(require(value, argument, .notPositive, value > 0), argument)
  }

  /// Returns `value` if it is at most `PixelSize.maximumSide` in magnitude; throws otherwise.
  static func coordinate(_ value: Int, _ argument: String) throws(GeometryError) -> Int {
    // The magnitude of `Int.min` exceeds `Int.max`.
    let limit = PixelSize.maximumSide
    return try require(
      value, argument, .tooLarge(limit: limit), value >= -limit && value <= limit)
  }
}

extension Double {
  /// Returns the nearest number of the closed range.
  ///
  /// No number is nearest to NaN, so it must not get here: `min` and `max` return it or drop it
  /// depending on the order of their arguments. The published formula's order returns it (FZ-B7).
  ///
  /// - Precondition: This number is not NaN.
  package func clamped(to range: ClosedRange<Double>) -> Double {
    precondition(!isNaN, "NaN cannot be clamped")
    return clampedAsPublished(range.lowerBound, range.upperBound)
  }

  /// Returns the nearest number from `low` to `high` as most of the published formulas find it.
  ///
  /// NaN stays NaN, and an empty range is accepted.
  func clampedAsPublished(_ low: Double, _ high: Double) -> Double {
    if self < low { return low }
    return self > high ? high : self
  }
}
