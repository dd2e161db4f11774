/// A line of letters, digits, `-` and `_` that identifies one case of a property.
///
/// The token repeats the case as long as the generator draws the same choices; a stored value may stay valid longer
/// than its token.
public struct ReplayToken: Hashable, Sendable {
  /// The choices, each with the widest limits; a replay takes the limits from the generator.
  package let choices: [Choice]

  package init(_ choices: [Choice]) { self.choices = choices.map(\.unlimited) }
}

extension Choice {
  /// The same choice with the widest limits; every NaN becomes the canonical NaN, the only one that generators make.
  var unlimited: Choice {
    switch self {
    case .integer(let choice): .unlimited(choice.magnitude, isNegative: choice.isNegative)
    case .float(let choice): .unlimited(choice.value)
    }
  }

  fileprivate static func unlimited(_ magnitude: UInt64, isNegative: Bool) -> Choice {
    .integer(IntegerChoice(magnitude: magnitude, isNegative: isNegative, below: .max, above: .max))
  }

  fileprivate static func unlimited(_ value: Double) -> Choice {
    .float(
      FloatChoice(
        value: value.isNaN ? .nan : value, low: -.greatestFiniteMagnitude,
        high: .greatestFiniteMagnitude, allowsNonFinite: true))
  }
}

/// The reason why a text is not a replay token.
public enum DamagedToken: Error, Hashable, Sendable, CustomStringConvertible {
  case notAToken, tooLong, checksum, malformed
  case unknownVersion(String)
  case invalidCharacter(Character)

  /// The error, as a sentence.
  public var description: String {
    switch self {
    case .notAToken: "this is not a replay token: it does not begin with \"pt1_\""
    case .unknownVersion(let version): "replay tokens of version \(version) are not supported here"
    case .tooLong: "the replay token is longer than that of any case"
    case .invalidCharacter(let character):
      "a replay token cannot contain \(String(reflecting: character))"
    case .checksum: "the replay token is truncated or altered: its checksum is wrong"
    case .malformed: "the replay token does not hold a list of choices"
    }
  }
}

extension ReplayToken: LosslessStringConvertible {
  private static let prefix = "pt1_"
  /// The greatest size of a token: a choice takes at most 10 bytes (66 bits in groups of 7).
  private static let mostBytes = TestCase.mostChoices * 10 + 8

  /// The text of the token: its version, then its choices and their checksum in base64url.
  public var description: String {
    var bytes = encoded
    let checksum = Self.checksum(bytes)
    bytes.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) })
    return Self.prefix + Base64URL.encode(bytes)
  }

  /// Creates a token from its text, or returns nil if the text is invalid; `init(parsing:)` throws the reason.
  public init?(_ description: String) {
    guard let token = try? ReplayToken(parsing: description) else { return nil }
    self = token
  }

  /// Creates a token from its text in the format of `description`; throws the reason if the text is invalid.
  public init(parsing text: String) throws(DamagedToken) {
    guard text.hasPrefix(Self.prefix) else {
      guard text.hasPrefix("pt"), let end = text.firstIndex(of: "_"),
        case let version = text[..<end].dropFirst(2), version.count < 10, !version.isEmpty,
        version.allSatisfy(\.isNumber)
      else { throw .notAToken }
      throw .unknownVersion(String(version))
    }
    let encoded = text.dropFirst(Self.prefix.count)
    guard encoded.utf8.count <= Self.mostBytes * 4 / 3 + 4 else { throw .tooLong }
    let bytes = try Base64URL.decode(encoded)
    guard bytes.count >= 4 else { throw .checksum }
    let (content, ending) = (bytes.dropLast(4), bytes.suffix(4))
    let checksum = ending.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard Self.checksum(content) == checksum else { throw .checksum }
    try self.init(encoded: content)
  }

  /// Returns the CRC-32 (ISO 3309), which detects every burst error of up to 32 bits.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 {
        let polynomial: UInt32 = register & 1 == 1 ? 0xEDB8_8320 : 0
        register = (register >> 1) ^ polynomial
      }
    }
    return ~register
  }
}

