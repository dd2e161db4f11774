internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// The results of `zoombench index`, file by file.
///
/// Rows are written at once; only as many as a table shows are kept, so memory use is bounded.
struct IndexReport {
  enum Action: String, Codable {
    case build, check, remove

    var doing: String {
      switch self {
      case .build: "indexing"
      case .check: "checking"
      case .remove: "removing"
      }
    }
  }

  /// The state of a file's index, or the result of the action.
  enum State: String, Codable, CaseIterable {
    case indexed, current, stale, absent, refused, removed
  }

  struct Row: Codable, Sendable, Equatable {
    var file: String
    let state: State
    /// The reason that it is stale or refused.
    var reason: String?
    var mcus: Int?
    var points: Int?
    var bytes: Int?
    var bytesPerMegapixel: Double?
    /// The time that building took; nil for an existing index.
    var seconds: Double?
    var path: String?
    /// Whether it is refused because of an existing file at the index's path.
    private(set) var isUnwritable = false
  }

  let action: Action
  let format: ResultFormat
  private let write: (String) throws -> Void
  private var counts: [State: Int] = [:]
  private(set) var fileCount = 0
  private(set) var unwritableCount = 0
  /// The number of files that are refused themselves, whatever their index.
  private(set) var unreadableCount = 0
  /// The total size of all indexes written.
  private var bytes = 0
  private var builtCount = 0
  private var shown: [Row] = []
  private var shownReasons: [String] = []
  private var reasonCount = 0

  /// The most rows of a table that people would read.
  private static let mostRows = 200
  /// The most reasons listed; for more broken files, the JSON is better suited.
  private static let mostReasons = 10_000

  /// Begins a report, which is passed to `write` in parts.
  init(_ action: Action, _ format: ResultFormat, write: @escaping (String) throws -> Void) throws {
    (self.action, self.format, self.write) = (action, format, write)
    if format == .json { try write("{\n  \"action\" : \"\(action.rawValue)\",\n  \"files\" : [") }
  }

  func count(_ state: State) -> Int { counts[state] ?? 0 }

  mutating func add(_ row: Row) throws {
    if format == .json {
      let text = try Output.json(row).split(separator: "\n").joined(separator: "\n    ")
      try write((fileCount == 0 ? "\n    " : ",\n    ") + text)
    }
    fileCount += 1
    counts[row.state, default: 0] += 1
    unwritableCount += row.isUnwritable ? 1 : 0
    unreadableCount += row.state == .refused && row.path == nil && !row.isUnwritable ? 1 : 0
    if row.seconds != nil {
      builtCount += 1
      try bytes.add(row.bytes ?? 0)
    }
    if (row.state != .refused || action != .build) && shown.count < Self.mostRows {
      shown.append(row)
    }
    if let reason = row.reason {
      reasonCount += 1
      if shownReasons.count < Self.mostReasons {
        shownReasons.append("\(Format.oneLine(row.file)): \(row.state.rawValue): \(reason)\n")
      }
    }
  }

  /// Ends the report with the wall time for all files.
  func end(seconds: Double) throws {
    switch format {
    case .table: try write(rendered(seconds))
    case .json:
      let tool = try Output.json("zoombench \(ToolVersion.number)").dropLast()
      let number = try Output.json(seconds).dropLast()
      try write(
        (fileCount == 0 ? "" : "\n  ") + "],\n  \"seconds\" : \(number),\n  \"tool\" : \(tool)\n}\n"
      )
    }
  }

  /// Throws the failure that sets the run's exit code.
  func judge() throws {
    switch action {
    case .check:
      let bad = fileCount - count(.current) - unreadableCount
      if bad > 0 { throw Failure(.finding, "\(bad) of \(fileCount) indexes would not be used") }
      guard unreadableCount == 0 else {
        throw Failure(.badInput, "\(unreadableCount) of \(fileCount) files cannot have an index")
      }
    case .build, .remove:
      guard unwritableCount == 0 else {
        throw Failure(
          .cannotCreate,
          "\(unwritableCount) of \(fileCount) indexes cannot be "
            + (action == .remove ? "removed" : "written"))
      }
      guard count(.refused) == 0 else {
        throw Failure(
          .badInput, "\(count(.refused)) of \(fileCount) files cannot be indexed")
      }
    }
  }
}

