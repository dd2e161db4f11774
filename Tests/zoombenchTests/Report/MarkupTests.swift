import Testing

@testable import zoombench

@Suite struct MarkupTests {
  @Test(arguments: SampleResults.hostileNames)
  func `escaped text has none of what ends text or an attribute`(name: String) {
    // By scalars, because as a character, a quote with a combining mark does not equal a quote.
    for scalar in Markup.escaped(name).unicodeScalars {
      #expect(!"<>\"'".unicodeScalars.contains(scalar))
      #expect(scalar.value >= 0x20)
    }
  }
}
