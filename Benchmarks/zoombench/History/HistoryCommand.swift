internal import ArgumentParser
internal import Foundation
internal import MeasurementHistory

/// `zoombench history`: the record of past runs.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep results of many commits, follow one case over them, and check the newest.",
    discussion: """
      The history holds ratios within runs, not times; runs of different machines or builds are \
      never compared. It is one file, safe to copy. Several processes may write to it at a time.
      """,
    subcommands: [
      HistoryListCommand.self, HistoryShowCommand.self, HistorySeriesCommand.self,
      HistoryAddCommand.self, HistoryBlessCommand.self, HistoryAcceptCommand.self,
      HistoryGateCommand.self, HistoryExportCommand.self, HistoryImportCommand.self,
      HistoryCheckCommand.self,
    ],
    defaultSubcommand: HistoryListCommand.self)
}

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List all runs, in the order of commits.")

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var location: HistoryLocation

  struct Listing: Codable {
    static let currentSchema = "zoombench.runs/1"

    var schema = Listing.currentSchema
    var baseline: Baseline?
    var runs: [RunSummary]
  }

  func run() throws {
    let listing = try location.with { store in
      Listing(baseline: try store.baseline(), runs: try store.runs())
    }
    switch format {
    case .table:
      try Output.write(HistoryText.list(listing.runs, baseline: listing.baseline), to: nil)
    case .json: try Output.write(try Output.json(listing), to: nil)
    }
  }
}

struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one run: its source, its machine and its cases.")

  @Argument(help: ArgumentHelp("A run's id, or the beginning of it.", valueName: "run"))
  var id: String

  @Option(help: "How to write the result; json has the raw samples too.")
  var format: ResultFormat = .table

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let run = try location.with { try $0.run(idPrefix: id) }
    switch format {
    case .table: try Output.write(HistoryText.show(run), to: nil)
    case .json: try Output.write(try Output.json(run), to: nil)
    }
  }
}

struct HistoryCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Read every run, and say whether the file is sound.")

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let count = try location.with { try $0.check() }
    try Output.write("\(location.path): \(count) runs, each whole\n", to: nil)
  }
}
