/// Room in a page that must not grow beyond two megabytes, given out in the order of asking.
struct PageBudget {
  /// A page is opened from mail and from artifacts, on phones too; G13 of the project's goals.
  static let pageLimit = 2_000_000
  /// What tables and text may take of it: some 600 rows.
  static let textLimit = 700_000
  /// What charts may take: some 150 of 5 kB each; the frame and the data have the rest.
  static let chartLimit = 800_000

  private var text = Self.textLimit
  private var charts = Self.chartLimit
  /// Sixty files' frames are 240 kB; a page of more is read by nobody.
  private var sections = 60
  /// What found no room, by what it was.
  private(set) var omitted: [String: Int] = [:]

  /// Takes room for a part of a table or a text.
  /// - Returns: the part, or nothing where there is no room for it.
  mutating func text(_ markup: @autoclosure () -> Markup, _ kind: String) -> Markup {
    take(markup(), kind, from: \.text)
  }

  /// Takes room for charts that belong together.
  mutating func chart(_ markup: @autoclosure () -> Markup, _ kind: String) -> Markup {
    // Not even made where there is no room for the least of charts.
    guard charts > 2_000 else {
      omitted[kind, default: 0] += 1
      return Markup(html: "")
    }
    return take(markup(), kind, from: \.charts)
  }

  private mutating func take(
    _ markup: Markup, _ kind: String, from room: WritableKeyPath<PageBudget, Int>
  ) -> Markup {
    let size = markup.html.utf8.count
    guard size <= self[keyPath: room] else {
      omitted[kind, default: 0] += 1
      return Markup(html: "")
    }
    self[keyPath: room] -= size
    return markup
  }

  /// Takes room for a whole part, of which only the frame, 4 kB at most, is not yet paid for.
  mutating func section(_ markup: Markup) -> Markup {
    guard sections > 0 else {
      omitted["result file", default: 0] += 1
      return Markup(html: "")
    }
    sections -= 1
    return markup
  }

  /// Says what was left out, one line a kind.
  var notes: [String] {
    omitted.sorted { $0.key < $1.key }.map { kind, count in
      "\(Format.grouped(count)) × \(kind): left out, for this page stays below 2 MB."
    }
  }
}