extension IndexReport.Row {
  /// Performs the action on one picture, which has the given name in the report.
  ///
  /// An unusable key or folder ends the run, because the next picture would fail in the same way.
  ///
  /// - Throws: `PipelineError` when the store cannot be written to.
  init(
    _ action: IndexReport.Action, _ picture: FilePath, named name: String, _ store: SidecarStore,
    limits: PictureLimits = .standard
  ) throws {
    do {
      switch action {
      case .build: self = try Self.building(picture, name, store, limits)
      case .check:
        let found = try store.facts(
          for: FileReader(picture), checksPoints: true, within: limits.memory)
        self.init(name, found, try store.location(for: picture))
      case .remove:
        let place = try store.location(for: picture).string
        self.init(
          file: name, state: try store.remove(for: picture) ? .removed : .absent, path: place)
      }
    } catch let error as PipelineError where error.code == .unwritable {
      guard let place = try? store.location(for: picture), error.file == place else { throw error }
      self.init(file: name, state: .refused, reason: "\(error)")
      isUnwritable = true
    } catch let error as PipelineError where error.file == picture {
      let remedy =
        error.code == .overBudget ? " (--memory allows more, --jobs 1 shares it less)" : ""
      self.init(file: name, state: .refused, reason: error.reason + remedy)
    }
  }

  /// Builds an index, unless a usable one exists.
  private static func building(
    _ picture: FilePath, _ name: String, _ store: SidecarStore, _ limits: PictureLimits
  ) throws -> Self {
    let start = Timestamps.monotonic()
    // A failure to read the picture also occurs below, with a better message.
    if case .success(let facts)? = try? store.facts(
      for: FileReader(picture), within: limits.memory)
    {
      return Self(name, facts, seconds: nil)
    }
    let facts = try store.build(for: picture, limits: limits)
    return Self(name, facts, seconds: Double(Timestamps.monotonic() - start) / 1e9)
  }

  private init(_ name: String, _ facts: SidecarFacts, seconds: Double?) {
    self.init(
      file: name, state: .indexed, mcus: facts.mcuCount, points: facts.pointCount,
      bytes: facts.byteCount,
      bytesPerMegapixel: Double(facts.byteCount) * 1e6 / Double(facts.pixelCount),
      seconds: seconds, path: facts.path.string)
  }

  /// Creates the row of a checked index, with the reason if it would not be used.
  init(_ name: String, _ found: Result<SidecarFacts, SidecarRefusal>, _ location: FilePath) {
    let refusal: SidecarRefusal? = if case .failure(let why) = found { why } else { nil }
    let state: IndexReport.State =
      switch refusal {
      case nil: .current
      case .absent: .absent
      case .stale: .stale
      case .damaged, .notOurs, .version, .overBudget: .refused
      }
    self.init(
      file: name, state: state, reason: state == .absent ? nil : refusal?.description,
      path: location.string)
  }

  /// The part of the row that two runs must agree on: everything except the time and the path, which
  /// depends on the machine's index folder.
  var outcome: Self {
    var row = self
    (row.seconds, row.path) = (nil, nil)
    return row
  }
}

extension IndexReport {
  /// Returns a table of the files, the reasons below it, and a summary line.
  private func rendered(_ seconds: Double) -> String {
    let table = shown.isEmpty ? "" : table(of: shown) + "\n"
    let more = fileCount - (action == .build ? count(.refused) : 0) - shown.count
    let left = more > 0 ? "and \(Format.count(more, "file")) more (--format json has all)\n\n" : ""
    let unsaid = reasonCount - shownReasons.count
    let reasons =
      shownReasons.joined()
      + (unsaid > 0 ? "and \(Format.grouped(unsaid)) more (--format json has all)\n" : "")
    return table + left + reasons + (reasons.isEmpty ? "" : "\n") + summary(seconds) + "\n"
  }

  private func table(of rows: [Row]) -> String {
    let figures: [TextTable.Column] = [
      .right("MCUs"), .right("points"), .right("bytes"), .right("bytes/MP"), .right("seconds"),
    ]
    let columns = action == .build ? figures : [.left("index")]
    var table = TextTable(columns: [.left("file")] + columns + [.left("where")])
    for row in rows {
      let cells =
        action == .build
        ? [row.mcus.map { Format.grouped($0) } ?? Format.nothing]
          + [row.points, row.bytes].map { Format.grouped($0 ?? 0) }
          + [row.bytesPerMegapixel, row.seconds].map {
            $0.map { Format.significant($0) } ?? Format.nothing
          }
        : [row.state.rawValue]
      table.append(
        [Format.oneLine(row.file)] + cells + [row.path.map { Format.oneLine($0) } ?? Format.nothing]
      )
    }
    return table.rendered()
  }

  private func summary(_ seconds: Double) -> String {
    let counts = State.allCases.compactMap { state -> String? in
      guard count(state) > 0 else { return nil }
      let already = count(state) - builtCount
      return "\(count(state)) \(state.rawValue)"
        + (state == .indexed && already > 0 ? " (\(already) already)" : "")
    }
    let written = action == .build ? ["\(Format.bytes(Double(bytes))) written"] : []
    let what = Format.count(fileCount, "file") + ": "
    let parts = [what + counts.joined(separator: ", ")] + written
    return (parts + ["\(Format.significant(seconds)) s"]).joined(separator: "; ")
  }
}
