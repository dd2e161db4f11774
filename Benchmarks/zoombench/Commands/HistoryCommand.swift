internal import ArgumentParser

/// `zoombench history`: the runs of the past.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep runs, follow one case over commits, and gate the newest run.",
    discussion: """
      History holds ratios within runs, not times; those of unlike machines or builds are never \
      compared. It is one file, safe to copy, that may be written by several processes at a time.
      """,
    subcommands: [
      HistoryListCommand.self, HistoryShowCommand.self, HistorySeriesCommand.self,
      HistoryAddCommand.self, HistoryBlessCommand.self, HistoryAcceptCommand.self,
      HistoryGateCommand.self, HistoryExportCommand.self, HistoryImportCommand.self,
      HistoryCheckCommand.self,
    ],
    defaultSubcommand: HistoryListCommand.self)
}
