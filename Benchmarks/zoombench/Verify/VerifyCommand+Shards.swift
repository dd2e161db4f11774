internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import Sharding
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The result of one cell of a sharded `verify`: a block of a law's cases, or all laws of one source on one
/// picture.
struct VerifyCellResult: Codable, Sendable {
  var laws: [LawCell] = []
  /// The sources that did not try the picture, with reasons.
  var leftOut: [String] = []
  /// The drawings of breaches as PNG in base64, by law and index of the breach.
  var drawings: [String: String] = [:]
  var machine: String?

  /// The result without the values that differ between two equal runs, such as times.
  var outcome: Self {
    var result = self
    result.laws = laws.map(\.withoutTimes)
    result.machine = nil
    return result
  }
}

/// The cells of a sharded `verify`, in the order of the rows of a whole run.
///
/// Laws of numbers and of generated pictures are known from the start. The user's pictures are opened only
/// while their cells are tried, because there may be any number of them.
struct VerifyCells: Sendable {
  /// A law and a block of its cases.
  struct Block: Sendable {
    let item: VerifyPlan.Item
    let number: Int

    var key: String {
      (["--laws", item.trial.law] + item.selection + ["--subject", item.trial.subject])
        .map(ShellWord.quoted).joined(separator: " ")
        + (item.blocks > 1 ? " cases \(number * VerifyPlan.blockCases)…" : "")
    }
  }

  /// The blocks before the pictures, and after them.
  let before: [Block]
  let after: [Block]
  let pictures: PictureList?
  let pipelines: [any Pipeline]

  enum Work: Sendable {
    case block(Block)
    case picture(String, any Pipeline)
  }

  private var pictureCells: Int { (pictures?.list.count ?? 0) * pipelines.count }

  func list() throws -> WorkList {
    try WorkList {
      let (first, last) = (before.map(\.key), after.map(\.key))
      let nextPicture = try pictures?.list.begin()
      var (place, pipeline, picture) = (0, 0, String?.none)
      return {
        if place < first.count {
          defer { place += 1 }
          return first[place]
        }
        if picture == nil { picture = try nextPicture?() }
        if let name = picture {
          defer {
            pipeline += 1
            if pipeline == pipelines.count { (pipeline, picture) = (0, nil) }
          }
          return Self.key(pipelines[pipeline], name)
        }
        guard place < first.count + last.count else { return nil }
        defer { place += 1 }
        return last[place - first.count]
      }
    }
  }

  private static func key(_ pipeline: any Pipeline, _ picture: String) -> String {
    "\(pipeline.name) \(picture)"
  }

  func work(of cell: Cell) -> Work {
    if cell.number < before.count { return .block(before[cell.number]) }
    let inPictures = cell.number - before.count
    guard inPictures < pictureCells else { return .block(after[inPictures - pictureCells]) }
    let pipeline = pipelines[inPictures % pipelines.count]
    return .picture(String(cell.key.dropFirst(pipeline.name.count + 1)), pipeline)
  }
}

extension VerifyCommand {
  /// Refuses options that do not allow division into cells.
  func checkShards() throws {
    guard shards.shard != nil || cell != nil else { return }
    guard seed != nil, cases != nil else {
      throw ValidationError(
        "--shard needs --seed and --cases, so that all shards try the same (and no --budget)")
    }
    guard budget == nil, replay == nil, drawings == nil, compareTo == nil, testCard == nil else {
      throw ValidationError(
        "--shard takes no --budget, --replay, --drawings, --compare-to or --test-card")
    }
  }

