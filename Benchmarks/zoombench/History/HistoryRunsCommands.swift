internal import ArgumentParser
internal import MeasurementHistory
internal import SystemPackage

struct HistoryAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a result of compare or bench as a run.",
    discussion: """
      In a result of compare, the candidate is what was measured. Its ratios to the base are kept \
      if the base is the pinned baseline (see zoombench history bless). A file that is added twice \
      is one run. It is refused under another commit.
      """)

  @Argument(
    help: ArgumentHelp("A file that compare or bench wrote as JSON.", valueName: "result.json"))
  var file: String

  @Option(help: "The commit that was measured, if the file does not say.")
  var commit: String?

  @Option(help: "The branch that it was on.")
  var branch: String?

  @OptionGroup var location: HistoryLocation

  func run() async throws {
    let recorded = try ResultFile.read(file)
    let revision = try await recorded.revision(commit: commit, branch: branch)
    let (run, isNew) = try location.with(createsFile: true) { store in
      let run = try recorded.run(of: revision, baseline: try store.baseline()?.commit)
      return (run, try store.append(run))
    }
    try Output.write("\(isNew ? "added" : "known already:") run \(run.id)\n", to: nil)
  }
}

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the whole history as JSON lines, one run a line.")

  @OptionGroup var output: OutputOptions

  @OptionGroup var location: HistoryLocation

  func run() throws {
    let target = output.path
    try Output.checkWritable(target)
    try Output.write(try location.with { try $0.exported() }, to: target)
  }
}

struct HistoryImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Merge exports of this or other machines into the history.",
    discussion: """
      Runs that are already there are skipped. A file with an invalid line adds nothing; files \
      before it stay imported.
      """)

  @Argument(help: "Files that zoombench history export wrote.")
  var files: [String]

  @OptionGroup var location: HistoryLocation

  func run() throws {
    for file in files {
      let bytes = [UInt8](try ResultFile.contents(of: file))
      let count = try location.with(createsFile: true) { store in
        try Self.merge(bytes, of: file, into: store)
      }
      try Output.write(
        "\(Format.oneLine(file)): \(count.added) runs added, \(count.known) known\n", to: nil)
    }
  }

  private static func merge(
    _ bytes: [UInt8], of file: String, into store: HistoryStore
  ) throws -> HistoryStore.ImportCount {
    do {
      return try store.importLines(bytes)
    } catch {
      guard case .badLine(let number, let reason) = error else { throw error }
      throw Failure(
        .badInput, "\(file): line \(number): \(reason) (nothing of this file is kept)")
    }
  }
}
