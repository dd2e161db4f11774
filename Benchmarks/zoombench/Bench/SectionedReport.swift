/// A report of sections with tables and notes, between a heading and a footing, as plain text or Markdown.
struct SectionedReport {
  struct Sheet {
    let title: String
    let table: TextTable
    var notes: [String] = []
  }

  struct Section {
    let picture: BenchReport.PictureFacts
    let sheets: [Sheet]
    var notes: [String] = []

    /// The picture's name, safe as part of a line.
    fileprivate var name: String { Format.oneLine(picture.name) }
    fileprivate var facts: String { picture.facts.joined(separator: ", ") }
  }

  let heading: [String]
  let sections: [Section]
  let footing: [String]

  func rendered() -> String {
    var text = Self.lines(heading)
    for section in sections {
      text += "\n\(section.name): \(section.facts)\n"
      for sheet in section.sheets {
        text += "\n  \(sheet.title)\n" + sheet.table.rendered(indent: "  ")
        text += Self.lines(sheet.notes, indent: "  ")
      }
      text += Self.lines(section.notes, indent: "  ")
    }
    return text + "\n" + Self.lines(footing)
  }

  func markdown() -> String {
    var text = Self.paragraphs(heading)
    for section in sections {
      text += "### \(section.name)\n\n\(section.facts)\n\n"
      for sheet in section.sheets {
        text += "**\(sheet.title)**\n\n" + sheet.table.markdown() + "\n"
        text += Self.paragraphs(sheet.notes)
      }
      text += Self.paragraphs(section.notes)
    }
    return text + Self.paragraphs(footing)
  }

  private static func lines(_ lines: [String], indent: String = "") -> String {
    lines.map { indent + $0 + "\n" }.joined()
  }

  private static func paragraphs(_ lines: [String]) -> String {
    lines.map { $0 + "\n\n" }.joined()
  }
}
