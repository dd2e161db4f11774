import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads the names and attributes of elements with libxml2.
final class XMLElements: NSObject, XMLParserDelegate {
  private var found: [(name: String, attributes: [String: String])] = []

  /// Returns all elements in the order of their start tags; fails if the text is not well-formed.
  static func all(in text: String) throws -> [(name: String, attributes: [String: String])] {
    let elements = XMLElements()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = elements
    try #require(parser.parse(), "\(String(describing: parser.parserError)): \(text.prefix(300))")
    return elements.found
  }

  static func counts(in text: String) throws -> [String: Int] {
    try all(in: text).reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    found.append((name, attributes))
  }
}
