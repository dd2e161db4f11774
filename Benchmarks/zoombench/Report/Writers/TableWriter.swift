/// Results as plain text: tables for a terminal, with notes.
enum TableWriter {
  static func rendered(_ input: ReportInput) -> String {
    input.files.map { file in
      let heading = input.files.count > 1 ? "\(Format.oneLine(file.name))\n\n" : ""
      return heading + rendered(file.result)
    }.joined(separator: "\n")
  }

  static func rendered(_ result: RunResult) -> String { rendered(result.blocks()) }

  /// Returns the parts of a result with an empty line after each.
  static func rendered(_ blocks: [Block]) -> String {
    blocks.map(text).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func text(_ block: Block) -> String {
    switch block {
    case .title(let title): "\(Format.oneLine(title))\n"
    case .lines(let lines): lines.map { "\(Format.oneLine($0))\n" }.joined()
    case .table(_, let table) where table.isEmpty: ""
    case .table(nil, let table): table.rendered()
    case .table(let title?, let table):
      "  \(Format.oneLine(title))\n" + table.rendered(indent: "  ")
    }
  }
}
