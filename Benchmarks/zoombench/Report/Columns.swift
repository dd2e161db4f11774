internal import IIIFRules
internal import Measurement

/// A column of a table for people; nil is an unknown number.
struct Column {
  let heading: TextTable.Heading
  let cell: (Row) -> String?

  static func left(_ title: String, _ cell: @escaping (Row) -> String?) -> Column {
    Column(heading: .left(title), cell: cell)
  }

  static func right(_ title: String, _ cell: @escaping (Row) -> String?) -> Column {
    Column(heading: .right(title), cell: cell)
  }
}

extension TextTable {
  /// Creates a table of rows without the columns in which every number is unknown.
  init(_ columns: [Column], _ rows: [Row]) {
    let columns = columns.filter { column in rows.contains { column.cell($0) != nil } }
    self.init(columns: columns.map(\.heading))
    for row in rows {
      append(
        columns.map { column in
          Format.oneLine(column.cell(row) ?? (column.heading.isRight ? Format.nothing : ""))
        })
    }
  }
}

extension Column {
  /// The columns of a benchmark under one condition.
  static var bench: [Column] {
    [
      .left("source") { $0.contender ?? $0.name },
      .right("p50") { $0.figures.p50.map(Format.milliseconds) },
      .right("p95") { $0.figures.p95.map(Format.milliseconds) },
      .right("p99") { $0.figures.p99.map(Format.milliseconds) },
      .right("gain") { ($0.figures.gain?.ratio).map(Format.significant) },
      .right("98 % interval") { interval($0.figures.gain) },
      .right("x floor") { ($0.figures.timesFloor?.ratio).map(Format.significant) },
      .right("98 % interval") { interval($0.figures.timesFloor) },
      .right("px/px") { $0.figures.pixelsPerPixel.map(Format.significant) },
      .right("bytes/px") { $0.figures.bytesPerPixel.map(Format.significant) },
      .right("requests") { $0.counters["requests sent"].map(Format.grouped) },
      .right("trips") { $0.counters["round trips"].map(Format.grouped) },
      .right("fetched") { $0.counters["bytes fetched"].map { Format.bytes(Double($0)) } },
      .right("fetched/px") { row in
        guard let bytes = row.counters["bytes fetched"] else { return nil }
        return Format.significant(
          Double(bytes) / Double(max(1, row.counters["pixels delivered"] ?? 0)))
      },
      .right("memory") { $0.figures.memory.map(Format.bytes) },
      .right("agrees") { agreement($0) },
    ]
  }

  /// The columns of a benchmark of web viewers.
  static var viewers: [Column] {
    let counts = [
      ("sharp ms", ViewerWork.sharp), ("requests", "requests"), ("frames", "frames"),
      ("late", ViewerWork.lateFrames),
    ].map { title, name in Column.right(title) { row in row.counters[name].map { "\($0)" } } }
    // Answers are not compared.
    let script = Column.left("script") { $0.group?.split(separator: "/").last.map { String($0) } }
    return [script] + Array(bench.dropLast()) + counts
  }

  /// The columns of a comparison; wall time has one only if it differs much from the deciding CPU time.
  static var compare: [Column] {
    [
      .left("case") { $0.name },
      .left("clock") { $0.comparison?.clock.word },
      .right("base") { median($0, \.base) },
      .right("candidate") { median($0, \.candidate) },
      .right("change") { row in change(row).map { Format.change($0.ratio) } },
      .left("interval") { row in
        change(row)?.interval.map { "\(Format.change($0.lower))…\(Format.change($0.upper))" }
      },
      .right("level") { row in change(row)?.interval.map { Format.level($0) } },
      .left("verdict") { verdict($0) },
      .right("pairs") { ($0.comparison?.change.pairs).map { "\($0)" } },
      .right("detects") { ($0.comparison?.change.detectableChange).map { Format.change(1 + $0) } },
      .right("wall time") { row in
        guard let each = row.comparison, each.isWallApart, let base = each.median(\.base, .wall),
          let candidate = each.median(\.candidate, .wall)
        else { return nil }
        return "\(Format.milliseconds(base)), \(Format.milliseconds(candidate))"
      },
    ]
  }

