internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import Sharding
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The result of one cell of a sharded `verify`: a law, or all laws of one source on one picture.
struct VerifyCellResult: CellResult {
  var laws: [VerifyReport.LawRow] = []
  /// The sources that did not try the picture, with reasons.
  var leftOut: [String] = []
  var machine: String?

  /// The machine, and the times of each law.
  struct Run: Codable {
    var machine: String?
    var seconds: [Double] = []
  }

  var run: Run? {
    get { Run(machine: machine, seconds: laws.map(\.seconds)) }
    set {
      machine = newValue?.machine
      let times = (newValue?.seconds ?? []) + repeatElement(0, count: laws.count)
      for (index, time) in zip(laws.indices, times) { laws[index].seconds = time }
    }
  }
}

/// The cells of a sharded `verify`, in the order of the rows of a whole run.
///
/// Laws of numbers and of generated pictures are known from the start. The user's pictures are opened only
/// while their cells are tried, because there may be any number of them.
struct VerifyCells: Sendable {
  /// The laws before the pictures, and after them.
  let before: [VerifyPlan.Item]
  let after: [VerifyPlan.Item]
  let pictures: PictureList?
  let pipelines: [any Pipeline]

  enum Work: Sendable {
    case law(VerifyPlan.Item)
    case picture(String, any Pipeline)
  }

  private var pictureCells: Int { (pictures?.list.count ?? 0) * pipelines.count }

  func list() throws -> WorkList {
    let (first, last) = (before.map(Self.key), after.map(Self.key))
    return try WorkList {
      let nextPicture = try pictures?.list.begin()
      var pending = first[...]
      var isAtEnd = false
      return {
        while pending.isEmpty, !isAtEnd {
          if let name = try nextPicture?() {
            pending = pipelines.map { Self.key($0, name) }[...]
          } else {
            (pending, isAtEnd) = (last[...], true)
          }
        }
        return pending.popFirst()
      }
    }
  }

  private static func key(_ item: VerifyPlan.Item) -> String {
    (["--laws", item.trial.law] + item.selection + ["--subject", item.trial.subject])
      .map(ShellWord.quoted).joined(separator: " ")
  }

  private static func key(_ pipeline: any Pipeline, _ picture: String) -> String {
    "\(pipeline.name) \(picture)"
  }

  func work(of cell: Cell) -> Work {
    if cell.number < before.count { return .law(before[cell.number]) }
    let inPictures = cell.number - before.count
    guard inPictures < pictureCells else { return .law(after[inPictures - pictureCells]) }
    let pipeline = pipelines[inPictures % pipelines.count]
    return .picture(String(cell.key.dropFirst(pipeline.name.count + 1)), pipeline)
  }
}

extension VerifyCommand {
  /// Refuses options that do not allow division into cells.
  func checkShards() throws {
    guard shards.shard != nil else { return }
    if !viewers.isEmpty { throw ValidationError("--shard takes no --viewer") }
    guard seed != nil, cases != nil else {
      throw ValidationError(
        "--shard needs --seed and --cases, so that all shards try the same (and no --budget)")
    }
    guard budget == nil, replay == nil, drawings == nil else {
      throw ValidationError("--shard takes no --budget, --replay or --drawings")
    }
  }

