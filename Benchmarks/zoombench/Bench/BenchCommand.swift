internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import PixelLaws
internal import SystemPackage
internal import ZoomPipeline

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Time peeks with each region source against a naive full decode (the default).",
    discussion: """
      Each source runs in a separate process. Each round asks all of them for the same peek, in \
      shuffled order, and compares every byte of the answers by a checksum. "cold" opens the file \
      for each peek, "warm" keeps it open; the system's own file cache is warm in both. Compare \
      times only within one run. Ctrl-C ends the run early and writes what was measured.

      Examples:
        zoombench bench photo.jpg --sources partial,resident
        zoombench bench photos --budget 10m --format json -o run.json
        zoombench bench --viewer mine=viewer.html --viewer other=other.html
      """)

  @OptionGroup var chosen: PictureOptions

  @Option(
    help: ArgumentHelp("Sources to time, comma-separated; naive always runs.", valueName: "names"))
  var sources: NameList?

  @OptionGroup var colour: ColourOptions

  @OptionGroup var foreign: PipelineOptions

  @OptionGroup var viewers: ViewerOptions

  @Option(help: "The number of rounds for each picture and state, in each launch.")
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      """
      The time limit: 90, 90s or 3m. If it is short, pictures get fewer rounds, and the last ones \
      none. The default suffices for six rounds at each picture.
      """,
      valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var budget: DurationArgument?

  @Option(
    help: """
      The number of processes of each source, one after the other; with several, intervals are \
      about launches instead of one process.
      """)
  var launches = 1

  @Option(help: "The seed of the touches and of the order of sources.")
  var seed: UInt64 = 1

  @Flag(help: "Under 30 seconds: few rounds, one kind of peek, no very large picture.")
  var quick = false

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions

  @OptionGroup var indexes: IndexOptions

  @Flag(help: "Keep the result in the history as a run of the revision that is checked out.")
  var record = false

  @Option(help: "The commit that --record keeps the result under, by default the one checked out.")
  var commit: String?

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var limits: PictureLimitOptions

  @OptionGroup var location: CorpusLocation

  @OptionGroup var history: HistoryLocation

  func validate() throws {
    try output.refusePage()
    if let rounds, rounds < 1 { throw ValidationError("--rounds must be at least 1") }
    guard (1...1000).contains(launches) else {
      throw ValidationError("--launches must be 1...1000")
    }
    if rounds != nil && budget != nil {
      throw ValidationError("--rounds and --budget exclude each other")
    }
    if record && colour.target != nil {
      throw ValidationError("--record keeps results in colours as stored (leave out --colour)")
    }
    if commit != nil && !record { throw ValidationError("--commit is for --record") }
    if !viewers.isEmpty,
      !chosen.isEmpty || sources != nil || !foreign.isEmpty || quick || colour.target != nil
    {
      throw ValidationError("--viewer times a test card (time pictures and sources in another run)")
    }
    for name in sources?.names ?? [] where !StandardPipelines().names.contains(name) {
      throw ValidationError(noSourceNamed: name, among: StandardPipelines().names)
    }
  }

  func run() async throws {
    // Checked before corpus pictures are made, and only once: the list of --pipelines may be a pipe.
    let programs = try foreign.installed(limits.limits)
    try colour.check(programs)
    let target = output.path
    try Output.checkWritable(target, sparing: chosen.paths)
    // Checked before the measurement, so that its result is not lost.
    let revision = record ? try RevisionFacts.measured(commit) : nil
    if record { try history.checkWritable() }
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let result =
      try await viewers.isEmpty ? measure(programs, in: temporary.path) : measureViewers()
    if !result.pictures.isEmpty {
      try Output.write(
        format == .json ? Output.json(result) : TableWriter.rendered(result), to: target)
    }
    // The code of a process that SIGINT has ended.
    if result.partial != nil { throw ExitCode(130) }
    // A run without a measured picture is not kept.
    if let revision, !result.groups.isEmpty {
      let run = try RunRecord(result, revision: revision)
      try history.with(createsFile: true) { _ = try $0.append(run) }
    }
    try result.conclusion.check()
  }

  private func measure(
    _ programs: [ForeignPipeline], in scratch: FilePath
  ) async throws -> RunResult {
    guard let executable = Bundle.main.executablePath else {
      throw Failure(.fault, "bench: the path of zoombench itself is not known")
    }
    let pictureLimits = limits.limits
    // A debug build needs minutes to paint the very large picture.
    let isDebug = MachineDescription.current().buildConfiguration == .debug
    let subjects = try await chosen.find(
      standard: quick || isDebug ? BenchPlan.quickPictures : BenchPlan.standardPictures,
      in: location, pictureLimits, isQuiet: quiet)
    try Output.checkWritable(output.path, sparing: subjects.map(\.path))
    // A comparator that sees no differences would pass every program.
    if !programs.isEmpty { try ComparatorSelfTest().run() }
    var plan = plan(of: subjects)
    let costs = subjects.map {
      BenchSchedule.Cost(
        try? Picture($0.path, limits: pictureLimits),
        contenders: plan.sources.count + programs.count)
    }
    if rounds == nil, budget == nil {
      // With making the corpus, the totals are 30 s and 2 minutes on two cores.
      plan.setStandardBudget(costs, atLeast: quick ? 18 : 95)
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    bar.announce(plan.summary(costs))
    let run = BenchRun(
      plan: plan, bar: bar,
      pipelines: StandardPipelines(
        limits: pictureLimits, indexes: try indexes.places(otherwise: .served)),
      programs: programs, colour: colour.target,
      arguments: try workerArguments(for: subjects, in: scratch),
      executable: executable, scratch: scratch)
    var result = RunResult(
      kind: .bench, command: ["zoombench"] + GivenAddresses.arguments.dropFirst(),
      startedAt: Date().ISO8601Format(), seed: seed, environment: .current())
    Interruption.cancelFirst()
    try run.measure(costs, into: &result)
    result.judge()
    return result
  }

  /// Returns the arguments that each worker gets.
  private func workerArguments(
    for subjects: [NamedPicture], in scratch: FilePath
  ) throws -> [String] {
    try ["--loaders", limits.loaders.rawValue]
      + (indexes.indexDir.map { ["--index-dir", $0] } ?? [])
      + RemoteState.arguments(limits.remote, for: subjects, in: scratch)
  }

  func plan(of subjects: [NamedPicture]) -> BenchPlan {
    var names = ["naive"]
    for name in sources?.names ?? BenchPlan.standardSources where !names.contains(name) {
      names.append(name)
    }
    // 60 rounds: a p95 needs at least 59. Cold rounds cost several full decodes each.
    let exactly = rounds.map { $0...$0 }
    return BenchPlan(
      subjects: subjects, sources: names,
      peeks: quick ? [BenchPlan.standardPeeks[0]] : BenchPlan.standardPeeks,
      states: BenchPlan.FileState.allCases,
      coldRounds: exactly ?? (quick ? 1...10 : 3...25),
      warmRounds: exactly ?? (quick ? 1...30 : 3...60),
      budgetSeconds: budget?.seconds, launches: launches, seed: seed)
  }
}
