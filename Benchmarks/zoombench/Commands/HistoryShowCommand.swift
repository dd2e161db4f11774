internal import ArgumentParser
internal import MeasurementHistory

/// `zoombench history show`.
struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one run: its source, its machine and its cases.")

  @Argument(help: ArgumentHelp("A run's id, or its beginning.", valueName: "run"))
  var id: String

  @Option(help: "How to write the result; json has the raw samples too.")
  var format: HistoryFormat = .table

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let run = try location.with { try $0.run(idPrefix: id) }
    switch format {
    case .table: try Output.write(HistoryText.show(run), to: nil)
    case .json: try Output.writeJSON(run)
    }
  }
}
