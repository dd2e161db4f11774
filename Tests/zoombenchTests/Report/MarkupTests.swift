import Testing

@testable import zoombench

@Suite struct MarkupTests {
  @Test(arguments: SampleResults.hostileNames)
  func `escaped text has none of what ends text or an attribute`(name: String) {
    // By scalars: a quote with a combining mark equals no quote as a character.
    for scalar in Markup.escaped(name).unicodeScalars {
      #expect(!"<>\"'".unicodeScalars.contains(scalar))
      #expect(scalar.value >= 0x20)
    }
  }

  @Test func `a quote under a combining mark is escaped too`() {
    #expect(Markup("\"\u{0301}").html == "&quot;\u{0301}")
  }

  @Test func `the page's templates escape nothing themselves`() throws {
    // Mustache's escaping goes by characters; an escaped tag would be one that misses the above.
    for template in [PageTemplates.page, PageTemplates.comparison, PageTemplates.bench] {
      let tags = template.matches(of: /\{\{+[^#\/{^}]+\}\}+/).map { $0.output }
      #expect(!tags.isEmpty)
      for tag in tags { #expect(tag.hasPrefix("{{{") && tag.hasSuffix("}}}"), "\(tag)") }
    }
  }
}
