internal import Sharding
internal import SystemPackage

/// A run of `index` or `inspect` over any number of files, or one shard of it.
struct FileRun {
  let action: FileAction
  let pictures: PictureList
  /// The options that affect results, by name.
  let settings: [String: String]
  let jobs: Int
  let format: ResultFormat
  let output: OutputOptions
  let isQuiet: Bool

  func run(
    _ part: ShardOptions.Part?, work: @escaping @Sendable (FilePath) async throws -> FileResult
  ) async throws {
    let errors = Turns()
    let pictures = pictures
    @Sendable func result(of cell: Cell) async throws -> FileResult {
      try await errors.reliably(isRefused: { $0.verdict.word == .refused }) {
        try await work(pictures.path(of: cell.key))
      }
    }
    let bar = ProgressBar(isQuiet: isQuiet)
    defer { bar.finish() }
    if let part {
      let run = ShardRun(
        job: action == .inspect ? .inspect : .index, settings: settings, list: pictures.list,
        part: part, jobs: jobs, doing: action.doing, bar: bar)
      try await run.run(work: result(of:)) { _ in
        FileResult(unreadable: "reading it ended the process twice")
      }
      return
    }
    try Output.checkWritable(output.path, sparing: pictures)
    let conclusion = try await Output.stream(to: output.path) { write in
      var report = try FileReport(action, format, write: write)
      let next = try pictures.list.begin()
      let count = Double(pictures.list.count)
      var number = -1
      try await CellRunner.run(
        jobs: jobs,
        next: {
          number += 1
          return try next().map { Cell(number: number, key: $0) }
        }, work: result(of:),
        emit: { cell, result in
          try report.add(Row(result, named: cell.key))
          bar.update(Double(cell.number + 1) / count, "\(action.doing) \(cell.key)")
        })
      bar.finish()
      return try report.end()
    }
    try conclusion.check()
  }
}