/// Base64 as in RFC 4648 with `-` and `_`, without padding.
private enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let word = value << UInt32(8 * (3 - group.count))
      for place in 0...group.count {
        let shifted: UInt32 = word >> UInt32(18 - 6 * place)
        text.append(alphabet[Int(shifted & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: Substring) throws(DamagedToken) -> [UInt8] {
    var bytes: [UInt8] = []
    var (register, bits) = (UInt32(0), 0)
    for character in text {
      guard character.utf8.count == 1, let byte = character.utf8.first,
        let value = alphabet.firstIndex(of: byte)
      else { throw .invalidCharacter(character) }
      register = (register << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: register >> UInt32(bits)))
      }
    }
    // Fewer than six bits may remain, and all must be zero, so that no two texts decode to the same bytes.
    guard bits < 6, register & (1 << UInt32(bits) - 1) == 0 else { throw .checksum }
    return bytes
  }
}

extension ReplayToken {
  /// The kind of a choice, in the two lowest bits of its first number.
  private enum Tag: UInt128 {
    case integer, negativeInteger, wholeFloat, otherFloat
  }

  /// The choices as bytes: numbers in groups of 7 bits, the lowest first.
  ///
  /// The two lowest bits of a number are its kind. A float that is a whole number below 2^53 is written as a number;
  /// any other float is written as its kind, followed by its 8 bytes.
  private var encoded: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: UInt128, _ tag: Tag) {
      var rest = number << 2 | tag.rawValue
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    for choice in choices {
      switch choice {
      case .integer(let choice):
        append(UInt128(choice.magnitude), choice.isNegative ? .negativeInteger : .integer)
      case .float(let choice):
        let value = choice.value
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53,
          whole != 0 || value.sign == .plus
        {
          append(UInt128(whole.magnitude) << 1 | (whole < 0 ? 1 : 0), .wholeFloat)
        } else {
          append(0, .otherFloat)
          bytes += (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }
      }
    }
    return bytes
  }

  private init(encoded bytes: some Sequence<UInt8>) throws(DamagedToken) {
    var rest = bytes.makeIterator()
    var choices: [Choice] = []
    while let number = try Self.number(from: &rest) {
      guard choices.count < TestCase.mostChoices, let tag = Tag(rawValue: number & 3) else {
        throw .malformed
      }
      choices.append(try Self.choice(tag, number >> 2, &rest))
    }
    self.init(choices)
  }

  private static func choice(
    _ tag: Tag, _ number: UInt128, _ rest: inout some IteratorProtocol<UInt8>
  ) throws(DamagedToken) -> Choice {
    switch tag {
    case .integer, .negativeInteger:
      guard let magnitude = UInt64(exactly: number) else { throw .malformed }
      return .unlimited(magnitude, isNegative: tag == .negativeInteger)
    case .wholeFloat:
      guard number < 1 << 54 else { throw .malformed }
      let magnitude = Double(UInt64(number >> 1))
      return .unlimited(number & 1 == 1 ? -magnitude : magnitude)
    case .otherFloat:
      guard number == 0 else { throw .malformed }
      var bits: UInt64 = 0
      for place in 0..<8 {
        guard let byte = rest.next() else { throw .malformed }
        bits |= UInt64(byte) << (8 * UInt64(place))
      }
      return .unlimited(Double(bitPattern: bits))
    }
  }

  /// Reads the next number; returns nil at the end.
  private static func number(
    from bytes: inout some IteratorProtocol<UInt8>
  ) throws(DamagedToken) -> UInt128? {
    guard var byte = bytes.next() else { return nil }
    var (number, shift) = (UInt128(0), UInt128(0))
    while true {
      number |= UInt128(byte & 0x7F) << shift
      guard byte & 0x80 != 0 else { return number }
      shift += 7
      // The longest number has 66 bits, in ten groups.
      guard shift < 70, let next = bytes.next() else { throw .malformed }
      byte = next
    }
  }
}
