internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import PixelLaws
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Time peeks with each region source against a naive full decode (the default).",
    discussion: """
      Each round asks every source for the same peek, in shuffled order, and compares the answers \
      byte for byte. "cold" opens the file for each peek, "warm" keeps it open; the system's own \
      file cache is warm in both. Compare times only within one run.

      For a page with charts: --format json -o run.json, then zoombench report run.json -o run.html.
      """)

  enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, markdown
    /// The report with which processes of one run answer; it is not listed.
    case parts

    static var allValueStrings: [String] {
      allCases.filter { $0 != .parts }.map(\.rawValue)
    }
  }

  enum Workload: String, ExpressibleByArgument, CaseIterable {
    case peeks, replays, steps
  }

  @OptionGroup var chosen: PictureOptions

  @Option(
    help: ArgumentHelp("Sources to time, comma-separated; naive always runs.", valueName: "names"))
  var sources: NameList?

  @OptionGroup var foreign: PipelineOptions

  @Option(
    help:
      "What to time: single peeks, the frames of gesture replays, or the steps of live systems without pixels."
  )
  var workload: Workload = .peeks

  @Option(
    help: ArgumentHelp(
      "Gestures to replay, comma-separated: names of scripts (see zoombench replay).",
      valueName: "names"))
  var gestures: NameList?

  @Option(
    help: "The number of rounds for each picture and state, or of replays of each gesture.")
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      """
      Time for all rounds together: 90, 90s or 3m; each picture still gets its minimum of rounds.
      """,
      valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var budget: DurationArgument?

  @Option(
    help: "Measure in so many processes: intervals are then about launches, not about one process.")
  var launches = 1

  @Option(help: "Chooses the touches and the order of sources.")
  var seed: UInt64 = 1

  @Flag(help: "Under 30 seconds: few rounds, one kind of peek, no very large picture.")
  var quick = false

  @Option(help: "How to write the result.")
  var format: OutputFormat = .table

  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "The folder of seek indexes to use. By default none is used: the first peek builds one in memory.",
      valueName: "folder"))
  var indexDir: String?

  @Flag(help: "Keep the result in the history as a run of the revision that is checked out.")
  var record = false

  @Option(help: "The commit that --record keeps the result under, by default the one checked out.")
  var commit: String?

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  @OptionGroup var history: HistoryLocation

  func validate() throws {
    try output.refusePage()
    if let rounds, rounds < 1 { throw ValidationError("--rounds must be at least 1") }
    guard (1...1000).contains(launches) else {
      throw ValidationError("--launches must be 1...1000")
    }
    if launches > 1 && workload != .peeks {
      throw ValidationError("--launches is for --workload peeks")
    }
    if rounds != nil && budget != nil {
      throw ValidationError("--rounds and --budget exclude each other")
    }
    if record && workload != .peeks {
      throw ValidationError("--record is for --workload peeks")
    }
    if commit != nil && !record { throw ValidationError("--commit is for --record") }
    if gestures != nil && workload == .peeks {
      throw ValidationError("--gestures is for --workload replays and steps")
    }
    if workload != .peeks && !foreign.isEmpty {
      throw ValidationError("--pipeline is for --workload peeks")
    }
    if workload == .steps, !chosen.isEmpty || sources != nil {
      throw ValidationError("--workload steps decodes no picture: leave pictures and sources out")
    }
    for name in sources?.names ?? [] where !StandardPipelines().names.contains(name) {
      throw ValidationError(noSourceNamed: name, among: StandardPipelines().names)
    }
  }

  func run() async throws {
    // Checked before corpus pictures are made, and only once: the list of --pipelines may be a pipe.
    let programs = try foreign.installed(limits.limits)
    let target = output.path
    try Output.checkWritable(target, sparing: chosen.paths)
    // Checked before the measurement, so that its result is not lost.
    let revision = record ? try await RevisionFacts.measured(commit) : nil
    if record { try history.checkWritable() }
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    if workload == .replays {
      try Output.write(try await measureReplays(), to: target)
      return
    }
    if workload == .steps {
      let report = try measureSteps()
      try Output.write(try rendered(report), to: target)
      if let row = report.allocating.first {
        throw Failure(
          .finding, "\(row.system.rawValue) makes \(row.blocks ?? 0) heap allocations in a play")
      }
      return
    }
    let report = try await launches > 1 ? measureLaunches() : measure(programs)
    if !report.pictures.isEmpty {
      try Output.write(try rendered(report), to: target)
    }
    // A run without a measured picture is not kept.
    let result = RunResult(report)
    if let revision, !report.groups.isEmpty {
      let run = try RunRecord(result, revision: revision)
      try history.with(createsFile: true) { _ = try $0.append(run) }
    }
    try result.conclusion.check()
  }

  private func measureSteps() throws -> LiveBench.Report {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    return try LiveBench(gestures: try chosenGestures(), plays: rounds ?? (quick ? 5 : 50)).run(bar)
  }

  private func measure(_ programs: [ForeignPipeline]) async throws -> BenchReport {
    let started = Date().ISO8601Format()
    let plan = try await plan()
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    bar.announce(plan.summary)
    let pipelines = try pipelines()
    defer { pipelines.removeFiles() }
    // A comparator that sees no differences would pass every program.
    if !programs.isEmpty { try ComparatorSelfTest().run() }
    let runner = BenchRunner(
      plan: plan, bar: bar, pipelines: pipelines, foreign: programs,
      memory: MemoryProbe(limits: pipelines.limits, indexFolder: indexDir))
    let outcome = try await runner.run()
    let sizes = Set(outcome.groups.compactMap { $0.rounds.first?.region.size })
    let nullAnswers = try AdapterCost.measure(programs, of: sizes.sorted { $0.area < $1.area })
    return BenchReport(
      command: ["zoombench"] + CommandLine.arguments.dropFirst(), startedAt: started,
      seed: plan.seed, viewportWidth: BenchPlan.viewport.width,
      viewportHeight: BenchPlan.viewport.height,
      environment: .current(),
      pictures: outcome.pictures, groups: outcome.groups, unmeasured: outcome.unmeasured,
      nullAnswers: nullAnswers.isEmpty ? nil : nullAnswers)
  }

  /// Returns the plan that the flags describe; makes missing corpus pictures.
  private func plan() async throws -> BenchPlan {
    // A debug build needs minutes to paint the very large picture.
    let isDebug = MachineDescription.current().buildConfiguration == .debug
    let subjects = try await subjects(
      standard: quick || isDebug ? BenchPlan.quickPictures : BenchPlan.standardPictures)
    return plan(of: subjects)
  }

  func plan(of subjects: [BenchPlan.Subject]) -> BenchPlan {
    let chosen = chosenSources(standard: BenchPlan.standardSources)
    // 60 rounds: a p95 needs at least 59. Cold rounds cost several full decodes each.
    let exactly = rounds.map { $0...$0 }
    return BenchPlan(
      subjects: subjects, sources: chosen,
      peeks: quick ? [BenchPlan.standardPeeks[0]] : BenchPlan.standardPeeks,
      states: BenchPlan.FileState.allCases,
      coldRounds: exactly ?? (quick ? 1...10 : 3...25),
      warmRounds: exactly ?? (quick ? 1...30 : 3...60),
      // With building the corpus, the totals are 30 s and 2 minutes on two cores.
      budgetSeconds: rounds == nil ? budget?.seconds ?? (quick ? 18 : 95) : nil,
      seed: seed)
  }

  /// Returns the named pictures, or the standard ones if none was named.
  ///
  /// One broken picture among several does not end the run.
  func subjects(standard: [String]) async throws -> [BenchPlan.Subject] {
    let found = try await chosen.find(
      standard: standard, in: location, limits.limits, isQuiet: quiet)
    try Output.checkWritable(output.path, sparing: found.map(\.path))
    return found
  }

  /// Returns one pipeline per source; only indexes in `--index-dir` are used.
  func pipelines() throws -> StandardPipelines {
    StandardPipelines(
      limits: limits.limits, indexes: try StoredIndexes(folder: indexDir, otherwise: .none))
  }

  /// Returns the sources to time, without duplicates, the reference first.
  func chosenSources(standard: [String]) -> [String] {
    var chosen = ["naive"]
    for name in sources?.names ?? standard where !chosen.contains(name) { chosen.append(name) }
    return chosen
  }

  private func rendered(_ report: BenchReport) throws -> String {
    switch format {
    case .table: TableWriter.rendered(RunResult(report))
    case .markdown: MarkdownWriter.rendered(ReportInput(RunResult(report)))
    case .csv: CSVWriter.rendered(ReportInput(RunResult(report)))
    case .json: try Output.json(RunResult(report))
    case .parts: try Output.json(report)
    }
  }
}
