/// The space in a page of at most two megabytes, given out in the order of requests.
struct PageBudget {
  /// The limit of a page, which may be opened from mail or artifacts, also on phones.
  static let pageLimit = 2_000_000
  /// The share of tables and text: about 600 rows.
  static let textLimit = 700_000
  /// The share of charts: about 150 of 5 kB each; the frame and the data have the rest.
  static let chartLimit = 800_000

  private var text = Self.textLimit
  private var charts = Self.chartLimit
  /// The most files in a page; their frames take 240 kB.
  private var sections = 60
  private(set) var omitted: [String: Int] = [:]

  /// Takes space for a part of a table or a text.
  /// - Returns: the part, or empty markup if the space is used up.
  mutating func text(_ markup: @autoclosure () -> Markup, _ kind: String) -> Markup {
    take(markup(), kind, from: \.text)
  }

  /// Takes space for a group of charts.
  mutating func chart(_ markup: @autoclosure () -> Markup, _ kind: String) -> Markup {
    // Skips the drawing if not even the smallest chart fits.
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

  /// Takes space for the frame of a section, 4 kB at most; its content has been counted.
  mutating func section(_ markup: Markup) -> Markup {
    guard sections > 0 else {
      omitted["result file", default: 0] += 1
      return Markup(html: "")
    }
    sections -= 1
    return markup
  }

  /// Sentences about omitted parts, one per kind.
  var notes: [String] {
    omitted.sorted { $0.key < $1.key }.map { kind, count in
      "\(Format.grouped(count)) × \(kind): left out, for this page stays below 2 MB."
    }
  }
}
