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

  @Test func `a quote under a combining mark is escaped too`() {
    #expect(Markup("\"\u{0301}").html == "&quot;\u{0301}")
  }

  @Test func `the page's templates escape nothing themselves`() throws {
    // Mustache escapes by characters, so an escaped tag would miss such quotes.
    for template in [PageTemplates.page, PageTemplates.comparison, PageTemplates.bench] {
      let tags = template.matches(of: /\{\{+[^#\/{^}]+\}\}+/).map { $0.output }
      #expect(!tags.isEmpty)
      for tag in tags { #expect(tag.hasPrefix("{{{") && tag.hasSuffix("}}}"), "\(tag)") }
    }
  }
}
