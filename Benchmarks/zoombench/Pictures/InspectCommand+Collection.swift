internal import ArgumentParser
internal import Foundation
internal import Sharding
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The report of a collection, or one shard's part of it.
extension InspectCommand {
  func inspectCollection() async throws {
    let shard = try shards.selection()
    if shard != nil { Interruption.atTermination { ExitStatus.tryAgain.rawValue } }
    let pictures = try pictureList.paths(files) { names in
      try PictureFinder.find(names, limits.limits, opensNamed: false).map(\.path)
    }
    let (errors, places) = (LibraryErrors(), try indexes.places())
    @Sendable func row(of cell: Cell) async -> CollectionReport.Row {
      await errors.reliably(isRefused: { $0.reason != nil }) {
        CollectionReport.Row(
          pictures.path(of: cell.key), named: cell.key, limits.share(of: jobs), places)
      }
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    guard let shard else {
      try Output.checkWritable(output.path, sparing: pictures)
      let report = try await Output.stream(to: output.path) { write in
        var report = try CollectionReport(format.form, write: write)
        let next = try pictures.list.begin()
        var number = -1
        try await CellRunner.run(
          jobs: jobs,
          next: {
            number += 1
            return try next().map { Cell(number: number, key: $0) }
          }, work: row(of:),
          emit: { cell, row in
            try report.add(row)
            bar.update(
              Double(cell.number + 1) / Double(pictures.list.count), "inspecting \(cell.key)")
          })
        bar.finish()
        try report.end()
        return report
      }
      try report.judge()
      return
    }
    guard let folder = output.path else {
      throw ValidationError("--shard needs -o, the folder of its journal")
    }
    let plan = WorkPlan(
      job: "inspect", tool: "zoombench \(ToolVersion.number)",
      settings: [
        "memory": "\(limits.memory ?? 0)", "loaders": limits.loaders.rawValue,
        "indexes": indexes.indexDir == nil ? "standard" : "folder",
        "sample": pictureList.sample ?? "all",
      ], cells: pictures.list.count, cellsDigest: pictures.list.digest)
    let run = ShardRun(
      plan: plan, list: pictures.list, shard: shard, folder: folder, jobs: jobs,
      doing: "inspecting", bar: bar)
    try await run.run(work: row(of:), suspect: { try await isolatedRow(of: $0, pictures) })
  }

  private func isolatedRow(
    of cell: Cell, _ pictures: PictureList
  ) async throws -> CollectionReport.Row {
    let outcome = try await IsolatedRun.zoombench(
      ["inspect", "--format", "json", "--quiet", "--jobs", "1", "--memory"]
        + [
          "\(max(1, limits.memoryLimit / 1_000_000 / jobs))", "--loaders", limits.loaders.rawValue,
        ]
        + (indexes.indexDir.map { ["--index-dir", $0] } ?? [])
        + ["--", pictures.path(of: cell.key).string]
    ).run()
    switch outcome {
    case .died(let how):
      return CollectionReport.Row(
        file: cell.key, reason: "reading it ended the process twice: \(how)")
    case .output(let text):
      var row = try JSONDecoder().decode(OneFile.self, from: Data(text.utf8)).files[0]
      row.file = cell.key
      return row
    }
  }

  private struct OneFile: Decodable {
    let files: [CollectionReport.Row]
  }
}

extension InspectCommand.OutputFormat {
  fileprivate var form: CollectionReport.Form {
    switch self {
    case .table: .table
    case .json: .json
    case .page: .page
    }
  }
}

extension CollectionReport.Row {
  /// Creates the row of a picture from its headers.
  init(
    _ path: FilePath, named name: String, _ limits: PictureLimits, _ indexes: StoredIndexes
  ) {
    self.init(file: name)
    do {
      let pipelines = StandardPipelines(limits: limits, indexes: indexes)
      let picture = try Picture(path, limits: limits)
      kind = picture.kind
      (width, height) = (picture.size.width, picture.size.height)
      bytes = picture.version.length
      let choice = try pipelines.automatic.choose(picture)
      source = choice.name
      let region = try PixelRegion(middleOf: picture.size)
      let cost = try pipelines.pictureReaders.first { $0.name == choice.name }?
        .cost(of: region, in: picture)
      (firstPeek, laterPeek) = (cost?.first, cost?.later)
      // The same threshold as for one picture: smaller gains are not worth an index.
      gainsByIndex =
        picture.canBeIndexed && (cost.map { $0.first > 2 * max(1, $0.later) } ?? false)
    } catch {
      source = nil
      reason = (error as? PipelineError)?.reason ?? "\(error)"
    }
  }
}
