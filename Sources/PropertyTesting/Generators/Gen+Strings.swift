extension Gen where Value == Unicode.Scalar {
  /// Any Unicode scalar; printable ASCII comes up most, and awkward ones often.
  public static var anyScalar: Gen {
    let printable = Gen<UInt8>.integer(in: 0x20...0x7E, shrinkingTowards: 0x61)
    let any = Gen<UInt32>.integer(in: 0...0x10FFFF, shrinkingTowards: 0x61)
    return .weighted([
      (8, printable.map { Unicode.Scalar($0) }),
      (2, .element(of: awkward)),
      (2, any.compactMap { Unicode.Scalar($0) }),
    ])
  }

  /// Scalars that programs stumble over: controls, separators, joiners and combining marks, text
  /// from right to left, the byte order mark, the last of each plane.
  private static var awkward: [Unicode.Scalar] {
    [
      "\u{0}", "\t", "\n", "\r", "\"", "\\", "\u{7F}", "\u{85}", "\u{A0}", "\u{DF}", "\u{130}",
      "\u{301}", "\u{5D0}", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2028}", "\u{FE0F}",
      "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{1F600}", "\u{1F1E6}", "\u{10FFFF}",
    ]
  }
}

extension Gen where Value == Character {
  /// A character of some text; the earlier is the simpler.
  ///
  /// - Parameter text: at least one character.
  /// - Returns: Such a generator.
  public static func character(of text: String) -> Gen { .element(of: Array(text)) }
}

extension Gen where Value == String {
  /// A text of given characters; the shorter is the simpler.
  public static func string(
    of character: Gen<Character>, count: ClosedRange<Int> = 0...32
  ) -> Gen {
    Gen<[Character]>.array(of: character, count: count).map { String($0) }
  }

  /// Any text, of up to some Unicode scalars.
  public static func anyString(count: ClosedRange<Int> = 0...32) -> Gen {
    Gen<[Unicode.Scalar]>.array(of: .anyScalar, count: count).map { scalars in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
  }
}
