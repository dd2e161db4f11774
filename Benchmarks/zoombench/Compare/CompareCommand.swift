internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// `zoombench compare`: reports whether one build is slower than another.
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say whether one build is slower than another.",
    discussion: """
      BASE and CANDIDATE are revisions of the repository (built in a separate work tree), \
      executables that speak the worker protocol, or pipelines (NAME=KIND:WHAT). BASE may be "blessed", the baseline that \
      zoombench history bless has pinned. Without CANDIDATE the working tree is compared.

      One new process of each build is sampled in turn, each time linked in another order of its \
      functions. CPU time decides, and wall time if the program waits. A case that looks slower or faster is measured again in new \
      processes before it counts.

      Three checks run with it: one build against itself, a program that never changes, and 5 % more \
      work. If a check gives a wrong result, the run is contaminated and its times do not count.

      Exit code 1: pixels differ, a case is missing in the candidate, a counter rose, or a case is \
      slower. Exit code 2: the run is contaminated, or no case could be decided.
      """)

  @Argument(help: "A revision, an executable or a pipeline.")
  var base: String

  @Argument(help: "A revision, an executable or a pipeline (default: the working tree).")
  var candidate: String?

  @Option(
    help: ArgumentHelp(
      "Changes up to this many per cent are never called slower or faster (default: 1, or 3 where "
        + "builds run as they are linked).", valueName: "percent"))
  var threshold: Double?

  @Option(
    help: ArgumentHelp(
      "Time for measuring, without the builds: 90, 90s or 3m.", valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var budget: DurationArgument = DurationArgument(seconds: 180)

  @Flag(
    help:
      "Exit with 2 if a case is undecided, and measure a case that looks the same a second time."
  )
  var strict = false

  @Flag(help: "Run both builds as they are linked.")
  var noLayouts = false

  @Option(
    name: .customLong("allow-counter"),
    help: ArgumentHelp("A counter that may rise; may be repeated.", valueName: "name"))
  var allowedCounters: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only cases whose names contain one of these, comma-separated.", valueName: "parts"))
  var filter: NameList?

  @Option(
    help: ArgumentHelp(
      "Pictures instead of the usual ones, comma-separated: files, folders or corpus names.",
      valueName: "list"))
  var pictures: NameList?

  @Option(
    help: ArgumentHelp(
      "Region sources for --pictures, comma-separated (default: automatic).", valueName: "names"))
  var sources: NameList?

  @Flag(help: "Also count instructions under valgrind; half a per cent more is a finding.")
  var instructions = false

  @Option(help: "Chooses the order of samples.")
  var seed: UInt64 = 1

  @Option(help: "The executable product to build from revisions.")
  var product = Self.standardProduct

  static let standardProduct = "zoombench"

  @Option(help: ArgumentHelp("The package's folder in the repository.", valueName: "folder"))
  var package = "."

  @Option(
    name: .customLong("argument"),
    help: ArgumentHelp(
      "An argument for both executables; repeat it for several.", valueName: "text"))
  var arguments: [String] = []

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions

  @Flag(help: "Keep the result in the history as a run of the candidate's revision.")
  var record = false

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var location: CorpusLocation

  @OptionGroup var history: HistoryLocation

  func validate() throws {
    try output.refusePage()
    // Slow-downs beyond a factor of two need no gate; the bound keeps logarithms sane.
    if let threshold, !(threshold > 0 && threshold <= 100) {
      throw ValidationError("--threshold must be above 0 and at most 100 per cent")
    }
    if sources != nil && pictures == nil {
      throw ValidationError(
        "--sources is for --pictures: the usual cases have sources of their own")
    }
  }

  /// Returns the margins; the margin of "same" is two per cent wider than that of "slower".
  func settings(isOneLayout: Bool) -> GateSettings {
    let usual = isOneLayout ? GateSettings.oneLayoutMargin : GateSettings().margin
    let margin = threshold.map { $0 / 100 } ?? usual
    return GateSettings(margin: margin, sameMargin: margin + 0.02)
  }

  func run() async throws {
    let target = output.path
    let inputs = [base] + [candidate].compactMap(\.self) + (pictures?.names ?? [])
    try Output.checkWritable(target, sparing: inputs.map { FilePath($0) })
    let before = try base == "blessed" ? blessed() : CompareArm(base)
    let after = try candidate.map { try CompareArm($0) } ?? .workingTree
    if record, case .executable = after {
      throw ValidationError("--record needs a revision to keep the run under, not an executable")
    }
    try checkPipelines(before, after)
    if record { try history.checkWritable() }
    let comparison = try await measure(before, after)
    let result = RunResult(
      comparison, strict: strict, command: ["zoombench"] + CommandLine.arguments.dropFirst())
    try Output.write(try rendered(result), to: target)
    if record { try await keep(result) }
    try result.conclusion.check()
  }

  /// Refuses options that do not apply to pipelines of other programs.
  private func checkPipelines(_ arms: CompareArm...) throws {
    let count = arms.count { if case .pipeline = $0 { true } else { false } }
    guard count > 0 else { return }
    guard count == arms.count else {
      throw ValidationError("a pipeline is compared with another pipeline (name two)")
    }
    guard pictures != nil else {
      throw ValidationError("name the pictures for the two pipelines (--pictures photo.jpg)")
    }
    for (option, isGiven) in [
      ("--sources", sources != nil), ("--argument", !arguments.isEmpty), ("--record", record),
      ("--instructions", instructions),
    ] where isGiven {
      throw ValidationError("\(option) is for builds, not for pipelines")
    }
  }

  private func blessed() throws -> CompareArm {
    guard let baseline = try history.with({ try $0.baseline() }) else {
      throw Failure(
        .noInput, "\(history.path): no baseline is pinned (zoombench history bless REV --reason …)")
    }
    return .revision(baseline.commit)
  }

  private func keep(_ result: RunResult) async throws {
    let branch = try? await RevisionFacts.current().branch
    let revision = try await result.revision(commit: nil, branch: branch)
    try history.with(createsFile: true) { store in
      _ = try store.append(
        try result.run(of: revision, baseline: try store.baseline()?.commit))
    }
  }

  private func rendered(_ result: RunResult) throws -> String {
    switch format {
    case .table: TableWriter.rendered(result)
    case .json: try Output.json(result, .compact)
    }
  }
}
