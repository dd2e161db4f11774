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
      Without arguments every law is tried on the five zoom systems, corrected, and on every \
      source that promises exact pixels, over pictures of the corpus and generated ones, for at \
      most a minute. A broken law is reported with the smallest input found that breaks it, and \
      the command that shows it again.
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
      Cases of each law, or more where a class needs more to be decided; laws that play gestures \
      get a tenth, those of pixels a fiftieth and of large pictures less, but 10.
      """)
  var cases: Int?

  @Option(
    help: ArgumentHelp(
      "Time for all laws together: 90, 90s or 3m. Without it as long as --cases takes.",
      valueName: "time"))
  var budget: DurationArgument?

  @Option(help: "Chooses the cases; without it the run picks a seed and tells it.")
  var seed: UInt64?

  @Option(help: ArgumentHelp("A case to try again, from a report.", valueName: "token"))
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "Of several subjects the one of this name, as the table has it.", valueName: "name"))
  var subject: String?

  @Option(
    help: ArgumentHelp(
      "Only where the law's or the subject's name has one of these in it, comma-separated.",
      valueName: "parts"))
  var filter: NameList?

  @Flag(help: "Plant faults and show which law finds which, after how many cases.")
  var faults = false

  @Option(
    help: ArgumentHelp(
      "A folder to draw broken laws of pixels in: expected, got, and what differs.",
      valueName: "folder"))
  var drawings: String?

  @Option(help: "Laws tried at a time; the result does not depend on it.")
  var jobs = min(256, ProcessInfo.processInfo.activeProcessorCount)

  @Flag(help: "End with exit code 2 where a law was tried too little to say.")
  var strict = false

  @Option(help: "How to write the result.")
  var format: OutputFormat = .table

  @Option(name: .shortAndLong, help: "A file for the result instead of stdout.")
  var output: String?

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var foreign: PipelineOptions

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  func validate() throws {
    if let cases, !(1...VerifyPlan.mostCases).contains(cases) {
      throw ValidationError("--cases must be 1...\(VerifyPlan.mostCases)")
    }
    if output?.isEmpty == true { throw ValidationError("-o needs a file's name") }
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
    let target = output.map { FilePath($0) }
    try Output.checkWritable(target, sparing: chosen.paths)
    let token = try replay.map(Self.token)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let pipelines = StandardPipelines(limits: limits.limits)
    defer { pipelines.removeFiles() }
    let (choices, leftOut) = try await choices(pipelines)
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

  /// What was chosen, all systems and exact sources unless some are named, and what was left out.
  private func choices(
    _ pipelines: StandardPipelines
  ) async throws -> ([VerifyCatalogue.ChosenSuite], leftOut: [String]) {
    var choices: [VerifyCatalogue.ChosenSuite] = []
    let isAboutPixels = sources != nil || !chosen.isEmpty || !foreign.isEmpty
    let wantsPixels = isAboutPixels || (systems == nil && !original)
    if systems != nil || !isAboutPixels {
      choices += VerifyCatalogue.systems(
        try systems.map { try VerifyCatalogue.systems(named: $0.names) } ?? ZoomSystem.allCases,
        form: original ? .original : .corrected)
    }
    if systems == nil && !isAboutPixels && !original {
      choices.append(VerifyCatalogue.arithmetic)
    }
    guard wantsPixels else { return (choices, []) }
    let named = try sources?.names.map { name in
      guard let pipeline = pipelines.named(name) else {
        throw ValidationError(
          "there is no source named \(name) (use \(pipelines.names.joined(separator: ", ")))")
      }
      return pipeline
    }
    // A fault stands before a source, whichever it is; the quickest shows as much as all.
    let standard = faults ? pipelines.all.filter { $0.name == "resident" } : pipelines.all
    let others = try foreign.pipelines()
    // Who asks about other people's programs asks about ours only by their names.
    let ours = named ?? (others.isEmpty ? standard.filter(\.isExact) : [])
    let found = try VerifyCatalogue.sources(ours + others, pictures: try await pictures())
    return (choices + found.choices, found.leftOut)
  }

  /// The user's pictures, those of the corpus that are named, or some small ones of it.
  ///
  /// Planted faults and single cases again do without, unless they are named.
  private func pictures() async throws -> [BenchPlan.Subject] {
    try await chosen.find(
      standard: faults || replay != nil ? [] : Self.standardPictures, in: location,
      limits.limits, isQuiet: quiet)
  }

  /// One of each way to be coded that sources read differently, and one of each container.
  static let standardPictures = [
    "jpeg-422", "jpeg-restart-part", "jpeg-scans", "jpeg-optimised", "cmyk", "orientation-6",
    "tiny-17x3", "png-16", "png-interlaced", "webp", "tiff-tiled",
  ]

  /// The laws that are to be tried, of the suites that were chosen.
  private func items(of choices: [VerifyCatalogue.ChosenSuite]) throws -> [VerifyPlan.Item] {
    let every = choices.flatMap { choice in
      choice.suite.trials.map { trial in
        VerifyPlan.Item(
          trial: trial, kind: choice.kind, choice: choice.name, selection: choice.selection,
          cases: VerifyPlan.cases(of: trial, asked: askedCases))
      }
    }
    let all = every.filter { item in
      let name = "\(item.trial.law) \(item.trial.subject)"
      return filter?.names.contains { name.contains($0) } ?? true
    }
    guard !all.isEmpty else {
      throw ValidationError("no law or subject has what --filter asks for in its name")
    }
    let ofSubject = all.filter { subject == nil || $0.trial.subject == subject }
    guard !ofSubject.isEmpty else {
      let known = Set(all.map(\.trial.subject)).sorted().joined(separator: ", ")
      throw ValidationError("there is no subject named \(subject ?? "") here (use \(known))")
    }
    guard let names = laws?.names else { return ofSubject }
    for name in names where !ofSubject.contains(where: { $0.trial.law == name }) {
      let known = Set(ofSubject.map(\.trial.law)).sorted().joined(separator: ", ")
      throw ValidationError("there is no law named \(name) here (use \(known))")
    }
    return ofSubject.filter { names.contains($0.trial.law) }
  }

  /// Whether neither a number nor a time was asked for.
  private var isStandard: Bool { cases == nil && budget == nil && replay == nil }

  private var askedCases: Int {
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
    let subjects = Set(plan.items.map(\.trial.subject)).count
    bar.announce(
      "trying \(plan.items.count) laws on \(subjects) subjects, \(plan.jobs) at a time"
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
    // Names are checked as without faults.
    _ = try items(of: choices)
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let matrix = try await FaultPlanting(
      choices: choices, laws: laws?.names, cases: cases ?? Self.standardFaultCases, seed: seed,
      jobs: jobs, bar: bar
    ).run()
    bar.finish()
    switch format {
    case .json:
      try Output.write(
        String(decoding: try JSONEncoder.report.encode(matrix), as: UTF8.self) + "\n", to: target)
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
    case .json: String(decoding: try JSONEncoder.report.encode(report), as: UTF8.self) + "\n"
    }
  }

  /// Throws what the run's exit code has to say.
  static func judge(_ report: VerifyReport, strict: Bool) throws {
    let broken = report.count(.broken)
    if broken > 0 {
      throw Failure(.finding, "\(broken) of \(report.laws.count) laws are broken")
    }
    let undecided = report.count(.undecided)
    if strict && undecided > 0 {
      throw Failure(
        .inconclusive, "\(undecided) of \(report.laws.count) laws are undecided (use more --cases)")
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
