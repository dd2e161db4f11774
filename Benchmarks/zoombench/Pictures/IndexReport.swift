internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// What `zoombench index` did, file by file.
struct IndexReport: Encodable {
  /// What was asked for.
  enum Action: String, Encodable {
    case build, check, remove

    /// The word for the progress bar.
    var doing: String {
      switch self {
      case .build: "indexing"
      case .check: "checking"
      case .remove: "removing"
      }
    }
  }

  /// What became of a file's index, or how it is.
  enum State: String, Encodable, CaseIterable {
    case indexed, current, stale, absent, refused, removed
  }

  /// One picture.
  struct Row: Encodable {
    let file: String
    let state: State
    /// Why it is stale or refused.
    var reason: String?
    var mcus: Int?
    var points: Int?
    var bytes: Int?
    var bytesPerMegapixel: Double?
    var seconds: Double?
    /// The index's file.
    var path: String?
    /// Whether it is refused for what stands in its place.
    private(set) var isUnwritable = false
  }

  let tool: String
  let action: Action
  let files: [Row]
  /// Wall time for all files.
  let seconds: Double

  /// The rows of a state.
  func count(_ state: State) -> Int { files.count { $0.state == state } }

  /// The bytes of all indexes that were written.
  private var bytes: Int { files.reduce(0) { $0 + ($1.bytes ?? 0) } }
}

extension IndexReport.Row {
  /// Does what was asked for to one picture.
  ///
  /// A key or a folder that cannot be used ends the run: the next picture would fail alike.
  /// - Throws: `PipelineError` when the store cannot be written to.
  init(
    _ action: IndexReport.Action, _ picture: FilePath, _ store: SidecarStore,
    limits: PictureLimits = .standard
  ) throws {
    do {
      switch action {
      case .build: self = try Self.building(picture, store, limits)
      case .check:
        self.init(picture, try store.refusal(for: picture), try store.location(for: picture))
      case .remove:
        let place = try store.location(for: picture).string
        self.init(
          file: picture.string, state: try store.remove(for: picture) ? .removed : .absent,
          path: place)
      }
    } catch let error as PipelineError where error.code == .unwritable {
      guard let place = try? store.location(for: picture), error.file == place else { throw error }
      self.init(file: picture.string, state: .refused, reason: "\(error)")
      isUnwritable = true
    } catch let error as PipelineError where error.file == picture {
      let remedy =
        error.code == .overBudget ? " (--memory allows more, --jobs 1 shares it less)" : ""
      self.init(file: picture.string, state: .refused, reason: error.reason + remedy)
    }
  }

  private static func building(
    _ picture: FilePath, _ store: SidecarStore, _ limits: PictureLimits
  ) throws -> Self {
    let start = Timestamps.monotonic()
    let facts = try store.build(for: picture, limits: limits)
    return Self(
      file: picture.string, state: .indexed, mcus: facts.mcuCount, points: facts.pointCount,
      bytes: facts.byteCount,
      bytesPerMegapixel: Double(facts.byteCount) * 1e6 / Double(facts.pixelCount),
      seconds: Double(Timestamps.monotonic() - start) / 1e9, path: facts.path.string)
  }

  /// Tells why a picture's index would not be used, if so.
  init(_ picture: FilePath, _ refusal: SidecarRefusal?, _ location: FilePath) {
    let state: IndexReport.State =
      switch refusal {
      case nil: .current
      case .absent: .absent
      case .stale: .stale
      case .damaged, .notOurs, .version: .refused
      }
    self.init(
      file: picture.string, state: state, reason: state == .absent ? nil : refusal?.description,
      path: location.string)
  }
}

extension IndexReport {
  /// A table of the files, the reasons below it, and a line that sums up.
  func rendered() -> String {
    let shown = files.filter { $0.state != .refused || action != .build }
    let table = shown.isEmpty ? "" : table(of: shown) + "\n"
    let reasons = files.compactMap { row in
      row.reason.map { "\(Format.oneLine(row.file)): \(row.state.rawValue): \($0)\n" }
    }
    return table + reasons.joined() + (reasons.isEmpty ? "" : "\n") + summary + "\n"
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
          + [row.bytesPerMegapixel, row.seconds].map { Format.significant($0 ?? 0) }
        : [row.state.rawValue]
      table.append(
        [Format.oneLine(row.file)] + cells + [row.path.map { Format.oneLine($0) } ?? Format.nothing]
      )
    }
    return table.rendered()
  }

  private var summary: String {
    let counts = State.allCases.compactMap { state in
      count(state) > 0 ? "\(count(state)) \(state.rawValue)" : nil
    }
    let written = action == .build ? ["\(Format.bytes(Double(bytes))) written"] : []
    let what = "\(files.count) \(files.count == 1 ? "file" : "files"): "
    let parts = [what + counts.joined(separator: ", ")] + written
    return (parts + ["\(Format.significant(seconds)) s"]).joined(separator: "; ")
  }
}
