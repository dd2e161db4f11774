internal import Foundation
internal import Sharding
internal import SystemPackage
internal import ZoomPipeline

/// Works through one shard of a plan and writes its journal.
struct ShardRun {
  let plan: WorkPlan
  let list: WorkList
  let shard: Shard
  /// Where the journal is to stand.
  let folder: FilePath
  /// How many cells are worked on at a time.
  let jobs: Int
  /// What is being done, for the bar: "indexing".
  let doing: String
  let bar: ProgressBar

  /// Does what an earlier run of the shard has not done.
  ///
  /// - Parameters:
  ///   - work: what is done for a cell.
  ///   - suspect: the same for a cell in whose midst an earlier run ended; it is to survive whatever
  ///     happens to the cell.
  /// - Throws: `ShardError`, and what the work throws.
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
    // Engines give a job half a minute after this signal; they start it again for the code.
    Interruption.atTermination {
      try? journal.flush()
      return ExitStatus.tryAgain.rawValue
    }
    let next = try list.begin()
    var number = -1
    var done = journal.doneCount
    let suspects = journal.suspects
    // Of the cells; those of a shard are some n-th of them.
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

  /// Bazel fails a test that does not show that it knows of shards.
  private static func tellBazel() throws {
    guard let path = ProcessInfo.processInfo.environment["TEST_SHARD_STATUS_FILE"], !path.isEmpty
    else { return }
    try AtomicFile.write([], to: FilePath(path))
  }
}
