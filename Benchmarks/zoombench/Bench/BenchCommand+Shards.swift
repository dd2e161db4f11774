internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import Sharding
internal import SystemPackage
internal import ZoomPipeline

struct BenchCellResult: Codable, Sendable {
  var pictures: [BenchReport.PictureFacts] = []
  var groups: [BenchReport.Group] = []
  var unmeasured: [BenchReport.Unmeasured] = []
  let startedAt: String
  let environment: BenchReport.Environment

  /// The part of the result that two runs must agree on: the peeks, and the answers that differed.
  ///
  /// Times, memory and file sizes may differ between runs.
  var outcome: [String] {
    groups.map { group in
      "\(group.picture) \(group.peek.name) \(group.state) \(group.rounds) "
        + group.arms.map { arm in
          "\(arm.source) \(arm.agreed) \(arm.disagreements.sorted { $0.key < $1.key })"
        }.joined(separator: " ") + group.failures.map(\.source).joined(separator: " ")
    } + unmeasured.map(\.picture)
  }
}

/// One shard of a benchmark: its pictures, measured one after the other.
extension BenchCommand {
  func checkShards() throws {
    guard shards.shard != nil else { return }
    guard rounds != nil, workload == .peeks else {
      throw ValidationError("--shard needs --rounds, and is for --workload peeks")
    }
    guard foreign.isEmpty, !record else {
      throw ValidationError("--shard takes no --pipeline or --record")
    }
  }

  func run(_ shard: Shard) async throws {
    guard let folder = output.path else {
      throw ValidationError("--shard needs -o, the folder of its journal")
    }
    Interruption.atTermination { ExitStatus.tryAgain.rawValue }
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let subjects = try await chosen.find(
      standard: quick ? BenchPlan.quickPictures : BenchPlan.standardPictures, in: location,
      limits.limits, isQuiet: quiet)
    let list = try WorkList(subjects.map(\.name))
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let run = ShardRun(
      plan: WorkPlan(
        job: "bench", tool: "zoombench \(ToolVersion.number)",
        settings: [
          "seed": "\(seed)", "rounds": "\(rounds ?? 0)", "quick": "\(quick)",
          "sources": chosenSources(standard: BenchPlan.standardSources).joined(separator: ","),
          "memory": "\(limits.memory ?? 0)", "loaders": limits.loaders.rawValue,
          "indexes": indexDir == nil ? "none" : "folder",
        ], cells: list.count, cellsDigest: list.digest),
      // One job: timed work must not compete with other work.
      list: list, shard: shard, folder: folder, jobs: 1, doing: "timing", bar: bar)
    try await run.run(
      work: { cell in try await measured(subjects[cell.number], bar) },
      suspect: { try await isolated($0) })
  }

  /// Times a picture in a separate process, because an earlier run ended while measuring it.
  private func isolated(_ cell: Cell) async throws -> BenchCellResult {
    let started = Date().ISO8601Format()
    let sources = chosenSources(standard: BenchPlan.standardSources).joined(separator: ",")
    var arguments = ["bench", "--quiet", "--format", "parts", "--seed", "\(seed)"]
    arguments += ["--rounds", "\(rounds ?? 1)", "--sources", sources]
    arguments += ["--memory", "\(limits.memoryLimit / 1_000_000)"]
    arguments += ["--loaders", limits.loaders.rawValue, "--corpus-folder", location.path.string]
    if quick { arguments.append("--quick") }
    if let indexDir { arguments += ["--index-dir", indexDir] }
    var alone = try IsolatedRun.zoombench(arguments + ["--", cell.key])
    // Many rounds with slow sources take long.
    alone.limit = .seconds(7200)
    switch try await alone.run() {
    case .output(let text) where !text.isEmpty:
      let report = try JSONDecoder().decode(BenchReport.self, from: Data(text.utf8))
      return BenchCellResult(
        pictures: report.pictures, groups: report.groups, unmeasured: report.unmeasured,
        startedAt: report.startedAt, environment: report.environment)
    case .output:
      return unmeasured(cell, started, "no source could be timed")
    case .died(let how):
      return unmeasured(cell, started, "timing it ended the process twice: \(how)")
    }
  }

  private func unmeasured(
    _ cell: Cell, _ started: String, _ reason: String
  ) -> BenchCellResult {
    BenchCellResult(
      unmeasured: [BenchReport.Unmeasured(picture: cell.key, reason: "\(cell.key): \(reason)")],
      startedAt: started, environment: .current())
  }

  private func measured(
    _ subject: BenchPlan.Subject, _ bar: ProgressBar
  ) async throws -> BenchCellResult {
    let started = Date().ISO8601Format()
    let pipelines = try pipelines()
    defer { pipelines.removeFiles() }
    let runner = BenchRunner(
      plan: plan(of: [subject]), bar: bar, pipelines: pipelines,
      memory: MemoryProbe(limits: pipelines.limits, indexFolder: indexDir))
    let outcome = try await runner.run()
    return BenchCellResult(
      pictures: outcome.pictures, groups: outcome.groups, unmeasured: outcome.unmeasured,
      startedAt: started, environment: .current())
  }
}
