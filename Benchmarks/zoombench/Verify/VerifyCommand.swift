internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import PropertyTesting
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// `zoombench verify`: the laws, tried on random inputs.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Try the zoom laws on random touches, forces, viewports, pictures and gestures.",
    discussion: """
      Without arguments, every law is tried for at most one minute on the five corrected zoom \
      systems, and on every exact source with generated pictures and pictures of the corpus. A \
      broken law is reported with the smallest input found that breaks it, and with a command that \
      repeats the case.
      """)

  enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, junit
  }

  @OptionGroup var chosen: PictureOptions

  @Option(
    help: ArgumentHelp(
      "Zoom systems, comma-separated: peek, fullscreen, force, double-tap, transition.",
      valueName: "names"))
  var systems: NameList?

  @Option(
    help: ArgumentHelp(
      "Region sources, comma-separated (see zoombench inspect).", valueName: "names"))
  var sources: NameList?

  @Flag(help: "Try the systems as published, with their defects.")
  var original = false

  @Option(
    help: ArgumentHelp("Laws to try, comma-separated, such as FZ-P1.", valueName: "names"))
  var laws: NameList?

  @Option(
    help: """
      Cases of each law. Laws of gestures get a tenth, laws of pixels a fiftieth, at least 10. A \
      law gets more if a required class needs them.
      """)
  var cases: Int?

  @Option(
    help: ArgumentHelp(
      "Time for all laws together: 90, 90s or 3m (50s, or no limit with --cases).",
      valueName: "time"))
  var budget: DurationArgument?

  @Option(help: "Chooses the cases; by default the run picks one and prints it.")
  var seed: UInt64?

  @Option(help: ArgumentHelp("A case to try again, from a report.", valueName: "token"))
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "Only this subject, by its name in the table.", valueName: "name"))
  var subject: String?

  @Option(
    help: ArgumentHelp(
      "Only laws and subjects whose names contain one of these, comma-separated.",
      valueName: "parts"))
  var filter: NameList?

  @Flag(help: "Plant faults and show which law finds which, after how many cases.")
  var faults = false

  @Option(
    help: ArgumentHelp(
      "A folder for drawings of broken laws of pixels: expected, got and the difference.",
      valueName: "folder"))
  var drawings: String?

  @Option(help: "Laws tried at a time; with --cases the result does not depend on it.")
  var jobs = min(256, ProcessInfo.processInfo.activeProcessorCount)

  @Flag(help: "Exit with 2 if a law is undecided.")
  var strict = false

  @Option(help: "How to write the result.")
  var format: OutputFormat = .table

  @OptionGroup var output: OutputOptions

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var foreign: PipelineOptions

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  func validate() throws {
    if let cases, !(1...VerifyPlan.mostCases).contains(cases) {
      throw ValidationError("--cases must be 1...\(VerifyPlan.mostCases)")
    }
    try OutputOptions.check(drawings, of: "--drawings", needs: "a folder's name")
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be 1...256") }
    if replay != nil && laws?.names.count != 1 {
      throw ValidationError("--replay shows a case of one law (name it with --laws)")
    }
    if faults
      && (original || strict || replay != nil || format == .junit || budget != nil
        || drawings != nil)
    {
      throw ValidationError(
        "--faults takes no --original, --replay, --budget, --strict, --drawings or --format junit")
    }
    _ = try foreign.pipelines()
    if faults && !foreign.isEmpty { throw ValidationError("--faults takes no --pipeline") }
    if original && (sources != nil || !chosen.isEmpty || !foreign.isEmpty) {
      throw ValidationError("--original is for systems; sources have no published form")
    }
  }

  func run() async throws {
    let target = output.path
    try Output.checkWritable(target, sparing: chosen.paths)
    let token = try replay.map(Self.token)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let sources = try chosenSources()
    defer { for source in sources { source.pipelines.removeFiles() } }
    let (choices, leftOut) = try await choices(
      sources.compactMap { $0.pipelines.named($0.name) } + (try foreign.pipelines()))
    let seed = seed ?? .random(in: .min ... .max)
    if faults {
      try await plantFaults(in: choices, seed: seed, to: target)
      return
    }
    let plan = VerifyPlan(
      items: try items(of: choices), seed: seed, seconds: seconds, jobs: jobs, replay: token)
    var report = try await verify(plan)
    report.leftOut = leftOut
    report.advice = advice
    try Output.write(try rendered(report), to: target)
    if replay != nil, let row = report.laws.first(where: { $0.cases == 0 }) {
      throw Failure(
        .badInput,
        "--replay: the token is of another law, form or subject than \(row.law) \(row.subject)")
    }
    try Self.judge(report, strict: strict)
  }

  /// Whether neither a number nor a time was asked for.
  private var isStandard: Bool { cases == nil && budget == nil && replay == nil }

  var askedCases: Int {
    cases ?? (budget == nil ? VerifyPlan.standardCases : VerifyPlan.mostCases)
  }

  /// With what the corpus takes to be made, a minute at most.
  private var seconds: Double? { isStandard ? 50 : budget?.seconds }

  /// How to try more, where it was not said how much to try.
  private var advice: String? {
    isStandard && subject == nil && laws == nil
      ? "try more: --budget 10m, or --cases 10000 for so many cases of each law" : nil
  }

  private func verify(_ plan: VerifyPlan) async throws -> VerifyReport {
    let startedAt = Date().ISO8601Format()
    let start = Timestamps.monotonic()
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let drawing = try drawings.map { try BreachDrawing(folder: FilePath($0)) }
    bar.announce(
      "trying \(Format.count(plan.items.count, "pair")) of law and subject, \(plan.jobs) at a time"
        + (plan.seconds.map { ", for at most \(Format.number($0)) s" } ?? ""))
    let rows = try await VerifyRunner(plan: plan, bar: bar) { breach, name in
      try drawing?.draw(breach, as: name)
    }.run()
    return VerifyReport(
      tool: "zoombench \(ToolVersion.number)",
      command: ["zoombench"] + CommandLine.arguments.dropFirst(), startedAt: startedAt,
      seed: plan.seed, seconds: Double(Timestamps.monotonic() - start) / 1e9,
      environment: .current(), laws: rows)
  }

  private func plantFaults(
    in choices: [VerifyCatalogue.ChosenSuite], seed: UInt64, to target: FilePath?
  ) async throws {
    // Names are checked as without faults. Laws of pictures have no faults, and the names of what
    // has some are those of the systems and sources.
    let items = try items(of: choices)
    let laws = choices.map { choice in
      items.filter { $0.trial.subject == choice.suite.subject }.map(\.trial.law)
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let matrix = try await FaultPlanting(
      choices: choices, laws: laws, cases: cases ?? Self.standardFaultCases, seed: seed,
      jobs: jobs, bar: bar
    ).run()
    bar.finish()
    guard !matrix.groups.isEmpty else {
      throw ValidationError("no fault can be planted in what was chosen")
    }
    switch format {
    case .json:
      try Output.write(try Output.json(matrix), to: target)
    case .table, .junit: try Output.write(matrix.rendered(), to: target)
    }
    guard matrix.survivors.isEmpty else {
      throw Failure(
        .finding,
        "\(matrix.survivors.count) of \(matrix.detectable) faults were not found")
    }
  }

  /// Enough for faults that show in one of some hundred cases.
  static let standardFaultCases = 2_000

  private func rendered(_ report: VerifyReport) throws -> String {
    switch format {
    case .table: VerifyTable(report).rendered()
    case .junit: JUnit(report).rendered()
    case .json: try Output.json(report)
    }
  }

  /// Throws what the run's exit code has to say.
  static func judge(_ report: VerifyReport, strict: Bool) throws {
    let broken = report.count(.broken)
    if broken > 0 {
      throw Failure(.finding, "\(broken) of \(report.laws.count) checks are broken")
    }
    let undecided = report.count(.undecided)
    if strict && undecided > 0 {
      throw Failure(
        .inconclusive,
        "\(undecided) of \(report.laws.count) checks are undecided (use more --cases)")
    }
  }

  /// Reads a token; what is none is wrong usage.
  private static func token(_ text: String) throws -> ReplayToken {
    do {
      return try ReplayToken(parsing: text)
    } catch {
      throw ValidationError("--replay: \(error)")
    }
  }
}
