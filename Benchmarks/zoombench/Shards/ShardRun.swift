internal import Foundation
internal import Sharding
internal import SystemPackage
internal import ZoomPipeline

/// Processes one shard of a plan and writes its journal.
struct ShardRun {
  let plan: WorkPlan
  let list: WorkList
  let shard: Shard
  let folder: FilePath
  let jobs: Int
  /// The activity for the progress bar: "indexing".
  let doing: String
  let bar: ProgressBar

  /// Processes the cells that earlier runs of the shard have not finished.
  ///
  /// `suspect` processes a cell during which an earlier run ended; it must survive a crash.
  ///
  /// - Throws: `ShardError`, and the errors of the work.
  func run<Row: Codable & Sendable>(
    work: @escaping @Sendable (Cell) async throws -> Row,
    suspect: @escaping @Sendable (Cell) async throws -> Row
  ) async throws {
    try Self.tellBazel()
    let journal: JournalWriter
    switch try JournalWriter.open(
      in: folder, plan: plan, shard: shard, command: ShardOptions.command())
    {
    case .complete(let path):
      try Output.write("shard \(shard) is complete: \(Format.oneLine(path.string))\n", to: nil)
      return
    case .open(let writer): journal = writer
    }
    // Schedulers give a job half a minute after this signal; the exit code makes them start it again.
    Interruption.atTermination {
      try? journal.flush()
      return ExitStatus.tryAgain.rawValue
    }
    let next = try list.begin()
    var number = -1
    var done = journal.doneCount
    let suspects = journal.suspects
    // The expected number of this shard's cells.
    let share = max(1, plan.cells * shard.parts.count / shard.count)
    try await CellRunner.run(
      jobs: jobs,
      next: {
        while let key = try next() {
          number += 1
          if number > journal.lastDone, shard.contains(key, of: plan) {
            return Cell(number: number, key: key)
          }
        }
        return nil
      }, begin: { try journal.begin($0.number) },
      work: { cell in
        try await suspects.contains(cell.number) ? suspect(cell) : work(cell)
      },
      emit: { cell, row in
        try journal.append(cell, row)
        done += 1
        bar.update(Double(done) / Double(max(share, done)), "\(doing) \(cell.key)")
      })
    let path = try journal.finish()
    bar.finish()
    try Output.write(
      "shard \(shard): \(Format.count(done, "cell")), \(Format.oneLine(path.string))\n", to: nil)
  }

  /// Creates Bazel's status file; Bazel fails sharded tests that do not create it.
  private static func tellBazel() throws {
    guard let path = ProcessInfo.processInfo.environment["TEST_SHARD_STATUS_FILE"], !path.isEmpty
    else { return }
    try AtomicFile.write([], to: FilePath(path))
  }
}