  /// Processes one shard.
  func run(_ part: ShardOptions.Part) async throws {
    let programs = try foreign.installed(limits.limits)
    guard !asksForRulesOnly, !programs.contains(where: \.isImageServer) else {
      throw ValidationError("--shard takes no IIIF server: one machine tries its rules")
    }
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let sources = try chosenSources()
    let pipelines = try pipelines(sources, programs)
    let cells = try await cells(pipelines)
    let plan = VerifyPlan(
      items: cells.before + cells.after, seed: seed ?? 0, seconds: nil, jobs: jobs, replay: nil)
    let machine = Self.machine
    let errors = Turns()
    // A source has a state that affects the cost of reads, so its laws run one after the other.
    let sourceTurns = Dictionary(
      pipelines.map { ($0.name, Turns()) }, uniquingKeysWith: { first, _ in first })
    @Sendable func tried(_ cell: Cell) async throws -> VerifyCellResult {
      switch cells.work(of: cell) {
      case .law(let item) where item.kind == .geometry:
        try await Self.result(of: [item], plan)
      case .law(let item):
        try await sourceTurns[item.choice, default: Turns()].run(alone: true) {
          try await Self.result(of: [item], plan)
        }
      case .picture(let name, let pipeline):
        try await sourceTurns[pipeline.name, default: Turns()].run(alone: true) {
          try await self.result(of: name, by: pipeline, in: cells, plan)
        }
      }
    }
    @Sendable func result(of cell: Cell) async throws -> VerifyCellResult {
      var result = try await errors.reliably(isRefused: { !$0.leftOut.isEmpty }) {
        try await tried(cell)
      }
      result.machine = machine
      return result
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let run = ShardRun(
      job: .verify, settings: settings(programs.map(\.name)), list: try cells.list(), part: part,
      jobs: jobs, doing: "verifying", bar: bar)
    try await run.run(work: result(of:)) { Self.died(cells.work(of: $0)) }
  }

  /// The settings that affect results, without the cells themselves.
  private func settings(_ programs: [String]) -> [String: String] {
    // Indexes beside pictures on servers are used if there is a key.
    let hasKey = (try? SidecarStore(.beside))?.hasKey == true
    var settings = [
      "seed": "\(seed ?? 0)", "cases": "\(cases ?? 0)", "original": "\(original)",
      "strict": "\(strict)",
      "laws": laws?.description ?? "all", "subject": subject ?? "all",
      "memory": "\(limits.memory ?? 0)",
      "loaders": limits.loaders.rawValue,
      "indexes": indexes.indexDir != nil ? "folder" : hasKey ? "served" : "none",
      "programs": programs.joined(separator: "\n"),
    ]
    settings["colour"] = colour.target?.rawValue
    return settings
  }

  private static var machine: String {
    let machine = MachineDescription.current()
    return [machine.cpuModel, machine.operatingSystem].compactMap(\.self).joined(separator: ", ")
  }

  private func cells(_ pipelines: [any Pipeline]) async throws -> VerifyCells {
    let suites = try suitesOfNumbers()
    // All shards have the same cells, so a program that cannot open generated pictures ends each of them.
    var findings: [VerifyReport.LawRow] = []
    let generated = try VerifyCatalogue.generated(pipelines, findings: &findings)
    if let row = findings.first, let breach = row.breaches.first {
      throw Failure(.finding, "\(row.subject): \(breach.complaint)")
    }
    let isNamed = !chosen.isEmpty || collection.list != nil
    // Names are checked as in a whole run, unless they may belong to laws of the user's pictures.
    let wanted = isNamed ? (try? items(of: suites)) ?? [] : try items(of: suites + generated)
    let numbers = wanted.filter { $0.kind == .geometry }
    let drawn = isNamed ? (try? items(of: generated)) ?? [] : wanted.filter { $0.kind == .pixels }
    guard !pipelines.isEmpty else {
      return VerifyCells(before: numbers, after: [], pictures: nil, pipelines: [])
    }
    let pictures = try await pictureList()
    return isNamed
      ? VerifyCells(before: numbers, after: drawn, pictures: pictures, pipelines: pipelines)
      : VerifyCells(before: numbers + drawn, after: [], pictures: pictures, pipelines: pipelines)
  }

  private func pictureList() async throws -> PictureList {
    if collection.list != nil {
      return try collection.paths([], limits.remote, expand: { $0.map { FilePath($0) } })
    }
    let found = try await chosen.find(
      standard: Self.standardPictures, in: location, limits.limits, isQuiet: quiet)
    return try collection.paths(
      found.map(\.path.string), limits.remote, expand: { $0.map { FilePath($0) } })
  }

  /// Returns the results of all laws for a picture and a source; the picture is open only during this call.
  private func result(
    of name: String, by pipeline: any Pipeline, in cells: VerifyCells, _ plan: VerifyPlan
  ) async throws -> VerifyCellResult {
    let path = cells.pictures?.path(of: name) ?? FilePath(name)
    let picture = NamedPicture(name: name, path: path)
    let suite: VerifyCatalogue.ChosenSuite
    do { suite = try VerifyCatalogue.suite(of: pipeline, picture) } catch {
      if let row = VerifyCatalogue.finding(on: picture, by: pipeline, error) {
        return VerifyCellResult(laws: [row])
      }
      return VerifyCellResult(leftOut: [VerifyCatalogue.refusal(of: picture, by: pipeline, error)])
    }
    defer { suite.release?() }
    let items = everyItem(of: [suite]).filter(isWanted)
    return try await Self.result(of: items, plan)
  }

  private static func result(
    of items: [VerifyPlan.Item], _ plan: VerifyPlan
  ) async throws -> VerifyCellResult {
    var result = VerifyCellResult()
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let drawing = try BreachDrawing(folder: scratch.path)
    for item in items {
      let report = await item.trial.check(plan.settings(of: item, share: nil))
      try Task.checkCancellation()
      let pictures = try report.breaches.map { breach in
        try drawing.draw(breach, as: "breach").map { file in
          let bytes = try Data(contentsOf: URL(filePath: file))
          return VerifyReport.drawingPrefix + bytes.base64EncodedString()
        }
      }
      result.laws.append(VerifyReport.LawRow(report, of: item, pictures: pictures))
    }
    return result
  }

  /// Returns the finding for a cell during which two runs ended.
  private static func died(_ work: VerifyCells.Work) -> VerifyCellResult {
    let complaint = "it ended the process twice"
    switch work {
    case .picture(let name, let pipeline):
      let command = ShardOptions.command().map(ShellWord.quoted).joined(separator: " ")
      return VerifyCellResult(laws: [
        .unusable(subject: "\(pipeline.name) \(name)", complaint: complaint, replay: command)
      ])
    case .law(let item):
      var row = VerifyReport.untried(item)
      (row.verdict, row.reason) = (.broken, nil)
      row.breaches = [
        VerifyReport.BreachRow(
          input: item.trial.subject, complaint: complaint,
          replay: VerifyReport.replay(item, nil), evaluations: 0)
      ]
      return VerifyCellResult(laws: [row])
    }
  }
}
