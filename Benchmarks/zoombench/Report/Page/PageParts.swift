internal import Measurement

/// Small pieces of HTML shared by the sections of a page.
enum PageParts {
  struct Cell {
    var label: String
    var content: Markup
    /// The sort key of the column; nil sorts by the text.
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

  /// Returns a row with the first cell as its head; on a phone it becomes a card that shows the labels.
  static func row(_ head: String, _ cells: [Cell]) -> Markup {
    var html = "<tr><th scope=\"row\">\(Markup.escaped(title(head)))</th>"
    for cell in cells {
      html += "<td data-label=\"\(Markup.escaped(cell.label))\""
      if cell.isLeft { html += " class=\"left\"" }
      if let key = cell.key, key.isFinite {
        html += " data-sort=\"\(Format.plain(key))\""
      }
      // In a card, label and content are at opposite ends, so the content must be one box.
      html += cell.content.html.isEmpty ? "></td>" : "><div>\(cell.content.html)</div></td>"
    }
    return Markup(html: html + "</tr>\n")
  }

  static func more(_ text: String) -> Markup {
    text.isEmpty
      ? Markup(html: "") : Markup(html: "<span class=\"more\">\(Markup.escaped(text))</span>")
  }

  /// Returns a chart with its heading and caption; empty without a chart.
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

  /// Returns a part that a click opens; important parts are open from the start.
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

  /// Returns a case's name as a title, which must not be empty.
  static func title(_ name: String) -> String {
    let line = Format.shortName(name)
    return line.allSatisfy(\.isWhitespace) ? "(no name)" : line
  }

  /// Returns a list of terms with their values; terms without a value are omitted.
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
