import PropertyTesting
import Testing

@Suite struct ReplayTokenTests {
  /// A generator of lists of choices of every kind, with the widest limits, as tokens store them.
  private static let lists = Gen<[Choice]>.array(
    of: .oneOf(
      Gens.zip(Gen<UInt64>.anyInteger, Gen<Bool>.bool).map { magnitude, isNegative in
        .integer(
          IntegerChoice(
            magnitude: magnitude, isNegative: isNegative, below: .max, above: .max))
      },
      Gen<Double>.anyDouble.map { value in
        .float(
          FloatChoice(
            value: value, low: -.greatestFiniteMagnitude, high: .greatestFiniteMagnitude,
            allowsNonFinite: true))
      }))

  @Test func `the text of a token parses to the same token`() throws {
    let wide = IntegerChoice(magnitude: .max, isNegative: true, below: .max, above: .max)
    let longest = Array(repeating: Choice.integer(wide), count: TestCase.mostChoices)
    for list in Self.lists.sample(2000, seed: 1) + [longest] {
      let token = ReplayToken(list)
      let text = token.description
      let isSame = try token.choices == list && ReplayToken(parsing: text) == token
      #expect(isSame && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
  }

  @Test func `a token with any character changed, added or left out is refused`() {
    for list in Self.lists.sample(30, seed: 2) where list.count < 8 {
      let text = Array(ReplayToken(list).description)
      for place in text.indices {
        for other in "A_-9z" where other != text[place] {
          var changed = text
          changed[place] = other
          #expect(ReplayToken(String(changed)) == nil)
          changed = text
          changed.insert(other, at: place)
          #expect(ReplayToken(String(changed)) == nil)
        }
        var shorter = text
        shorter.remove(at: place)
        #expect(ReplayToken(String(shorter)) == nil)
        #expect(ReplayToken(String(text[..<place])) == nil)
      }
    }
  }

  @Test(arguments: [
    ("", DamagedToken.notAToken), ("hello", .notAToken), ("pt_", .notAToken),
    ("pt2_AAAA", .unknownVersion("2")), ("pt1_", .checksum),
    ("pt1_AAAAAA==", .invalidCharacter("=")),
    ("pt1_AAAAAAA", .checksum), ("pt1_A", .checksum), ("pt1_AAgKCgIKADKZWa1", .checksum),
    ("pt1_ä", .invalidCharacter("ä")),
    ("pt1_AA\u{301}", .invalidCharacter("A\u{301}")), ("pt1_A\r\n", .invalidCharacter("\r\n")),
  ])
  func `the error names the reason for refusing a text`(_ text: String, _ reason: DamagedToken) {
    #expect(throws: reason) { try ReplayToken(parsing: text) }
    #expect(!reason.description.isEmpty)
  }

  @Test func `a text longer than any token is refused before it is decoded`() {
    let long = "pt1_" + String(repeating: "A", count: 1 << 20)
    #expect(throws: DamagedToken.tooLong) { try ReplayToken(parsing: long) }
  }
}
