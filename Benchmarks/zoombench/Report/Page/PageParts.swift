internal import Measurement

/// Small pieces of HTML that several parts of a page share.
enum PageParts {
  /// A table's cell.
  struct Cell {
    var label: String
    var content: Markup
    /// What the column is sorted by; nil sorts by the text.
    var key: Double?
    var isLeft = false

    init(_ label: String, _ content: Markup, key: Double? = nil, isLeft: Bool = false) {
      self.label = label
      self.content = content
      self.key = key
      self.isLeft = isLeft
    }

    init(_ label: String, _ text: String, key: Double? = nil, isLeft: Bool = false) {
      self.init(label, Markup(text), key: key, isLeft: isLeft)
    }
  }

  /// A row, whose head is the first cell; on a phone it becomes a card with the labels in it.
  static func row(_ head: String, _ cells: [Cell]) -> Markup {
    var html = "<tr><th scope=\"row\">\(Markup.escaped(title(head)))</th>"
    for cell in cells {
      html += "<td data-label=\"\(Markup.escaped(cell.label))\""
      if cell.isLeft { html += " class=\"left\"" }
      if let key = cell.key, key.isFinite {
        html += " data-sort=\"\(Format.plain(key))\""
      }
      // In a card label and content stand at either end; what is inside must be one box.
      html += cell.content.html.isEmpty ? "></td>" : "><div>\(cell.content.html)</div></td>"
    }
    return Markup(html: html + "</tr>\n")
  }

  /// The second line of a cell.
  static func more(_ text: String) -> Markup {
    text.isEmpty
      ? Markup(html: "") : Markup(html: "<span class=\"more\">\(Markup.escaped(text))</span>")
  }

  /// A chart with what is above and below it; nothing where there is no chart.
  static func figure(
    _ title: String, detail: String = "", _ chart: Markup?, caption: Markup = Markup(html: ""),
    isLegend: Bool = false
  ) -> Markup {
    guard let chart else { return Markup(html: "") }
    let small = detail.isEmpty ? "" : " <small>\(Markup.escaped(detail))</small>"
    let below =
      caption.html.isEmpty
      ? "" : "<figcaption\(isLegend ? " class=\"legend\"" : "")>\(caption.html)</figcaption>"
    return Markup(
      html: "<figure><h4>\(Markup.escaped(title))\(small)</h4>\(chart.html)\(below)</figure>\n")
  }

  /// A part that opens at a click; what matters is open from the start.
  static func details(
    _ title: Markup, isOpen: Bool, content: Markup
  ) -> Markup {
    Markup(
      html: "<details\(isOpen ? " open" : "")><summary>\(title.html)</summary>\n"
        + "\(content.html)</details>\n")
  }

  static func badge(_ text: String, style: String) -> Markup {
    Markup(html: "<span class=\"badge \(style)\">\(Markup.escaped(text))</span>")
  }

  /// A case's name as a title, which must not be empty.
  static func title(_ name: String) -> String {
    let line = Format.shortName(name)
    return line.allSatisfy(\.isWhitespace) ? "(no name)" : line
  }

  /// Terms with what they stand for; those without are left out.
  static func list(_ entries: [(String, String?)]) -> Markup {
    let lines = entries.compactMap { term, text in
      text.map { text in
        "<dt>\(Markup.escaped(term))</dt><dd>\(Markup.escaped(Format.oneLine(text, limit: 400)))</dd>"
      }
    }
    return Markup(html: "<dl>" + lines.joined() + "</dl>")
  }

  static func joined(_ parts: [Markup]) -> Markup { Markup(html: parts.map(\.html).joined()) }
}
