internal import ArgumentParser
internal import MeasurementHistory

/// `zoombench history add`.
struct HistoryAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add the result of zoombench compare as a run.",
    discussion: """
      The candidate is what was measured. Its ratios to the base are kept where the base is the \
      pinned baseline (see zoombench history bless). A file that is added twice is one run, \
      and is not taken under another commit.
      """)

  @Argument(
    help: ArgumentHelp("A file that compare or bench wrote as JSON.", valueName: "result.json"))
  var file: String

  @Option(help: "The commit that was measured, where the file does not say.")
  var commit: String?

  @Option(help: "The branch that it was on.")
  var branch: String?

  @OptionGroup var location: HistoryLocation

  func run() async throws {
    let recorded = try ResultFile(file)
    let revision = try await recorded.revision(commit: commit, branch: branch)
    let (run, isNew) = try location.with(createsFile: true) { store in
      let run = try recorded.run(of: revision, baseline: try store.baseline()?.commit)
      return (run, try store.append(run))
    }
    try Output.write("\(isNew ? "added" : "known already:") run \(run.id)\n", to: nil)
  }
}
