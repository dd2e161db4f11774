internal import Mustache

/// HTML that is safe to put into a page: either made here, or text that has been escaped.
///
/// Mustache's own escaping goes by grapheme clusters, and a quote that is followed by a combining
/// mark is none of those it knows; the page therefore uses unescaped tags and this type alone.
struct Markup: Sendable, Hashable, MustacheCustomRenderable {
  let html: String

  /// Takes HTML as it is; user strings must not come this way.
  init(html: String) { self.html = html }

  /// Escapes text, scalar by scalar.
  init(_ text: String) { html = Self.escaped(text) }

  var renderText: String { html }

  /// Tells Mustache that this is no null object.
  var isNull: Bool { false }

  /// Text that may stand in HTML, in XML and in a quoted attribute of either: with the five
  /// entities, and without the characters that XML 1.0 forbids.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // In an attribute a line end would be read as a space.
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case "\r": result += "&#13;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
}
