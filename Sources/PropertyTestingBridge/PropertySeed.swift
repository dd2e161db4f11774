/// What the cases of a property are drawn from.
///
/// A bare number is for a run or two while a failure is looked into: the test runs with it and
/// fails, because a seed that is committed by mistake stops a property from ever seeing new cases.
public struct PropertySeed: ExpressibleByIntegerLiteral, Hashable, Sendable {
  /// The number; nil for a new one each run.
  let number: UInt64?
  /// Whether nobody said why the number is fixed.
  let isLeft: Bool

  /// A number to be removed again.
  public init(integerLiteral value: UInt64) {
    self.init(number: value, isLeft: true)
  }

  private init(number: UInt64?, isLeft: Bool) {
    self.number = number
    self.isLeft = isLeft
  }

  /// A new one each run, also where the suite fixes one.
  public static var random: PropertySeed { PropertySeed(number: nil, isLeft: false) }

  /// The same number in every run, on purpose.
  ///
  /// - Parameters:
  ///   - number: the seed.
  ///   - reason: why, for whoever reads the test. One without a visible character is no reason,
  ///     and the number counts as left in place.
  /// - Returns: Such a seed.
  public static func fixed(_ number: UInt64, because reason: String) -> PropertySeed {
    PropertySeed(number: number, isLeft: reason.allSatisfy(\.isWhitespace))
  }
}
