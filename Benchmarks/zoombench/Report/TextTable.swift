/// A table in plain text or Markdown; each column is as wide as its widest cell.
package struct TextTable {
  package enum Heading {
    case left(String)
    case right(String)

    var title: String {
      switch self {
      case .left(let title), .right(let title): title
      }
    }

    var isRight: Bool {
      if case .right = self { true } else { false }
    }
  }

  private let columns: [Heading]
  private var rows: [[String]] = []

  package init(columns: [Heading]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  package mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// Returns plain text with two spaces between columns and a line end after each row.
  package func rendered(indent: String = "") -> String {
    let widths = columns.indices.map { index in
      max(columns[index].title.count, rows.map { $0[index].count }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - cells[index].count)
        return columns[index].isRight ? space + cells[index] : cells[index] + space
      }
      var text = indent + padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    return line(columns.map(\.title)) + rows.map(line).joined()
  }

  /// The titles and alignments in Markdown.
  var markdownHead: String {
    Self.markdownLine(columns.map { Escape.markdown($0.title) })
      + Self.markdownLine(columns.map { $0.isRight ? "--:" : ":--" })
  }

  var markdownRows: [String] {
    rows.map { Self.markdownLine($0.map { Escape.markdown($0) }) }
  }

  private static func markdownLine(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }
}