  /// The columns of a comparison's tails, which a terminal is too narrow for.
  static var tails: [Column] {
    [
      .right("change of p95") { ($0.comparison?.tails?.p95).map { Format.estimate($0) } },
      .right("change of p99") { ($0.comparison?.tails?.p99).map { Format.estimate($0) } },
    ]
  }

  /// The columns of laws.
  static var laws: [Column] {
    [
      .left("law") { $0.law?.law },
      .left("subject") { $0.law?.subject },
      .right("cases") { row in
        row.law.map { Format.grouped($0.cases) + ($0.isExhaustive ? " all" : "") }
      },
      .right("discards") { row in
        row.law.flatMap { $0.discards == 0 ? nil : Format.grouped($0.discards) }
      },
      .right("seconds") { $0.figures.seconds.map(Format.significant) },
      .left("verdict") { $0.verdict.word.rawValue },
      .left("rarest class") { $0.law.flatMap(rarest) },
    ]
  }

  /// The columns of files and their indexes.
  static func files(_ action: FileAction) -> [Column] {
    let facts: [Column] =
      action == .build
      ? [
        .right("MCUs") { ($0.file?.mcus).map(Format.grouped) },
        .right("points") { ($0.file?.points).map(Format.grouped) },
        .right("bytes") { ($0.file?.bytes).map(Format.grouped) },
        .right("bytes/MP") { ($0.file?.bytesPerMegapixel).map(Format.significant) },
        .right("seconds") { ($0.file?.seconds).map(Format.significant) },
      ] : [.left("index") { $0.verdict.word.rawValue }]
    return [.left("file") { $0.name }] + facts + [.left("where") { $0.file?.where }]
  }

  /// Returns the ends of a ratio's interval; nil without one.
  static func interval(_ ratio: Row.Ratio?) -> String? {
    guard let lower = ratio?.lower, let upper = ratio?.upper else { return nil }
    return "\(Format.significant(lower))…\(Format.significant(upper))"
  }

  /// Returns the number of answers that agree, and the kind of agreement.
  private static func agreement(_ row: Row) -> String {
    let word = row.verdict.word
    guard let agreed = row.figures.agreed, let answers = row.figures.answers, word != .reference
    else { return word.rawValue }
    let suffix: [Word: String] = [.pixelsDiffer: " NO", .inexact: " inexact", .alike: " alike"]
    return "\(agreed)/\(answers)" + (suffix[word] ?? "")
  }

  private static func change(_ row: Row) -> ChangeEstimate? {
    row.comparison.flatMap { $0.change.pairs > 0 ? $0.change : nil }
  }

  private static func median(
    _ row: Row, _ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>
  ) -> String? {
    row.comparison.flatMap { $0.median(arm, $0.clock).map(Format.milliseconds) }
  }

  /// Returns the verdict, with the purpose if the case is a check.
  private static func verdict(_ row: Row) -> String {
    let purpose =
      switch row.role {
      case .gated: ""
      case .sameBuild: " (same build twice)"
      case .control: " (frozen control)"
      case .canary: " (5 % more work)"
      }
    return row.verdict.word.rawValue + purpose
  }

  /// Returns the class that was closest to being missed; JSON has all classes.
  private static func rarest(in law: VerifyReport.LawRow) -> String? {
    // A run that stops at a broken law does not determine shares of classes.
    if law.verdict == .broken { return nil }
    let wanted = law.classes.filter { $0.requiredShare != nil }
    return (wanted.isEmpty ? law.classes : wanted).min { $0.share < $1.share }.map {
      let few = $0.share < $0.requiredShare ?? 0 ? " (too few)" : " (of too few cases)"
      return "\($0.name) \(Format.share($0.share))" + ($0.isReached ? "" : few)
    }
  }
}

/// A part of a result in text.
enum Block {
  case title(String)
  case lines([String])
  case table(title: String?, TextTable)
}

