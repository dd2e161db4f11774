/// A summary for GitHub's job page: the conclusion, then the cases, those that need attention first.
enum MarkdownWriter {
  /// GitHub refuses a summary above 1 MiB; this limit leaves space for other steps.
  static let limit = 900_000

  static func rendered(_ input: ReportInput, limit: Int = limit) -> String {
    var text = ""
    var (all, left) = (0, 0)
    // Once a part does not fit, later parts would lack their context.
    var isFull = false
    func add(_ part: String, rows: Int = 0) {
      // Leaves space for the line that says what is left out.
      isFull = isFull || text.utf8.count + part.utf8.count > limit - 200
      if !isFull { text += part }
      all += rows
      left += isFull ? rows : 0
    }
    for file in input.files {
      add(heading(file))
      for block in file.result.blocks(forSummary: true) {
        switch block {
        case .title(let title): add("### \(Escape.markdown(title, limit: 400))\n\n")
        case .lines(let lines):
          for line in lines { add("\(Escape.markdown(line, limit: 400))\n\n") }
        case .table(_, let table) where table.isEmpty: break
        case .table(let title, let table):
          let head = title.map { "**\(Escape.markdown($0))**\n\n" } ?? ""
          add(head + table.markdownHead)
          for row in table.markdownRows { add(row, rows: 1) }
          add("\n")
        }
      }
    }
    guard isFull else { return text }
    let what = left > 0 ? "\(left) of \(all) rows are" : "The last lines are"
    return text + "_\(what) left out: a job summary may have 1 MiB._\n"
  }

  private static func heading(_ file: ReportInput.File) -> String {
    let (contenders, conclusion) = (file.result.contenders, file.result.conclusion)
    let title =
      file.result.kind == .compare && contenders.count == 2
      ? "\(Escape.markdown(contenders[1].name)) against \(Escape.markdown(contenders[0].name))"
      : Escape.markdown(file.name)
    let tally = conclusion.tallied.isEmpty ? "" : " (\(conclusion.tallied))"
    return "## \(title): \(conclusion.word.rawValue)\n\n"
      + "**\(Escape.markdown(conclusion.title))**\(tally).\n\n"
  }
}
