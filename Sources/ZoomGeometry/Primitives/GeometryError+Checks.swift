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

  /// Returns `value`, which is finite and zero or above.
  static func notNegative(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    guard try finite(value, argument) >= 0 else {
      throw GeometryError(argument: argument, value: value, reason: .negative)
    }
    return value
  }

  /// Returns `value`, which is in 0...1.
  static func unit(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    guard try notNegative(value, argument) <= 1 else {
      throw GeometryError(argument: argument, value: value, reason: .tooLarge(limit: 1))
    }
    return value
  }

  /// Returns `value`, which is finite and small enough that products of a few such numbers are
  /// finite too.
  static func point(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    guard abs(try finite(value, argument)) <= Double(PixelSize.maximumSide) else {
      let reason = Reason.tooLarge(limit: PixelSize.maximumSide)
      throw GeometryError(argument: argument, value: value, reason: reason)
    }
    return value
  }

  /// Returns a point with coordinates that `point(_:_:)` lets pass.
  static func point(_ value: ViewPoint, _ argument: String) throws(GeometryError) -> ViewPoint {
    ViewPoint(x: try point(value.x, argument + ".x"), y: try point(value.y, argument + ".y"))
  }

  /// Returns a size whose sides are above zero and of a length that can be calculated with.
  static func size(_ value: ViewSize, _ argument: String) throws(GeometryError) -> ViewSize {
    ViewSize(
      width: try length(value.width, argument + ".width"),
      height: try length(value.height, argument + ".height"))
  }

  /// Returns a rectangle with a corner and sides of numbers that can be calculated with.
  static func rect(_ value: ViewRect, _ argument: String) throws(GeometryError) -> ViewRect {
    ViewRect(
      x: try point(value.x, argument + ".x"), y: try point(value.y, argument + ".y"),
      width: try length(value.width, argument + ".width"),
      height: try length(value.height, argument + ".height"))
  }

  /// Returns `value`, which is a length on a screen.
  ///
  /// That is 1e-6 points, a millionth of what can be seen, to `PixelSize.maximumSide`: quotients of
  /// any two are finite and far from underflow.
  static func length(_ value: Double, _ argument: String) throws(GeometryError) -> Double {
    guard try point(positive(value, argument), argument) >= 1e-6 else {
      throw GeometryError(argument: argument, value: value, reason: .tooSmall)
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
