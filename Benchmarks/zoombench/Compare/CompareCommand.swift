internal import ArgumentParser
internal import ForeignPipelines
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
      executables that speak the worker protocol, other programs (NAME=KIND:WHAT, see \
      --pipeline), shell commands (NAME=shell:COMMAND) or web viewers (NAME=viewer:PAGE). BASE may \
      be "blessed", the baseline that zoombench history bless has pinned. Without CANDIDATE the \
      working tree is compared.

      Both builds are sampled in turn, in new processes, each time linked with their functions in \
      another order. CPU time decides, or wall time if the program waits. A case that looks slower \
      or faster is measured again in new processes before it counts.

      Three checks run with it: one build against itself, a program that never changes, and 5 % more \
      work. If a check gives a wrong result, the run is contaminated and its times do not count.

      Exit code 1: pixels differ, the candidate lacks a case or fails in one, a counter rose, or a \
      case is slower. Exit code 2: the run is contaminated, or no case could be decided.

      zoombench compare main --strict
      zoombench compare HEAD~1 --pipeline 'my=worker:python3 my.py' --pictures a.jpg
      """)

  @Argument(help: "A revision, an executable, a pipeline or a shell command.")
  var base: String

  @Argument(help: "The same as the base (default: the working tree).")
  var candidate: String?

  @Option(
    help: ArgumentHelp(
      "Changes up to this many per cent are never called slower or faster (default: 1, or 3 if the "
        + "builds are not linked again).", valueName: "percent"))
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

  @Flag(help: "Do not link both builds again in other orders of their functions.")
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

  @Option(
    help: ArgumentHelp(
      """
      A program to compare in two revisions, run in each one's folder: NAME=KIND:WHAT, where KIND \
      is command, worker, tiles, iiif, http, shell or viewer.
      """, valueName: "pipeline"))
  var pipeline: String?

  @Option(
    help: ArgumentHelp(
      "A shell command that builds the program of --pipeline in each revision.",
      valueName: "command"))
  var build: String?

  @Option(
    help: ArgumentHelp(
      "Compare the mean time to full view at this many views per second (see load).",
      valueName: "rate"))
  var load: Double?

  @Option(help: "The seed of the order of samples.")
  var seed: UInt64 = 1

  @Option(help: "The executable product to build from revisions.")
  var product = RevisionBuilder.standardProduct

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

  @Option(
    help: """
      The commit that --record keeps the result under, if the candidate is not a revision (default: \
      the one that is checked out).
      """)
  var commit: String?

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var viewers: ViewerSettings

  @OptionGroup var location: CorpusLocation

  @OptionGroup var history: HistoryLocation

  func validate() throws {
    try output.refusePage()
    // Slow-downs beyond a factor of two need no gate; the bound keeps logarithms sane.
    if let threshold, !(threshold > 0 && threshold <= 100) {
      throw ValidationError("--threshold must be above 0 and at most 100 per cent")
    }
    if sources != nil && pictures == nil {
      throw ValidationError("--sources is for --pictures: the usual cases name their sources")
    }
    // A worker must answer within a minute, and a period has 30 views.
    if let load, pictures == nil || !(1...10_000).contains(load) {
      throw ValidationError("--load takes 1...10000 views per second, and needs --pictures")
    }
    if load != nil { try LoadOptions.refuseRemote(pictures?.names ?? []) }
    if build != nil && pipeline == nil { throw ValidationError("--build is for --pipeline") }
    if commit != nil && !record { throw ValidationError("--commit is for --record") }
  }

  /// Returns the margins; the margin of "same" is two per cent wider than that of "slower".
  func settings(isOneLayout: Bool) -> GateSettings {
    let usual = isOneLayout ? GateSettings.oneLayoutMargin : GateSettings().margin
    let margin = threshold.map { $0 / 100 } ?? usual
    // A period of a load takes seconds, and the interval is about launches.
    return GateSettings(
      margin: margin, sameMargin: margin + 0.02, pairsPerLaunch: load == nil ? 20 : 6)
  }

  func run() async throws {
    let target = output.path
    let inputs = [base] + [candidate].compactMap(\.self) + (pictures?.names ?? [])
    try Output.checkWritable(target, sparing: inputs.map { FilePath($0) })
    let before = try base == "blessed" ? blessed() : Contender.What(base)
    let after = try candidate.map { try Contender.What($0) } ?? .workingTree
    let program = try checkedProgram(before, after)
    // Checked before the measurement, so that its result is not lost.
    let revision = try recordedRevision(of: after)
    if record { try history.checkWritable() }
    let result = try await measure(before, after, program)
    try Output.write(
      format == .json ? Output.json(result, .compact) : TableWriter.rendered(result), to: target)
    if record { try keep(result, under: revision) }
    try result.conclusion.check()
  }

  /// Returns the program of both contenders, or the candidate's of two programs; nil for builds.
  ///
  /// - Throws: `ValidationError` for contenders of different kinds, and for options of other kinds.
  func checkedProgram(
    _ before: Contender.What, _ after: Contender.What
  ) throws -> Contender.Program? {
    let shared = try pipeline.map { try Contender.Program($0) }
    let programs = [before, after].compactMap(\.program)
    guard let program = shared ?? programs.last else { return nil }
    if let shared {
      guard before.isRevision, after.isRevision else {
        throw ValidationError("--pipeline is for two revisions (or name two programs without it)")
      }
      // A file that is named by its path may be in the revisions only.
      if !shared.description.contains("/") { try shared.assertInstalled() }
    } else {
      guard programs.count == 2, programs[0].kind == programs[1].kind else {
        throw ValidationError(
          "a \(program.kind) is compared with another \(program.kind) (name two; in two revisions,"
            + " use --pipeline)")
      }
    }
    if program.takesPictures, pictures == nil {
      throw ValidationError("name the pictures for the pipeline (--pictures photo.jpg)")
    }
    if !program.takesPictures, pictures != nil {
      throw ValidationError("--pictures is for pipelines (a shell command names its own files)")
    }
    for case .pipeline(let text) in programs + [program] where load != nil {
      guard try ForeignPipeline(text).isRemote else { continue }
      throw ValidationError("\(text): --load is for servers on this machine (see load)")
    }
    if case .viewer = program { _ = try viewers.foundBrowser() }
    for (option, isGiven) in [
      ("--sources", sources != nil), ("--argument", !arguments.isEmpty),
    ] where isGiven {
      throw ValidationError("\(option) is for builds, not for a \(program.kind)")
    }
    return program
  }

  private func blessed() throws -> Contender.What {
    guard let baseline = try history.with({ try $0.baseline() }) else {
      throw Failure(
        .noInput, "\(history.path): no baseline is pinned (zoombench history bless REV --reason …)")
    }
    return .revision(baseline.commit)
  }

  /// Returns the revision for a record of a candidate that has none; nil for others, and without a record.
  private func recordedRevision(of candidate: Contender.What) throws -> RunRecord.Revision? {
    if candidate.isRevision {
      if commit != nil {
        throw ValidationError("--commit is for a candidate that is not a revision")
      }
      return nil
    }
    return record ? try RevisionFacts.measured(commit) : nil
  }

  private func keep(_ result: RunResult, under measured: RunRecord.Revision?) throws {
    let branch = (try? RevisionFacts.current())?.branch
    let revision = try measured ?? result.revision(commit: nil, branch: branch)
    try history.with(createsFile: true) { store in
      let baseline = try store.baseline()?.commit
      try store.append(RunRecord(result, revision: revision, baseline: baseline))
    }
  }
}
