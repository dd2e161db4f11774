/// Sums over the rows of `index` or `inspect`, and the few rows that a table shows.
///
/// The rows need not be in memory at the same time.
struct FileSums {
  /// The sums over pictures of one kind that one source reads.
  struct Kind: Codable {
    let kind: String
    let source: String
    var pictures = 0
    var pixels = 0.0
    var bytes = 0.0
    /// The number of pictures whose peek cost is known.
    var measured = 0
    /// The pixels that first and later peeks process, one peek per picture.
    var firstPeeks = 0.0
    var laterPeeks = 0.0
    /// The pictures that would gain from an index, and the pixels that their first peeks would save.
    var indexable = 0
    var savedByIndexes = 0.0
  }

  let action: FileAction
  private(set) var fileCount = 0
  private var counts: [Word: Int] = [:]
  private var unwritableCount = 0
  /// The number of files that are refused because of the picture, not of its index.
  private var unreadableCount = 0
  /// The total size of all indexes written.
  private var bytes = 0.0
  private var builtCount = 0
  private var sums: [String: Kind] = [:]
  private var shown: [Row] = []
  private var reasons: [String] = []
  private var reasonCount = 0

  /// The most rows of a table; people would not read more.
  private static let mostRows = 200
  /// The most reasons listed; the JSON has all.
  private static let mostReasons = 10_000

  init(_ action: FileAction) { self.action = action }

  init(_ result: RunResult) {
    self.init(result.kind == .inspect ? .inspect : result.settings.action ?? .build)
    for row in result.rows { add(row) }
  }

  private func count(_ word: Word) -> Int { counts[word] ?? 0 }

  /// Adds a row whose numbers do not contradict each other.
  mutating func add(_ row: Row) {
    let (word, file) = (row.verdict.word, row.file ?? Row.File())
    fileCount += 1
    counts[word, default: 0] += 1
    if file.isUnwritable == true {
      unwritableCount += 1
    } else if word == .refused, file.where == nil {
      unreadableCount += 1
    }
    if file.seconds != nil {
      builtCount += 1
      bytes += Double(file.bytes ?? 0)
    }
    if action != .inspect, word != .refused || action != .build, shown.count < Self.mostRows {
      shown.append(row)
    }
    if let reason = row.verdict.reason {
      reasonCount += 1
      if reasons.count < Self.mostReasons {
        reasons.append("\(row.name): \(word.rawValue): \(reason)")
      }
    }
    if let kind = file.kind, let source = file.source { add(file, kind, source) }
  }

  private mutating func add(_ file: Row.File, _ kind: String, _ source: String) {
    let name = kind + "\u{0}" + source
    var sum = sums[name] ?? Kind(kind: kind, source: source)
    let (first, later) = (Double(file.firstPeek ?? 0), Double(file.laterPeek ?? 0))
    sum.pictures += 1
    sum.pixels += Double(file.width ?? 0) * Double(file.height ?? 0)
    sum.bytes += Double(file.bytes ?? 0)
    sum.measured += file.firstPeek == nil ? 0 : 1
    sum.firstPeeks += first
    sum.laterPeeks += later
    if file.gainsByIndex == true {
      sum.indexable += 1
      sum.savedByIndexes += max(0, first - later)
    }
    sums[name] = sum
  }

  /// The sums of an inspection, the most frequent kind first; nil for indexes.
  var kinds: [Kind]? { action == .inspect ? sortedKinds : nil }

  private var sortedKinds: [Kind] {
    sums.values.sorted { ($1.pictures, $0.kind, $0.source) < ($0.pictures, $1.kind, $1.source) }
  }

  var conclusion: Conclusion {
    var conclusion = Conclusion()
    conclusion.tally = counts.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    conclusion.word = Word.allCases.first { count($0) > 0 } ?? .readable
    conclusion.title =
      "\(Format.title(conclusion.word.rawValue)): \(count(conclusion.word)) of "
      + Format.count(fileCount, "file")
    let (status, number, problem) = finding
    (conclusion.exitCode, conclusion.standing) = (status.rawValue, .passed)
    if status != .success {
      conclusion.standing = status == .badInput ? .unmeasured : .failed
      conclusion.explanation = "\(number) of \(fileCount) \(problem)"
    }
    return conclusion
  }

