import Foundation
import FoundationXML
import Testing

@testable import zoombench

@Suite struct VerifyJUnitTests {
  /// Collects the elements and text of XML.
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      elements.append((name, attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  private func read(_ rows: VerifyReport.LawRow...) throws -> Reader {
    let xml = JUnit(SampleVerifyReport.report(rows)).rendered()
    let reader = Reader()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = reader
    try #require(parser.parse(), "no XML: \(xml)")
    return reader
  }

  @Test func `each law is a test case, and the totals are right`() throws {
    let reader = try read(
      SampleVerifyReport.row("FZ-P1"),
      SampleVerifyReport.row("FZ-P2", verdict: .broken, breaches: [SampleVerifyReport.breach()]),
      SampleVerifyReport.row("FZ-P3", verdict: .undecided))
    let suite = try #require(reader.elements.first { $0.name == "testsuite" })
    #expect(suite.attributes["tests"] == "3")
    #expect(suite.attributes["failures"] == "1")
    #expect(suite.attributes["skipped"] == "1")
    #expect(reader.elements.count { $0.name == "testcase" } == 3)
    let failure = try #require(reader.elements.first { $0.name == "failure" })
    #expect(failure.attributes["message"] == "the crop ends 187.5 px past the right edge")
    #expect(reader.text.contains("zoombench verify --law FZ-P1 --replay zt1-abc"))
  }

  @Test(arguments: ["<&>\"'", "a\nb\tc", "\u{1}\u{FFFF}", "]]>", "ü 🙂"])
  func `whatever a complaint holds, the file stays XML`(complaint: String) throws {
    let breach = SampleVerifyReport.breach(complaint: complaint)
    let reader = try read(SampleVerifyReport.row("X", verdict: .broken, breaches: [breach]))
    let shown = reader.elements.first { $0.name == "failure" }?.attributes["message"]
    let forbidden: [Unicode.Scalar] = ["\u{1}", "\u{FFFF}"]
    var expected = String.UnicodeScalarView()
    for scalar in complaint.unicodeScalars {
      expected.append(forbidden.contains(scalar) ? "\u{FFFD}" : scalar)
    }
    #expect(shown == String(expected))
  }
}
