internal import Mustache

/// HTML that is safe to insert into a page: either made here, or escaped text.
///
/// Mustache escapes by grapheme clusters, so it misses a quote followed by a combining mark. The page
/// therefore uses unescaped tags with values of this type only.
struct Markup: Sendable, Hashable, MustacheCustomRenderable {
  let html: String

  /// Creates markup from HTML without escaping; never pass user strings.
  init(html: String) { self.html = html }

  /// Escapes text, scalar by scalar.
  init(_ text: String) { html = Self.escaped(text) }

  var renderText: String { html }

  /// False: for Mustache, markup is never a null object.
  var isNull: Bool { false }

  /// Escapes text for HTML, XML and quoted attributes of both: it inserts the five entities and removes the
  /// characters that XML 1.0 forbids.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // In an attribute, a line end would be read as a space.
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
