internal import Foundation
internal import Measurement
internal import Sharding
internal import SystemPackage

/// The journals of all shards, combined into the result of the whole run.
struct JournalReport {
  let kind: RunResult.Kind
  /// The journals, which the output must not overwrite.
  let paths: [FilePath]
  private let merge: JournalMerge

  /// Whether an argument names a journal or a folder.
  static func isInput(_ name: String) -> Bool {
    name.hasSuffix(".jsonl") || FilePath.isFolder(name)
  }

  /// Reads the first line of each journal: of those named, and of those in named folders.
  init(_ names: [String]) throws {
    paths = try names.flatMap { name in
      try FilePath.isFolder(name) ? Self.journals(in: name) : [FilePath(name)]
    }.unique
    merge = try JournalMerge(paths)
    guard let kind = RunResult.Kind(rawValue: merge.plan.job),
      [.index, .inspect, .verify].contains(kind)
    else {
      throw Failure(
        .badInput,
        "\(paths[0]): read: journals of \(merge.plan.job) are unknown (check the folder)")
    }
    self.kind = kind
  }

  private static func journals(in folder: String) throws -> [FilePath] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasPrefix("shard-") }
    let found = names.filter { $0.hasSuffix(".jsonl") }
    guard !found.isEmpty else {
      let parts = names.count { $0.hasSuffix(".part") }
      throw Failure(
        .noInput,
        "\(folder): no shard is finished"
          + (parts > 0 ? " (\(parts) begun: run the same commands again)" : " (check the folder)"))
    }
    return found.map { FilePath(folder).appending($0) }
  }

  private var action: FileAction? {
    kind == .inspect ? .inspect : merge.plan.settings["action"].flatMap(FileAction.init(rawValue:))
  }

  /// Emits each file's row in order, without keeping any.
  private func forEachFile(_ body: (Row) throws -> Void) throws {
    try merge.run { entry in
      let (key, result) = try entry.result(as: FileResult.self)
      try check(result.file.contradiction, entry)
      try body(Row(result, named: key))
    }
  }

  private func check(_ fault: String?, _ entry: JournalReader.Entry) throws {
    guard let fault else { return }
    throw Failure(
      .badInput,
      "the result of cell \(entry.number) \(fault) (remove its journal and make it again)")
  }

  /// Writes the result of an index or an inspection row by row; returns nil for a verification.
  func write(_ format: ResultFormat, to path: FilePath?) async throws -> Conclusion? {
    guard kind != .verify else { return nil }
    return try await Output.stream(to: path) { write in
      var report = try fileReport(format, write: write)
      try forEachFile { try report.add($0) }
      return try report.end()
    }
  }

  private func fileReport(
    _ format: ResultFormat, write: @escaping (String) throws -> Void
  ) throws -> FileReport {
    guard let action else {
      throw Failure(.badInput, "\(paths[0]): read: its plan names no action (check the folder)")
    }
    return try FileReport(action, format, command: merge.command, write: write)
  }

  /// The most rows of files in memory, about a gigabyte.
  private static let mostRows = 1_000_000

  func result() throws -> RunResult {
    if kind == .verify { return try lawResult() }
    guard merge.plan.cells <= Self.mostRows else {
      throw Failure(
        .badInput,
        "\(paths[0]): read: \(merge.plan.cells) files are too many for this format"
          + " (use json or table)")
    }
    var result = try fileReport(.table, write: { _ in }).result
    try forEachFile { result.rows.append($0) }
    result.judge()
    return result
  }

  private func lawResult() throws -> RunResult {
    let settings = merge.plan.settings
    var result = RunResult(
      kind: .verify, tool: merge.plan.tool, command: merge.command,
      startedAt: Date().ISO8601Format(), seed: settings["seed"].flatMap { UInt64($0) } ?? 0,
      environment: RunResult.Environment(machine: .current()),
      settings: RunResult.Settings(strict: settings["strict"] == "true"),
      contenders: (settings["programs"] ?? "").split(separator: "\n").map {
        RunResult.Contender(name: String($0), kind: .program)
      }, notes: [])
    var (laws, leftOut): ([VerifyReport.LawRow], [String]) = ([], [])
    var machines = Set<String>()
    try merge.run { entry in
      let cell = try entry.result(as: VerifyCellResult.self).row
      laws += cell.laws
      leftOut += cell.leftOut
      if let machine = cell.machine { machines.insert(machine) }
    }
    (result.leftOut, result.environment.machines) = (leftOut, machines.sorted())
    result.seconds = laws.reduce(0) { $0 + $1.seconds }
    result.judge(laws)
    if let fault = result.contradiction {
      throw Failure(.badInput, "\(paths[0]): read: \(fault) (remove the journal and make it again)")
    }
    return result
  }
}
