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

  /// Text that may stand in HTML, in XML and in a quoted attribute of either.
  static func escaped(_ text: String) -> String { VerifyJUnit.escaped(text) }

  static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
}
