internal import ArgumentParser
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage

/// `zoombench report`: shows results as a page or in formats of other tools.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show results as a page or in formats of other tools, and merge shards.",
    discussion: """
      Takes files that --format json wrote, of any kinds. The page is one file that loads nothing: it \
      contains the charts, the tables and the raw data. "annotations" are workflow commands of GitHub, \
      "markdown" suits its job summary.

      The journals of shards become the result of the whole run, with its exit code. Shards that are \
      missing are named with the commands that make them.
      """)

  @Argument(
    help: ArgumentHelp(
      "Result files that --format json wrote, and journals (shard-….jsonl) or folders of them.",
      valueName: "files"))
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "A history file; its series of this machine are shown after the results.",
      valueName: "file"))
  var history: String?

  @OptionGroup var output: OutputOptions

  @Option(
    help: "How to write the report (default: html for *.html and with --history, otherwise table).")
  var format: ReportFormat?

  private var chosenFormat: ReportFormat {
    let isPage = ["html", "htm"].contains(output.path?.extension?.lowercased())
    return format ?? (isPage || history != nil ? .html : .table)
  }

  func validate() throws {
    if files.isEmpty && history == nil {
      throw ValidationError("name a result file, or a history (--history)")
    }
    if chosenFormat != .html && history != nil {
      throw ValidationError("--history is for --format html")
    }
    if chosenFormat == .json && results.count + (journals.isEmpty ? 0 : 1) != 1 {
      throw ValidationError("--format json takes one result")
    }
  }

  private var journals: [String] { files.filter(JournalReport.isInput) }

  private var results: [String] { files.filter { !JournalReport.isInput($0) } }

  func run() async throws {
    let target = output.path
    let shards = try journals.isEmpty ? nil : JournalReport(journals)
    try Output.checkWritable(
      target,
      sparing: (results + [history].compactMap(\.self)).map { FilePath($0) }
        + (shards?.paths ?? []))
    // The rows of a collection may not fit in memory.
    if let shards, results.isEmpty, history == nil,
      let format = ResultFormat(rawValue: chosenFormat.rawValue),
      let conclusion = try await shards.write(format, to: target)
    {
      try conclusion.check()
      return
    }
    var files = try results.map { ReportInput.File(name: $0, result: try ResultFile.read($0)) }
    let whole = try shards?.result()
    if let whole { files.append(ReportInput.File(name: journals[0], result: whole)) }
    var input = ReportInput(files: files)
    if let history {
      let location = try HistoryLocation.parse(["--history", history])
      input.history = try location.with { store in
        try SeriesReport.all(in: store, machine: MachineDescription.current().fingerprint)
      }
    }
    try Output.write(try chosenFormat.rendered(input), to: target)
    try whole?.conclusion.check()
  }
}

/// The input of a report: results in the order in which their files were named, and the history.
struct ReportInput {
  struct File: Encodable {
    var name: String
    var result: RunResult
  }

  private(set) var files: [File]
  var history: [SeriesReport] = []

  /// Creates the input from results; rows of the same name in several files get numbers.
  init(files: [File]) {
    self.files = files
    let names = files.map { $0.result.rows.map(\.name) }
    var numbered = names.flatMap { $0 }.numbered[...]
    for index in files.indices {
      self.files[index].result.rows.rename(Array(numbered.prefix(names[index].count)))
      numbered = numbered.dropFirst(names[index].count)
    }
  }

  /// Creates the input from one result, named after its command.
  init(_ result: RunResult) {
    self.init(files: [File(name: "zoombench \(result.kind.rawValue)", result: result)])
  }
}

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, html, markdown, annotations, junit, csv

  func rendered(_ input: ReportInput) throws -> String {
    switch self {
    case .table: TableWriter.rendered(input)
    case .json: try input.files.map { try Output.json($0.result) }.joined()
    case .html: try ResultPage.rendered(input)
    case .markdown: MarkdownWriter.rendered(input)
    case .annotations: AnnotationsWriter.rendered(input)
    case .junit: JUnitWriter.rendered(input)
    case .csv: CSVWriter.rendered(input)
    }
  }
}
