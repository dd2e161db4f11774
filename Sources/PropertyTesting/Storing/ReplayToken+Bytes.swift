extension ReplayToken {
  /// What the two lowest bits of a choice's first number say.
  private enum Tag: UInt128 {
    case integer, negativeInteger, wholeFloat, otherFloat
  }

  /// The choices as bytes: numbers in groups of 7 bits, the lowest first.
  ///
  /// A number is shifted by two bits for its kind. A float that is a whole number below 2^53 is
  /// written as such; any other is its kind alone, followed by its 8 bytes.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for choice in choices {
      switch choice {
      case .integer(let choice):
        let tag: Tag = choice.isNegative ? .negativeInteger : .integer
        Self.append(UInt128(choice.magnitude) << 2 | tag.rawValue, to: &bytes)
      case .float(let choice):
        let value = choice.value
        if value.magnitude < 0x1p53, value == value.rounded(.towardZero),
          !(value == 0 && value.sign == .minus)
        {
          let number = UInt128(value.magnitude) << 1 | (value < 0 ? 1 : 0)
          Self.append(number << 2 | Tag.wholeFloat.rawValue, to: &bytes)
        } else {
          Self.append(Tag.otherFloat.rawValue, to: &bytes)
          let bits = value.bitPattern
          bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
        }
      }
    }
    return bytes
  }

  /// The token that bytes stand for.
  init(encoded bytes: some Sequence<UInt8>) throws(DamagedToken) {
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
      return .integer(
        IntegerChoice(
          magnitude: magnitude, isNegative: tag == .negativeInteger, below: .max, above: .max))
    case .wholeFloat:
      guard number < 1 << 54 else { throw .malformed }
      let magnitude = Double(UInt64(number >> 1))
      return float(number & 1 == 1 ? -magnitude : magnitude)
    case .otherFloat:
      guard number == 0 else { throw .malformed }
      var bits: UInt64 = 0
      for place in 0..<8 {
        guard let byte = rest.next() else { throw .malformed }
        bits |= UInt64(byte) << (8 * UInt64(place))
      }
      return float(Double(bitPattern: bits))
    }
  }

  private static func append(_ number: UInt128, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// The next number, or nil at the end.
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
