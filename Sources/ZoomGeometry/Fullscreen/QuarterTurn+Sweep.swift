extension QuarterTurn {
  /// The turn as an angle in quarter turns clockwise, -1 to 2: exact, where radians are not.
  var quarters: Double {
    switch self {
    case .none: 0
    case .clockwise: 1
    case .half: 2
    case .counterclockwise: -1
    }
  }

  /// Returns the way from an angle to another that an animation takes, in quarter turns clockwise.
  ///
  /// It is the shorter way. Between the two landscapes, and between upright and upside down, both
  /// ways are a half turn, and interpolating the matrices number by number takes neither: it
  /// passes through a map that shrinks everything to a point (ZV-B10). Decided here: landscape to
  /// landscape goes by way of upright, as a hand turns a device; upright to upside down goes
  /// clockwise, and every way back is the way there reversed.
  /// - Parameters:
  ///   - start: In quarter turns, like `end`; both less than 5 apart.
  ///   - end: An exact half turn keeps the sign of the difference, which for the angles of `quarters`
  ///     is the rule above.
  /// - Returns: -2 to 2.
  static func sweep(from start: Double, to end: Double) -> Double {
    let way = end - start
    if way > 2 { return way - 4 }
    if way < -2 { return way + 4 }
    return way
  }
}
