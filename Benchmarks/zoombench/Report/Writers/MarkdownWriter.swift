/// A summary for GitHub's job page: the conclusion, then the cases, those that need attention first.
enum MarkdownWriter {
  /// GitHub refuses a summary above 1 MiB; this limit leaves space for other steps.
  static let limit = 900_000

  static func rendered(_ input: ReportInput, limit: Int = limit) -> String {
    var text = ""
    var (all, left) = (0, 0)
    // Leaves space for the line that counts what is left out.
    func add(_ part: String) -> Bool {
      guard text.utf8.count + part.utf8.count <= limit - 200 else { return false }
      text += part
      return true
    }
    for file in input.files {
      let hasSpace = add(heading(file))
      for block in file.result.blocks(forSummary: true) {
        switch block {
        case .title(let title):
          _ = hasSpace && add("### \(Escape.markdown(title, limit: 400))\n\n")
        case .lines(let lines):
          for line in lines where hasSpace {
            _ = add("\(Escape.markdown(line, limit: 400))\n\n")
          }
        case .table(let title, let table):
          let rows = table.markdownRows
          all += rows.count
          let head = title.map { "**\(Escape.markdown($0))**\n\n" } ?? ""
          guard !rows.isEmpty, hasSpace, add(head + table.markdownHead) else {
            left += rows.count
            continue
          }
          for row in rows where !add(row) { left += 1 }
          _ = add("\n")
        }
      }
    }
    if left > 0 {
      text += "_\(left) of \(all) rows are left out: a job summary may have 1 MiB._\n"
    }
    return text
  }

  private static func heading(_ file: ReportInput.File) -> String {
    let contenders = file.result.contenders
    let title =
      file.result.kind == .compare && contenders.count == 2
      ? "\(Escape.markdown(contenders[1].name)) against \(Escape.markdown(contenders[0].name))"
      : Escape.markdown(file.name)
    let conclusion = file.result.conclusion
    let tally = conclusion.tallied.isEmpty ? "" : " (\(conclusion.tallied))"
    return "## \(title): \(conclusion.word.rawValue)\n\n"
      + "**\(Escape.markdown(conclusion.title))**\(tally).\n\n"
  }
}
