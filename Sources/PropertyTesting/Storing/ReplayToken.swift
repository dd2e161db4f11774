/// Names one case of a property in one line of letters, digits, `-` and `_`.
///
/// Running the property on the token gives the same case again for as long as its generator draws
/// the same; a token is meant for the same day, a stored value for longer.
public struct ReplayToken: Hashable, Sendable {
  /// What was chosen; limits are the widest, for a replay asks the generator for them.
  package let choices: [Choice]

  /// The token of a list of choices.
  package init(_ choices: [Choice]) { self.choices = choices.map(Self.withoutLimits) }

  private static func withoutLimits(_ choice: Choice) -> Choice {
    switch choice {
    case .integer(let choice):
      .integer(
        IntegerChoice(
          magnitude: choice.magnitude, isNegative: choice.isNegative, below: .max, above: .max))
    case .float(let choice): float(choice.value)
    }
  }

  /// A float without limits; any NaN is the one NaN, as all that a generator makes are.
  static func float(_ value: Double) -> Choice {
    .float(
      FloatChoice(
        value: value.isNaN ? .nan : value, low: -.greatestFiniteMagnitude,
        high: .greatestFiniteMagnitude, allowsNonFinite: true))
  }
}

/// Says that a text is no replay token.
public enum DamagedToken: Error, Hashable, Sendable, CustomStringConvertible {
  /// It does not begin as tokens do.
  case notAToken
  /// It was written in a format that this version does not know.
  case unknownVersion(String)
  /// It is longer than the token of any case.
  case tooLong
  /// It holds a character that no token holds.
  case invalidCharacter(Character)
  /// It was cut short or changed.
  case checksum
  /// Its bytes are not those of a list of choices.
  case malformed

  /// What is wrong with it.
  public var description: String {
    switch self {
    case .notAToken: "this is no replay token: one begins with \"pt1_\""
    case .unknownVersion(let version): "replay tokens of version \(version) are not known here"
    case .tooLong: "the replay token is longer than that of any case"
    case .invalidCharacter(let character):
      "a replay token holds no \(String(reflecting: character))"
    case .checksum: "the replay token was cut short or changed: its checksum is wrong"
    case .malformed: "the replay token does not hold a list of choices"
    }
  }
}
