internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// The contents of a collection of pictures and the cost of peeks, for `zoombench inspect` of folders and
/// lists.
///
/// Rows are written at once; only sums for each kind of picture are kept, so memory use is bounded.
struct CollectionReport {
  struct Row: Codable, Sendable, Equatable {
    var file: String
    /// The coding: `JPEG sequential 4:2:0`.
    var kind: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var source: String?
    /// The pixels that this source decodes for a peek in the middle: for the first peek, and for later ones.
    var firstPeek: Int?
    var laterPeek: Int?
    /// Whether a seek index would make the first peek as cheap as later ones.
    var gainsByIndex: Bool?
    /// The reason that it cannot be read.
    var reason: String?
  }

  /// The sums over pictures of one kind.
  struct Kind: Codable, Equatable {
    let kind: String
    let source: String
    var pictures = 0
    var pixels = 0
    var bytes = 0
    /// The number of pictures whose peek cost is known.
    var measured = 0
    /// The pixels decoded by first and by later peeks, one peek per picture.
    var firstPeeks = 0
    var laterPeeks = 0
    /// The pictures that would gain from an index, and the pixels that their first peeks would save.
    var indexable = 0
    var savedByIndexes = 0
  }

  enum Form: String {
    case table, json, page
  }

  let format: Form
  private let write: (String) throws -> Void
  private var kinds: [String: Kind] = [:]
  private(set) var fileCount = 0
  private(set) var brokenCount = 0
  private var shownBroken: [Row] = []

  private static let mostBroken = 10_000

  /// Begins a report, which is passed to `write` in parts.
  init(_ format: Form, write: @escaping (String) throws -> Void) throws {
    (self.format, self.write) = (format, write)
    if format == .json { try write("{\n  \"files\" : [") }
  }

  mutating func add(_ row: Row) throws {
    if format == .json {
      let text = try Output.json(row).split(separator: "\n").joined(separator: "\n    ")
      try write((fileCount == 0 ? "\n    " : ",\n    ") + text)
    }
    fileCount += 1
    guard let kind = row.kind, let source = row.source else {
      brokenCount += 1
      if shownBroken.count < Self.mostBroken { shownBroken.append(row) }
      return
    }
    let name = kind + "\u{0}" + source
    var sums = kinds[name] ?? Kind(kind: kind, source: source)
    let (first, later) = (row.firstPeek ?? 0, row.laterPeek ?? 0)
    sums.pictures += 1
    try sums.pixels.add((row.width ?? 0) * (row.height ?? 0))
    try sums.bytes.add(row.bytes ?? 0)
    sums.measured += row.firstPeek == nil ? 0 : 1
    try sums.firstPeeks.add(first)
    try sums.laterPeeks.add(later)
    if row.gainsByIndex == true {
      sums.indexable += 1
      try sums.savedByIndexes.add(max(0, first - later))
    }
    kinds[name] = sums
  }

  private var sorted: [Kind] {
    kinds.values.sorted { ($1.pictures, $0.kind, $0.source) < ($0.pictures, $1.kind, $1.source) }
  }

  /// Ends the report.
  /// - Throws: the error of `write`.
  func end() throws {
    switch format {
    case .table: try write(table)
    case .page: throw ResultPage.missing
    case .json:
      let list = try Output.json(sorted).dropLast().split(separator: "\n").joined(separator: "\n  ")
      try write(
        (fileCount == 0 ? "" : "\n  ") + "],\n  \"kinds\" : \(list),\n  \"tool\" : "
          + "\"zoombench \(ToolVersion.number)\"\n}\n")
    }
  }

  /// Throws the failure that sets the run's exit code.
  func judge() throws {
    guard brokenCount == 0 else {
      throw Failure(.badInput, "\(brokenCount) of \(fileCount) files cannot be read")
    }
  }
}

extension CollectionReport {
  private static let heads = [
    "kind", "source", "pictures", "MP each", "MB each", "first peek", "later peeks",
    "gain by index",
  ]

  private func cells(of kind: Kind) -> [String] {
    func share(_ pixels: Int) -> String {
      kind.pixels == 0 || kind.measured < kind.pictures
        ? Format.nothing
        : Format.percent(min(1, Double(pixels) / Double(kind.pixels)))
    }
    func each(_ sum: Int) -> String {
      Format.significant(Double(sum) / 1e6 / Double(kind.pictures))
    }
    return [
      kind.kind, kind.source, Format.grouped(kind.pictures), each(kind.pixels),
      each(kind.bytes), share(kind.firstPeeks), share(kind.laterPeeks),
      Format.grouped(kind.indexable),
    ]
  }

  private var broken: [String] {
    let left = brokenCount - shownBroken.count
    return shownBroken.map {
      "\(Format.oneLine($0.file)): \($0.reason ?? "it cannot be read")"
    } + (left > 0 ? ["and \(Format.grouped(left)) more (--format json has all)"] : [])
  }

  /// Advice in a sentence on how to make peeks cheaper; nil if there is none.
  private var advice: String? {
    let count = sorted.reduce(0) { $0 + $1.indexable }
    let first = sorted.reduce(0) { $0 + Double($1.firstPeeks) }
    let saved = sorted.reduce(0) { $0 + Double($1.savedByIndexes) }
    guard count > 0, first > 0 else { return nil }
    return "seek indexes of \(Format.count(count, "picture")) (zoombench index) would save "
      + "\(Format.percent(saved / first)) of what all first peeks go through"
  }

  private var summary: String {
    let bytes = Format.bytes(sorted.reduce(0) { $0 + Double($1.bytes) })
    return "\(Format.count(fileCount, "picture")), \(bytes)"
      + (brokenCount > 0 ? ", \(brokenCount) of which cannot be read" : "")
  }

  private static let legend = """
    first peek, later peeks: the share of the pixels that must be gone through for 375 x 375 in each \
    picture's middle; gain by index: pictures whose first peek an index makes as cheap as later ones
    """

  private var table: String {
    var table = TextTable(
      columns: [.left(Self.heads[0]), .left(Self.heads[1])]
        + Self.heads.dropFirst(2).map { .right($0) })
    for kind in sorted { table.append(cells(of: kind)) }
    let reasons = broken.map { $0 + "\n" }.joined()
    return table.rendered() + "\n\(Self.legend)\n\n"
      + (reasons.isEmpty ? "" : reasons + "\n") + (advice.map { $0 + "\n" } ?? "") + summary + "\n"
  }
}
