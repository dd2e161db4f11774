/// A table in plain text or Markdown; each column is as wide as its widest cell.
struct TextTable {
  enum Column {
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

  private let columns: [Column]
  private var rows: [[String]] = []

  init(columns: [Column]) { self.columns = columns }

  mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// Returns plain text with two spaces between columns and a line end after each row.
  func rendered(indent: String = "") -> String {
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

  func markdown() -> String {
    let alignment = columns.map { $0.isRight ? "--:" : ":--" }
    return MarkdownExport.line(columns.map { MarkdownExport.cell($0.title) })
      + MarkdownExport.line(alignment)
      + rows.map { MarkdownExport.line($0.map { MarkdownExport.cell($0) }) }.joined()
  }
}
