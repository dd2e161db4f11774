// The checks at the door. Each returns its argument, so that a check and the storing of the value
// cannot drift apart.

extension GeometryError {
  /// Returns `value`, which is neither NaN nor infinite.
  static func finite(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    guard value.isFinite else {
      throw GeometryError(argument: argument, value: value, reason: .notFinite)
    }
    return value
  }

  /// Returns `value`, which is finite and above zero.
  static func positive(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    guard try finite(value, argument) > 0 else {
      throw GeometryError(argument: argument, value: value, reason: .notPositive)
    }
    return value
  }

  /// Returns `value`, which is a side of a picture: 1 to `PixelSize.maximumSide`.
  static func side(_ value: Int, _ argument: String) throws(GeometryError) -> Int {
    guard value > 0 else {
      throw GeometryError(argument: argument, value: value, reason: .notPositive)
    }
    return try coordinate(value, argument)
  }

  /// Returns `value`, which is at most `PixelSize.maximumSide` in magnitude.
  static func coordinate(_ value: Int, _ argument: String) throws(GeometryError) -> Int {
    // Not `abs(value)`, which traps for Int.min.
    guard value >= -PixelSize.maximumSide, value <= PixelSize.maximumSide else {
      let reason = Reason.tooLarge(limit: PixelSize.maximumSide)
      throw GeometryError(argument: argument, value: value, reason: reason)
    }
    return value
  }
}
