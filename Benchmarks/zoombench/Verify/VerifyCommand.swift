internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import IIIFRules
internal import Measurement
internal import PixelLaws
package import PropertyTesting
internal import Sharding
internal import SystemPackage
internal import ZoomLaws
internal import ZoomPipeline

/// `zoombench verify`: tries the laws on random inputs.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Try the zoom laws on random touches, forces, viewports, pictures and gestures.",
    discussion: """
      Without arguments, all laws are tried on the five corrected zoom systems, and on every exact \
      source with generated pictures and pictures of the corpus, which takes at most one minute. A \
      broken law is reported with the smallest input found that breaks it, and with a command that \
      repeats the case.

      Examples:
        zoombench verify --systems peek --original
        zoombench verify photo.jpg --sources partial,resident --budget 5m
        zoombench verify --viewer mine=viewer.html --drawings films
      """)

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
    help: ArgumentHelp(
      "Laws to try, comma-separated, such as FZ-P1; IIIF for all rules of IIIF servers.",
      valueName: "names"))
  var laws: NameList?

  @Option(help: "Cases of each law; costly laws get fewer, but at least 10.")
  var cases: Int?

  @Option(
    help: ArgumentHelp(
      """
      Time for all laws together: 90, 90s or 3m (default: 50s; 10m with --viewer; no limit with --cases).
      """,
      valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var budget: DurationArgument?

  @Option(help: "The seed of the cases (default: a random one, which is printed).")
  var seed: UInt64?

  @Option(help: ArgumentHelp("A case to try again, from a report.", valueName: "token"))
  var replay: String?

  @Option(help: ArgumentHelp("Only this subject, by its name in the table.", valueName: "name"))
  var subject: String?

  @Option(
    help: ArgumentHelp(
      """
      A folder for drawings of broken laws of pixels and viewers: expected, got and the difference.
      """,
      valueName: "folder"))
  var drawings: String?

  @Option(
    help: """
      Laws tried at a time, at most 4 with --viewer; with --cases the result does not depend on it.
      """)
  var jobs = min(256, ProcessInfo.processInfo.activeProcessorCount)

  @Flag(help: "Exit with 2 if a law is undecided, and with 1 if a server breaks a SHOULD of IIIF.")
  var strict = false

  @Option(help: "How to write the result (report has more formats).")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions

  @Flag(help: "No progress bar.")
  var quiet = false

  @OptionGroup var collection: PictureListOptions

  @OptionGroup var shards: ShardOptions

  @OptionGroup var colour: ColourOptions

  @OptionGroup var foreign: PipelineOptions

  @OptionGroup var viewers: ViewerOptions

  @OptionGroup var indexes: IndexOptions

  @OptionGroup var limits: PictureLimitOptions

  @OptionGroup var location: CorpusLocation

  /// Whether --laws names only rules of servers.
  var asksForRulesOnly: Bool {
    laws?.names.allSatisfy { $0.hasPrefix(ServerTrial.prefix) } ?? false
  }

  func validate() throws {
    try output.refusePage()
    if let cases, !(1...VerifyPlan.mostCases).contains(cases) {
      throw ValidationError("--cases must be 1...\(VerifyPlan.mostCases)")
    }
    try OutputOptions.check(drawings, of: "--drawings", needs: "a folder's name")
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be 1...256") }
    if replay != nil && laws?.names.count != 1 {
      throw ValidationError("--replay shows a case of one law (name it with --laws)")
    }
    try checkShards()
    if original && (sources != nil || !chosen.isEmpty || !foreign.isEmpty) {
      throw ValidationError("--original is for systems; sources were not published in another form")
    }
    if !viewers.isEmpty, original || systems != nil {
      throw ValidationError("--viewer excludes systems (verify them in another run)")
    }
    let known = ViewerTrials.laws
    for name in laws?.names ?? [] where !viewers.isEmpty && !isAboutPixels && !known.contains(name)
    {
      throw ValidationError(no: "law", named: name, known: known)
    }
  }

  func run() async throws {
    if let part = try shards.begin(output) {
      try await run(part)
      return
    }
    let start = (date: Date().ISO8601Format(), time: Timestamps.monotonic())
    let target = output.path
    try Output.checkWritable(target, sparing: chosen.paths)
    let request = try asksForRulesOnly ? replay.map(Self.request) : nil
    let token = try asksForRulesOnly ? nil : replay.map(ReplayToken.init(argument:))
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let sources = try chosenSources()
    // The list of --pipelines is read once, because it may be a pipe.
    let programs = try foreign.installed(limits.limits)
    let trials = try ViewerTrials(viewers, isQuiet: quiet)
    defer { trials.close() }
    var chosen = try await choices(try pipelines(sources, programs))
    chosen.suites += trials.suites
    chosen.leftOut += lacks(of: trials.subjects)
    let seed = seed ?? .random(in: .min ... .max)
    let plan = VerifyPlan(
      items: asksForRulesOnly || (chosen.suites.isEmpty && !chosen.findings.isEmpty)
        ? [] : try items(of: chosen.suites, servers: chosen.servers),
      servers: try servers(of: chosen), request: request, seed: seed, seconds: seconds,
      end: chosen.end, jobs: jobs, replay: token)
    let rows =
      try await verify(plan, drawing: try drawings.map { try BreachDrawing(folder: FilePath($0)) })
      + chosen.findings
    var result = RunResult(
      kind: .verify, command: ["zoombench"] + GivenAddresses.arguments.dropFirst(),
      startedAt: start.date, seconds: Double(Timestamps.monotonic() - start.time) / 1e9, seed: seed,
      environment: RunResult.Environment(machine: .current()),
      settings: RunResult.Settings(strict: strict),
      contenders: programs.map { RunResult.Contender(name: $0.name, kind: .program) }
        + trials.contenders,
      leftOut: chosen.leftOut, notes: [advice].compactMap(\.self))
    result.judge(rows)
    try Output.write(
      format == .table ? TableWriter.rendered(result) : Output.json(result), to: target)
    if replay != nil,
      let row = rows.first(where: { $0.cases == 0 && $0.reason != VerifyReport.noTimeLeft })
    {
      throw Failure(.badInput, VerifyReport.refusal(row))
    }
    try result.conclusion.check()
  }

  private var isStandard: Bool { cases == nil && budget == nil && replay == nil }

  var askedCases: Int {
    let standard = viewers.isEmpty ? VerifyPlan.standardCases : VerifyPlan.viewerCases
    return cases ?? (budget == nil ? standard : VerifyPlan.mostCases)
  }

  /// The time limit; making the corpus included, a standard run without viewers takes at most a minute.
  var seconds: Double? {
    isStandard ? (viewers.isEmpty ? 50 : VerifyPlan.viewerSeconds) : budget?.seconds
  }

  /// Advice on how to try more, if the run had the standard extent.
  private var advice: String? {
    isStandard && subject == nil && laws == nil && viewers.isEmpty
      ? "try more: --budget 10m, or --cases 10000 for that many cases of each law" : nil
  }

  private func verify(
    _ plan: VerifyPlan, drawing: BreachDrawing?
  ) async throws -> [VerifyReport.LawRow] {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let limit = plan.seconds.map { ", for at most \(Format.number($0)) s" } ?? ""
    var rows: [VerifyReport.LawRow] = []
    if !plan.servers.isEmpty {
      // The laws of pixels run this self-test as PX-1.
      try ComparatorSelfTest().run()
      bar.announce(
        "trying the rules of IIIF on \(Format.count(plan.servers.count, "picture"))\(limit)")
      rows += try serverRows(plan, bar) { try drawing?.draw($0, as: $1) }
    }
    if !plan.items.isEmpty {
      bar.announce(
        "trying \(Format.count(plan.items.count, "pair")) of law and subject, \(plan.usedJobs) at a time"
          + limit)
      rows += try await VerifyRunner(plan: plan, bar: bar) { breach, item, name in
        try drawing?.draw(breach, of: item, as: name)
      }.run()
    }
    return rows
  }

  /// Returns the rows of each server in turn: a server gets one request at a time, except for the rule about
  /// concurrent requests.
  ///
  /// If laws follow, the servers share half of the time.
  private func serverRows(
    _ plan: VerifyPlan, _ bar: ProgressBar, draw: (PixelMismatch, String) throws -> String?
  ) throws -> [VerifyReport.LawRow] {
    let share = (plan.seconds ?? 0) * (plan.items.isEmpty ? 1 : 0.5) / Double(plan.servers.count)
    let named = laws.map { Set($0.names) }
    return try plan.servers.flatMap { trial in
      try Task.checkCancellation()
      let end = plan.seconds.map { _ in
        min(ContinuousClock.now.advanced(by: .seconds(share)), plan.end ?? .now + .seconds(share))
      }
      let rows = try trial.run(
        seed: plan.seed, replay: plan.request, until: end, draw: draw,
        progress: { bar.update($0, $1) })
      return rows.filter { row in
        named.map { $0.contains(row.law) || $0.contains(ServerTrial.prefix) } ?? true
      }
    }
  }

  /// Parses a request to a server; throws a usage error for other text.
  private static func request(_ text: String) throws -> IIIFRequest {
    guard let request = IIIFRequest(text) else {
      throw ValidationError(
        "--replay: '\(text)' is not a request (region/size/rotation/quality.format)")
    }
    return request
  }
}

extension ReplayToken {
  /// Parses a token; throws a usage error for other text.
  package init(argument text: String) throws {
    do { self = try ReplayToken(parsing: text) } catch {
      throw ValidationError("--replay: \(error) (copy the token whole)")
    }
  }
}