extension RunResult {
  /// Returns the parts of the result; a summary has cases that need attention first, and tails.
  func blocks(forSummary: Bool = false) -> [Block] {
    switch kind {
    case .bench: return benchBlocks
    case .compare:
      let columns = Column.compare + (forSummary ? Column.tails : [])
      return [
        .lines(comparisonHeading), .table(title: nil, TextTable(columns, casesFirst(forSummary))),
        .lines(caseNotes.map { "- \($0)" }), .lines(forSummary ? [] : comparisonSummary),
      ]
    case .verify:
      var blocks = lawTables
      blocks.append(.lines((leftOut ?? []).map { "not tried: \($0)" }))
      blocks += explainedLaws.map { Block.lines($0) }
      return blocks + [.lines(undecidedLaws), .lines(lawSummary)]
    case .load: return loadBlocks
    case .index, .inspect: return FileSums(self).blocks(seconds: seconds ?? 0)
    }
  }

  /// Returns the gated cases, then the checks; for a summary, cases that need attention come first.
  private func casesFirst(_ forSummary: Bool) -> [Row] {
    func rank(_ row: Row) -> Int {
      if row.role != .gated { return 9 }
      if !forSummary { return 0 }
      return 2 * row.verdict.standing.rank - (row.verdict.word == .faster ? 1 : 0)
    }
    // The sort is stable: within a rank, cases keep their order.
    return rows.sorted { rank($0) < rank($1) }
  }

  /// The most pictures with tables; for more, a table sums up each format.
  private static var mostTables: Int { 4 }

  private var benchBlocks: [Block] {
    if isOfViewers { return viewerBlocks }
    var blocks: [Block] = [.lines(benchHeading)]
    if pictures.count > Self.mostTables, let summary {
      let failed = rows.filter { $0.verdict.standing == .failed }
      return blocks + [
        .table(title: nil, TextTable(summary)), .lines(summaryNotes), .lines(remarks(on: failed)),
        .lines(benchFooting(hasTables: false)),
      ]
    }
    let rowsOfPicture = Dictionary(grouping: rows, by: \.picture)
    for picture in pictures {
      let own = rowsOfPicture[picture.name] ?? []
      blocks.append(
        .title("\(Format.oneLine(picture.name)): \(picture.facts.joined(separator: ", "))"))
      for name in own.compactMap(\.group).unique {
        let table = TextTable(Column.bench, own.filter { $0.group == name })
        blocks.append(.table(title: groups[name]?.title, table))
      }
      blocks.append(.lines(remarks(on: own)))
    }
    return blocks + [.lines(benchFooting(hasTables: true))]
  }

  private var lawTables: [Block] {
    let kinds = [VerifyPlan.Domain.geometry, .pixels, .viewer].map { kind in
      TextTable(Column.laws, rows.filter { $0.law?.kind == kind })
    }
    return (kinds + [serverTable]).map { .table(title: nil, $0) }
  }

  /// A table with one row per picture of a server; rules with problems have separate lines.
  private var serverTable: TextTable {
    var table = TextTable(columns: [
      .left("server and picture"), .right("rules tried"), .right("held"), .right("broken"),
      .right("should not"), .right("left open"), .right("unsteady"), .left("steps that go wrong"),
    ])
    let laws = rows.compactMap(\.law).filter { $0.kind == .server }
    for subject in laws.map(\.subject).unique {
      let rules = laws.filter { $0.subject == subject && ($0.cases > 0 || !$0.breaches.isEmpty) }
      let broken = rules.filter { $0.verdict == .broken }
      let notes = rules.filter { $0.verdict == .held && !$0.breaches.isEmpty }
      let deviations = notes.count(where: \.isDeviation)
      let unsteady = rules.count { $0.verdict == .undecided }
      let stages = broken.flatMap { $0.breaches.compactMap(\.stage) }
      table.append([
        Format.oneLine(subject), "\(rules.count)",
        "\(rules.count - broken.count - notes.count - unsteady)", "\(broken.count)",
        "\(deviations)", "\(notes.count - deviations)", "\(unsteady)",
        IIIFStage.allCases.map(\.rawValue).filter(stages.contains).joined(separator: ", "),
      ])
    }
    return table
  }
}

extension RunResult.Group {
  /// "375 pt @2 (750x750 px), warm, 60 rounds".
  fileprivate var title: String {
    let pixels = regions.first.map { $0.suffix(2).map { "\($0)" }.joined(separator: "x") } ?? ""
    let rounds = Format.count(regions.count, "round")
    return "\(peek?.name ?? "") (\(pixels) px), \(state?.rawValue ?? ""), \(rounds)"
  }
}
