internal import Sharding
internal import SystemPackage

/// Processes one shard of a plan and writes its journal.
struct ShardRun {
  private let plan: WorkPlan
  private let list: WorkList
  private let part: ShardOptions.Part
  private let jobs: Int
  private let doing: String
  private let bar: ProgressBar

  /// Plans the work of a command on a list.
  ///
  /// `settings` are the options that affect results; `doing` is the bar's word for the work: "indexing".
  init(
    job: RunResult.Kind, settings: [String: String], list: WorkList, part: ShardOptions.Part,
    jobs: Int, doing: String, bar: ProgressBar
  ) {
    plan = WorkPlan(
      job: job.rawValue, tool: "zoombench \(ToolVersion.number)", settings: settings,
      cells: list.count, cellsDigest: list.digest)
    (self.list, self.part, self.jobs, self.doing, self.bar) = (list, part, jobs, doing, bar)
  }

  /// Processes the cells that earlier runs of the shard have not finished.
  ///
  /// `died` returns the result of a cell during which two runs ended.
  ///
  /// - Throws: `ShardError`, and the errors of the work.
  func run<Result: CellResult>(
    work: @escaping @Sendable (Cell) async throws -> Result, died: (Cell) -> Result
  ) async throws {
    let (shard, digest) = (part.shard, plan.digest)
    let opened = try JournalWriter.open(
      in: part.folder, plan: plan, shard: shard, command: ShardOptions.command())
    guard let journal = opened else {
      let path = JournalWriter.path(of: shard, in: part.folder)
      try Output.write("shard \(shard) is complete: \(Format.oneLine(path.string))\n", to: nil)
      return
    }
    // Schedulers end a job half a minute after this signal; the exit code makes them start it again.
    Interruption.atTermination {
      journal.stop()
      return ExitStatus.tryAgain.rawValue
    }
    let nextKey = try list.begin()
    var number = -1
    var done = journal.doneCount
    // The expected number of this shard's cells.
    let share = max(1, plan.cells / shard.count)
    func next() throws -> Cell? {
      while let key = try nextKey() {
        number += 1
        if number > journal.lastDone, shard.contains(key, of: digest) {
          return Cell(number: number, key: key)
        }
      }
      return nil
    }
    func emit(_ cell: Cell, _ result: Result) throws {
      try journal.append(cell, result)
      done += 1
      bar.update(Double(done) / Double(max(share, done)), "\(doing) \(cell.key)")
    }
    // One at a time, so that the journal names the cell that ends the process.
    for _ in journal.begun {
      guard let cell = try next() else { break }
      if journal.begun[cell.number, default: 0] > 1 {
        try emit(cell, died(cell))
      } else {
        try journal.begin(cell.number)
        try emit(cell, try await work(cell))
      }
    }
    try await CellRunner.run(
      jobs: jobs, next: next, begin: { try journal.begin($0.number) }, work: work, emit: emit)
    let path = try journal.finish()
    bar.finish()
    try Output.write(
      "shard \(shard): \(Format.count(done, "cell")), \(Format.oneLine(path.string))\n", to: nil)
  }
}
