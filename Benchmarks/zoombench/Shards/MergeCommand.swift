internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import MeasurementHistory
internal import Sharding
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// `zoombench merge`: combines the journals of all shards into the result of the whole run.
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the journals of shards together into the result of the whole run.",
    discussion: """
      The result and the exit code are those of the same command without --shard, apart from times. \
      Shards that are missing are named with the command that makes them.
      """)

  @Argument(help: "Journals (shard-….jsonl), or folders of them.")
  var journals: [String]

  @Option(help: "How to write the result.")
  var format: VerifyCommand.OutputFormat = .table

  @Option(
    help: ArgumentHelp(
      "A folder for drawings of broken laws of pixels.", valueName: "folder"))
  var drawings: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if journals.isEmpty { throw ValidationError("name a folder of journals") }
  }

  func run() async throws {
    let start = Timestamps.monotonic()
    let paths = try paths()
    try Output.checkWritable(output.path, sparing: paths)
    let merge = try JournalMerge(paths)
    switch merge.plan.job {
    case "bench": try mergeTimes(merge)
    case "index": try await mergeIndexes(merge, start)
    case "inspect": try await mergeCollections(merge)
    case "verify": try mergeLaws(merge, start)
    default:
      throw Failure(.badInput, "\(paths[0]): journals of \(merge.plan.job) are not known here")
    }
  }

  private func paths() throws -> [FilePath] {
    var seen = Set<FilePath>()
    return try journals.flatMap { name -> [FilePath] in
      guard FilePath.isFolder(name) else {
        _ = try FileVersion(of: FilePath(name))
        return [FilePath(name)]
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: name).sorted()
      let found = names.filter { $0.hasPrefix("shard-") && $0.hasSuffix(".jsonl") }
      guard !found.isEmpty else {
        let parts = names.count { $0.hasPrefix("shard-") && $0.hasSuffix(".part") }
        throw Failure(
          .noInput,
          "\(name): no shard is finished there"
            + (parts > 0 ? " (\(parts) begun: run the same commands again)" : ""))
      }
      return found.map { FilePath(name).appending($0) }
    }.filter { seen.insert($0).inserted }
  }

  private func mergeIndexes(_ merge: JournalMerge, _ start: UInt64) async throws {
    guard let action = merge.plan.settings["action"].flatMap(IndexReport.Action.init) else {
      throw Failure(.badInput, "the journals' plan does not say what was done")
    }
    guard let format = ResultFormat(rawValue: format.rawValue) else {
      throw ValidationError("--format \(format) is for verify (use table or json)")
    }
    let report = try await Output.stream(to: output.path) { write in
      var report = try IndexReport(action, format, write: write)
      try merge.run(
        isSame: { first, second in
          try first.line == second.line
            || Self.indexRow(first).outcome == Self.indexRow(second).outcome
        }, emit: { try report.add(Self.indexRow($0)) })
      try report.end(seconds: Double(Timestamps.monotonic() - start) / 1e9)
      return report
    }
    try report.judge()
  }

  private static func row<Row: CheckedResult>(
    _ entry: JournalReader.Entry, as type: Row.Type = Row.self
  ) throws -> Row {
    let row = try entry.result(as: type).row
    guard row.isSound else {
      throw Failure(
        .badInput,
        "the result of cell \(entry.number) has an impossible number (make its shard again)"
      )
    }
    return row
  }

  private static func indexRow(_ entry: JournalReader.Entry) throws -> IndexReport.Row {
    try row(entry)
  }

  private func mergeTimes(_ merge: JournalMerge) throws {
    func result(_ entry: JournalReader.Entry) throws -> BenchCellResult {
      try Self.row(entry)
    }
    var report: BenchReport?
    var machines = Set<String>()
    try merge.run(
      isSame: { try $0.line == $1.line || result($0).outcome == result($1).outcome },
      emit: { entry in
        let cell = try result(entry)
        machines.insert(cell.environment.machine.systemFingerprint)
        if report == nil {
          report = BenchReport(
            command: merge.command, startedAt: cell.startedAt,
            seed: merge.plan.settings["seed"].flatMap { UInt64($0) } ?? 0,
            viewportWidth: BenchPlan.viewport.width, viewportHeight: BenchPlan.viewport.height,
            environment: cell.environment, pictures: [], groups: [], unmeasured: [])
        }
        report?.pictures += cell.pictures
        report?.groups += cell.groups
        report?.unmeasured += cell.unmeasured
      })
    guard var report else { throw Failure(.noInput, "the journals have no picture") }
    report.machines = machines.count > 1 ? machines.sorted() : nil
    let result = RunResult(report)
    if let fault = result.contradiction {
      throw Failure(
        .badInput, "the journals contradict themselves: \(fault) (make the shards again)")
    }
    switch format {
    case .table: try Output.write(TableWriter.rendered(result), to: output.path)
    case .json: try Output.write(try Output.json(result), to: output.path)
    case .junit, .page:
      throw ValidationError("--format \(format) is for verify (use json, and zoombench report)")
    }
    try result.conclusion.check()
  }

  private func mergeCollections(_ merge: JournalMerge) async throws {
    guard let form = CollectionReport.Form(rawValue: format.rawValue) else {
      throw ValidationError("--format \(format) is for verify (use table, json or page)")
    }
    func row(_ entry: JournalReader.Entry) throws -> CollectionReport.Row {
      try Self.row(entry)
    }
    let report = try await Output.stream(to: output.path) { write in
      var report = try CollectionReport(form, write: write)
      try merge.run(
        isSame: { try $0.line == $1.line || row($0) == row($1) },
        emit: { try report.add(row($0)) })
      try report.end()
      return report
    }
    try report.judge()
  }

  private func mergeLaws(_ merge: JournalMerge, _ start: UInt64) throws {
    func result(_ entry: JournalReader.Entry) throws -> VerifyCellResult {
      try Self.row(entry)
    }
    let folder = drawings.map { FilePath($0) }
    if let folder { _ = try BreachDrawing(folder: folder) }
    var report = VerifyReport(
      tool: merge.plan.tool, command: merge.command, startedAt: Date().ISO8601Format(),
      seed: merge.plan.settings["seed"].flatMap { UInt64($0) } ?? 0, seconds: 0,
      environment: .current(), laws: [])
    var machines = Set<String>()
    var group: [LawCell] = []
    func endGroup() throws {
      if !group.isEmpty { report.laws.append(try LawCell.merged(group)) }
      group = []
    }
    try merge.run(
      isSame: { first, second in
        try first.line == second.line
          || Output.json(result(first).outcome) == Output.json(result(second).outcome)
      },
      emit: { entry in
        var result = try result(entry)
        if let folder { try result.write(to: folder, entry.number) }
        report.leftOut += result.leftOut
        if let machine = result.machine { machines.insert(machine) }
        for cell in result.laws {
          if cell.block == 0 { try endGroup() }
          group.append(cell)
        }
      })
    try endGroup()
    report.machines = machines.sorted()
    report.seconds = Double(Timestamps.monotonic() - start) / 1e9
    let result = RunResult(report, strict: merge.plan.settings["strict"] == "true")
    try Output.write(try format.rendered(result), to: output.path)
    try result.conclusion.check()
  }
}

extension VerifyCellResult {
  /// Writes the drawings into a folder and names them in the breaches.
  fileprivate mutating func write(to folder: FilePath, _ number: Int) throws {
    for place in laws.indices {
      for breach in laws[place].row.breaches.indices {
        guard let text = drawings["\(laws[place].row.law) \(breach)"],
          let bytes = Data(base64Encoded: text)
        else { continue }
        let file = folder.appending("cell-\(number)-\(laws[place].row.law)-\(breach + 1).png")
        try AtomicFile.write(Array(bytes), to: file)
        laws[place].row.breaches[breach].picture = file.string
      }
    }
  }
}
