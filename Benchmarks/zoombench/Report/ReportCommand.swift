internal import ArgumentParser
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage

/// `zoombench report`: writes results as a page for people or in formats for build servers.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Turn results of compare and bench into a page or into formats of build servers.",
    discussion: """
      Takes files that compare or bench wrote as JSON, in any mixture. The page is one file that \
      loads nothing: charts, tables and the raw data are in it. "annotations" are workflow \
      commands of GitHub, "markdown" suits its job summary.
      """)

  @Argument(
    help: ArgumentHelp("Result files of compare, and of bench --format json.", valueName: "files"))
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "A history file; its series of this machine are shown after the results.",
      valueName: "file"))
  var history: String?

  @OptionGroup var output: OutputOptions

  @Option(help: "How to write the report.")
  var format: ReportFormat = .html

  func validate() throws {
    if files.isEmpty && history == nil {
      throw ValidationError("name a result file, or a history (--history)")
    }
    if format != .html && files.isEmpty {
      throw ValidationError("history is for --format html; the other formats need a result file")
    }
  }

  func run() async throws {
    let target = output.path
    try Output.checkWritable(
      target, sparing: (files + [history].compactMap(\.self)).map { FilePath($0) })
    var input = try ReportInput.read(files)
    if let history {
      let location = try HistoryLocation.parse(["--history", history])
      input.history = try location.with { store in
        try SeriesReport.all(in: store, machine: MachineDescription.current().fingerprint)
      }
    }
    try Output.write(try format.rendered(input), to: target)
  }
}
