internal import ArgumentParser
internal import Foundation
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomPipeline

/// `zoombench history`: the record of past runs.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep results of many commits, follow one case over them, and check the newest.",
    discussion: """
      The history holds ratios within runs, not times; runs of different machines or builds are \
      never compared. It is one file, safe to copy. Several processes may write to it at a time.

      zoombench history add result.json
      zoombench history gate --strict
      """,
    subcommands: [
      HistoryListCommand.self, HistorySeriesCommand.self, HistoryAddCommand.self,
      HistoryBlessCommand.self, HistoryAcceptCommand.self, HistoryGateCommand.self,
    ],
    defaultSubcommand: HistoryListCommand.self)
}

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Check the file, and list all runs in the order of commits.",
    discussion: """
      zoombench history list
      zoombench history list 3f2a --format json
      """)

  @Argument(
    help: ArgumentHelp(
      "The run to show with its cases: its id, or the beginning of it (default: list all runs).",
      valueName: "run"))
  var id: String?

  @Option(help: "How to write the result; json of a run has its raw samples.")
  var format: ResultFormat = .table

  @OptionGroup var location: HistoryLocation

  struct Listing: Codable {
    static let currentSchema = "zoombench.runs/1"

    var schema = Listing.currentSchema
    var baseline: Baseline?
    var runs: [RunSummary]
  }

  func run() throws {
    if let id {
      let run = try location.with { try $0.run(idPrefix: id) }
      try format.write(run, table: HistoryText.show(run))
      return
    }
    let listing = try location.with { store in
      _ = try store.check()
      return Listing(baseline: try store.baseline(), runs: try store.runs())
    }
    try format.write(
      listing, table: HistoryText.list(listing.runs, baseline: listing.baseline))
  }
}

struct HistoryAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a result of compare, bench or load, or all runs of a history.",
    discussion: """
      Of a result of compare, the candidate's times are kept, and its ratios to the base if that is \
      the pinned baseline (see zoombench history bless). A file that is added twice counts once; \
      adding it under another commit is refused.

      Another history is added with all its runs and decisions, or not at all.

      zoombench history add result.json --branch main
      zoombench history add history-of-another-machine.sqlite
      """)

  @Argument(
    help: ArgumentHelp(
      "A file that compare, bench or load wrote as JSON, or a history of this or another machine.",
      valueName: "file"))
  var file: String

  @Option(help: "The commit that was measured, if the file does not say.")
  var commit: String?

  @Option(help: "The branch that it was on.")
  var branch: String?

  @OptionGroup var location: HistoryLocation

  func run() throws {
    if isHistory {
      try addHistory()
      return
    }
    let recorded = try ResultFile.read(file)
    let revision = try recorded.revision(commit: commit, branch: branch)
    let (run, isNew) = try location.with(createsFile: true) { store in
      let baseline = try store.baseline()?.commit
      let run = try RunRecord(recorded, revision: revision, baseline: baseline)
      return (run, try store.append(run))
    }
    try Output.write("\(isNew ? "added" : "known already:") run \(run.id)\n", to: nil)
  }

  private func addHistory() throws {
    guard commit == nil, branch == nil else {
      throw ValidationError("--commit and --branch are for a result, not for a history")
    }
    let (added, known) = try location.with(createsFile: true) { store in
      let other = try HistoryStore(path: file, createsFile: false)
      _ = try other.check()
      return try store.add(contentsOf: other)
    }
    try Output.write("added: \(Format.count(added, "run")), \(known) known already\n", to: nil)
  }

  /// Whether the file begins as SQLite's files do; a pipe, which can be read only once, is a result.
  private var isHistory: Bool {
    let path = FilePath(file)
    guard (try? FileVersion(of: path)) != nil else { return false }
    let start = try? FileHandle(forReadingFrom: URL(filePath: file)).read(upToCount: 16)
    return start == Data("SQLite format 3\0".utf8)
  }
}