  /// Processes one shard, or one cell of it in a process that another one watches.
  func run(_ shard: Shard) async throws {
    let programs = try foreign.installed(limits.limits)
    guard !asksForRulesOnly, !programs.contains(where: \.isImageServer) else {
      throw ValidationError("--shard takes no IIIF server: one machine tries its rules")
    }
    Interruption.atTermination { ExitStatus.tryAgain.rawValue }
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let sources = try chosenSources()
    let pipelines = sources.compactMap { $0.pipelines.named($0.name) } + programs
    let cells = try await cells(pipelines)
    let list = try cells.list()
    let plan = VerifyPlan(
      items: (cells.before + cells.after).map(\.item), seed: seed ?? 0, seconds: nil, jobs: jobs,
      replay: nil)
    let machine = Self.machine
    let (turns, errors) = (SourceTurns(), LibraryErrors())
    // A source has a state that affects the cost of reads, so its laws run one after the other.
    @Sendable func tried(_ cell: Cell) async throws -> VerifyCellResult {
      switch cells.work(of: cell) {
      case .block(let block) where block.item.kind == .geometry:
        try await Self.result(of: block, plan)
      case .block(let block):
        try await turns.take(block.item.choice) { try await Self.result(of: block, plan) }
      case .picture(let name, let pipeline):
        try await turns.take(pipeline.name) {
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
    if let number = cell {
      let next = try list.begin()
      for _ in 0..<number { _ = try next() }
      guard let key = try next() else { throw ValidationError("there is no cell \(number)") }
      try Output.write(
        try Output.json(try await result(of: Cell(number: number, key: key)), .compact), to: nil)
      return
    }
    guard let folder = output.path else {
      throw ValidationError("--shard needs -o, the folder of its journal")
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let run = ShardRun(
      plan: WorkPlan(
        job: "verify", tool: "zoombench \(ToolVersion.number)", settings: settings,
        cells: list.count, cellsDigest: list.digest),
      list: list, shard: shard, folder: folder, jobs: jobs, doing: "verifying", bar: bar)
    try await run.run(
      work: result(of:),
      suspect: { cell in
        let arguments =
          ShardOptions.command().dropFirst() + ["--quiet", "--cell", "\(cell.number)"]
        var alone = try IsolatedRun.zoombench(Array(arguments))
        // A law of pixels may try thousands of cases.
        alone.limit = .seconds(7200)
        switch try await alone.run() {
        case .output(let text):
          return try JSONDecoder().decode(VerifyCellResult.self, from: Data(text.utf8))
        case .died(let how): return Self.result(of: cell, cells.work(of: cell), died: how)
        }
      })
  }

  /// The settings that affect results, without the cells themselves.
  private var settings: [String: String] {
    [
      "seed": "\(seed ?? 0)", "cases": "\(cases ?? 0)", "original": "\(original)",
      "strict": "\(strict)",
      "laws": laws?.description ?? "all", "filter": filter?.description ?? "none",
      "subject": subject ?? "all", "memory": "\(limits.memory ?? 0)",
      "loaders": limits.loaders.rawValue, "indexes": indexDir == nil ? "none" : "folder",
    ]
  }

  private static var machine: String {
    let machine = MachineDescription.current()
    return [machine.cpuModel, machine.operatingSystem].compactMap(\.self).joined(separator: ", ")
  }

  private func cells(_ pipelines: [any Pipeline]) async throws -> VerifyCells {
    var suites: [VerifyCatalogue.ChosenSuite] = []
    if systems != nil || !isAboutPixels {
      suites += VerifyCatalogue.systems(
        try chosenSystems(), form: original ? .original : .corrected)
    }
    if systems == nil && !isAboutPixels && !original { suites.append(VerifyCatalogue.arithmetic) }
    // All shards have the same cells, so a program that cannot open generated pictures ends each of them.
    var findings: [VerifyReport.LawRow] = []
    let generated = try VerifyCatalogue.generated(pipelines, findings: &findings)
    if let row = findings.first, let breach = row.breaches.first {
      throw Failure(.finding, "\(row.subject): \(breach.complaint)")
    }
    let isNamed = !chosen.isEmpty || collection.list != nil
    // Names are checked as in a whole run, unless they may belong to laws of the user's pictures.
    let wanted =
      isNamed
      ? (try? items(of: suites)) ?? [] : try items(of: suites + generated)
    func blocks(_ items: [VerifyPlan.Item]) -> [VerifyCells.Block] {
      items.flatMap { item in (0..<item.blocks).map { VerifyCells.Block(item: item, number: $0) } }
    }
    let numbers = blocks(wanted.filter { $0.kind == .geometry })
    let drawn = blocks(
      isNamed ? (try? items(of: generated)) ?? [] : wanted.filter { $0.kind == .pixels })
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
      return try collection.paths([], expand: { $0.map { FilePath($0) } })
    }
    let found = try await chosen.find(
      standard: Self.standardPictures, in: location, limits.limits, isQuiet: quiet)
    return try collection.paths(
      found.map(\.path.string), expand: { $0.map { FilePath($0) } })
  }

  private static func result(
    of block: VerifyCells.Block, _ plan: VerifyPlan
  ) async throws -> VerifyCellResult {
    try await result(of: [block.item], block: block.number, plan)
  }

  /// Returns the results of all laws for a picture and a source; the picture is open only during this call.
  private func result(
    of name: String, by pipeline: any Pipeline, in cells: VerifyCells, _ plan: VerifyPlan
  ) async throws -> VerifyCellResult {
    let path = cells.pictures?.path(of: name) ?? FilePath(name)
    let picture = BenchPlan.Subject(name: name, path: path)
    let suite: VerifyCatalogue.ChosenSuite
    do { suite = try VerifyCatalogue.suite(of: pipeline, picture) } catch {
      if let row = VerifyCatalogue.finding(on: picture, by: pipeline, error) {
        return VerifyCellResult(laws: [LawCell(row)])
      }
      return VerifyCellResult(leftOut: [VerifyCatalogue.refusal(of: picture, by: pipeline, error)])
    }
    defer { suite.release?() }
    let items = everyItem(of: [suite]).filter(isWanted)
    return try await Self.result(of: items, block: 0, plan)
  }

  private static func result(
    of items: [VerifyPlan.Item], block: Int, _ plan: VerifyPlan
  ) async throws -> VerifyCellResult {
    var result = VerifyCellResult()
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let drawing = try BreachDrawing(folder: scratch.path)
    for item in items {
      let report = await item.trial.check(plan.settings(of: item, block: block, share: nil))
      try Task.checkCancellation()
      for (place, breach) in report.breaches.enumerated() {
        guard let file = try drawing.draw(breach, as: "\(place)") else { continue }
        let bytes = try Data(contentsOf: URL(filePath: file))
        result.drawings["\(item.trial.law) \(place)"] = bytes.base64EncodedString()
      }
      let row = VerifyReport.LawRow(
        report, of: item, pictures: report.breaches.map { _ in nil })
      result.laws.append(LawCell(report, row, block: block))
    }
    return result
  }

  /// Returns the finding for a cell whose work ended the process twice.
  private static func result(
    of cell: Cell, _ work: VerifyCells.Work, died how: String
  ) -> VerifyCellResult {
    var row: VerifyReport.LawRow
    switch work {
    case .block(let block): row = VerifyReport.untried(block.item)
    case .picture(let name, let pipeline):
      row = .unusable(subject: "\(pipeline.name) \(name)", complaint: nil, replay: "")
    }
    (row.verdict, row.reason) = (.broken, nil)
    row.breaches = [
      VerifyReport.BreachRow(
        input: cell.key, complaint: "it ended the process twice: \(how)",
        replay: (ShardOptions.command() + ["--cell", "\(cell.number)"]).map(ShellWord.quoted)
          .joined(separator: " "), evaluations: 0)
    ]
    return VerifyCellResult(laws: [LawCell(row)])
  }
}

/// Serialises the laws of each source.
private actor SourceTurns {
  private var taken: Set<String> = []
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  func take<Result: Sendable>(
    _ source: String, _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    if !taken.insert(source).inserted {
      await withCheckedContinuation { waiting[source, default: []].append($0) }
    }
    defer { pass(source) }
    return try await body()
  }

  /// Passes the turn to the next waiting cell, or releases it.
  private func pass(_ source: String) {
    if waiting[source]?.isEmpty == false {
      waiting[source]?.removeFirst().resume()
    } else {
      taken.remove(source)
    }
  }
}