  /// The exit code, and the number of files with the problem that sets it.
  private var finding: (ExitStatus, count: Int, problem: String) {
    let unused = fileCount - count(.current) - unreadableCount
    switch action {
    case .check:
      if unused > 0 { return (.finding, unused, "indexes would not be used") }
      if unreadableCount > 0 { return (.badInput, unreadableCount, "files cannot have an index") }
    case .build, .remove:
      if unwritableCount > 0 {
        let verb = action == .remove ? "removed" : "written"
        return (.cannotCreate, unwritableCount, "indexes cannot be \(verb)")
      }
      if count(.refused) > 0 {
        return (.badInput, count(.refused), "files cannot be indexed")
      }
    case .inspect:
      if unreadableCount > 0 { return (.badInput, unreadableCount, "files cannot be read") }
    }
    return (.success, 0, "")
  }
}

extension FileSums {
  /// Returns the parts of a table, with the wall time for all files.
  func blocks(seconds: Double) -> [Block] {
    let advice = action == .inspect ? inspectionAdvice : nil
    var end = reasons
    if reasonCount > reasons.count {
      end.append("and \(Format.grouped(reasonCount - reasons.count)) more (--format json has all)")
    }
    let last = [.lines(end), .lines([advice, summary(seconds)].compactMap(\.self))] as [Block]
    guard action != .inspect else {
      return [.table(title: nil, kindTable), .lines([Self.legend])] + last
    }
    let more = fileCount - (action == .build ? count(.refused) : 0) - shown.count
    let left = more > 0 ? ["and \(Format.count(more, "file")) more (--format json has all)"] : []
    return [.table(title: nil, TextTable(Column.files(action), shown)), .lines(left)] + last
  }

  private func summary(_ seconds: Double) -> String {
    if action == .inspect {
      return "\(Format.count(fileCount, "picture")), "
        + Format.bytes(sortedKinds.reduce(0) { $0 + $1.bytes })
        + (unreadableCount > 0 ? ", \(unreadableCount) of them unreadable" : "")
    }
    let states: [Word] = [.indexed, .current, .stale, .absent, .refused, .removed]
    let counts = states.filter { count($0) > 0 }.map { word in
      let already = count(word) - builtCount
      return "\(count(word)) \(word.rawValue)"
        + (word == .indexed && already > 0 ? " (\(already) already)" : "")
    }
    let written = action == .build ? ["\(Format.bytes(bytes)) written"] : []
    return
      (["\(Format.count(fileCount, "file")): \(counts.joined(separator: ", "))"] + written
      + ["\(Format.significant(seconds)) s"]).joined(separator: "; ")
  }

  private var kindTable: TextTable {
    var table = TextTable(
      columns: [.left("kind"), .left("source")]
        + ["pictures", "MP each", "MB each", "first peek", "later peeks", "gain by index"]
        .map { .right($0) })
    for kind in sortedKinds {
      func share(_ pixels: Double) -> String {
        kind.pixels == 0 || kind.measured < kind.pictures
          ? Format.nothing : Format.percent(min(1, pixels / kind.pixels))
      }
      func each(_ sum: Double) -> String {
        Format.significant(sum / 1e6 / Double(kind.pictures))
      }
      table.append(
        [Format.oneLine(kind.kind), Format.oneLine(kind.source), Format.grouped(kind.pictures)]
          + [each(kind.pixels), each(kind.bytes), share(kind.firstPeeks), share(kind.laterPeeks)]
          + [Format.grouped(kind.indexable)])
    }
    return table
  }

  private static let legend = """
    first peek, later peeks: the share of a picture's pixels that a peek of 375 x 375 in its middle \
    processes; gain by index: the pictures whose first peek an index would make as cheap as later ones
    """

  /// The saving by seek indexes in a sentence; nil if there is none.
  private var inspectionAdvice: String? {
    let count = sortedKinds.reduce(0) { $0 + $1.indexable }
    let first = sortedKinds.reduce(0) { $0 + $1.firstPeeks }
    let saved = sortedKinds.reduce(0) { $0 + $1.savedByIndexes }
    guard count > 0, first > 0 else { return nil }
    return "seek indexes of \(Format.count(count, "picture")) (zoombench index) would save "
      + "\(Format.percent(saved / first)) of the pixels that first peeks decode"
  }
}
