internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import Sharding
internal import SystemPackage
internal import ZoomPipeline

/// `zoombench index`: builds, checks and removes seek indexes of JPEG and PNG files.
struct IndexCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract:
      "Write seek indexes of JPEG and PNG files, so that the first peek into them is fast, too.",
    discussion: """
      An index holds entry points into a picture's coded data. It is a separate file; the \
      picture stays as it is. Indexes are kept in zoombench/index of your folder for caches \
      (XDG_CACHE_HOME or ~/.cache), in --index-dir, or beside each picture as PICTURE.zidx.

      Indexes are tagged with your secret key (zoombench/index.key in XDG_DATA_HOME or \
      ~/.local/share, made with the first index). An index is refused if its tag or its picture \
      does not match. ZOOMBENCH_INDEX_KEY names another key file, which a team can share.
      """)

  @Argument(help: "JPEG and PNG files, or folders of them.")
  var files: [String] = []

  @OptionGroup var pictureList: PictureListOptions

  @OptionGroup var shards: ShardOptions

  @Option(help: ArgumentHelp("The folder of the indexes.", valueName: "folder"))
  var indexDir: String?

  @Flag(help: "Keep each index beside its picture.")
  var beside = false

  @Option(help: "Pictures indexed at a time.")
  var jobs = min(256, ProcessInfo.processInfo.activeProcessorCount)

  @OptionGroup var limits: LimitOptions

  @Flag(help: "Write nothing: say for each index whether it is there and would be used.")
  var check = false

  @Flag(help: "Remove the indexes.")
  var remove = false

  @Option(help: "How to write the result.")
  var format: ResultFormat = .table

  @OptionGroup var output: OutputOptions

  @Flag(help: "No progress bar.")
  var quiet = false

  func validate() throws {
    if indexDir != nil && beside {
      throw ValidationError("--index-dir and --beside exclude each other")
    }
    if remove && shards.shard != nil {
      throw ValidationError("--shard and --remove exclude each other")
    }
    if check && remove { throw ValidationError("--check and --remove exclude each other") }
    try OutputOptions.check(indexDir, of: "--index-dir", needs: "a folder's name")
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be 1...256") }
  }

  func run() async throws {
    let shard = try shards.selection()
    if shard != nil { Interruption.atTermination { ExitStatus.tryAgain.rawValue } }
    let pictures = try pictureList.paths(files, expand: Self.expand)
    if let shard {
      guard let folder = output.path else {
        throw ValidationError("--shard needs -o, the folder of its journal")
      }
      try await run(shard, of: pictures, in: folder)
      return
    }
    try Output.checkWritable(output.path, sparing: pictures)
    let (store, errors, start) = (try store(), LibraryErrors(), Timestamps.monotonic())
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let report = try await Output.stream(to: output.path) { write in
      var report = try IndexReport(action, format, write: write)
      let next = try pictures.list.begin()
      let count = Double(pictures.list.count)
      var number = -1
      try await CellRunner.run(
        jobs: jobs,
        next: {
          number += 1
          return try next().map { Cell(number: number, key: $0) }
        }, work: { try await row(of: $0, pictures, store, errors) },
        emit: { cell, row in
          try report.add(row)
          bar.update(Double(cell.number + 1) / count, "\(action.doing) \(cell.key)")
        })
      bar.finish()
      try report.end(seconds: Double(Timestamps.monotonic() - start) / 1e9)
      return report
    }
    try report.judge()
  }

  private var action: IndexReport.Action { check ? .check : remove ? .remove : .build }

  private func row(
    of cell: Cell, _ pictures: PictureList, _ store: SidecarStore, _ errors: LibraryErrors
  ) async throws -> IndexReport.Row {
    try await errors.reliably(isRefused: { $0.state == .refused }) {
      // Each job has a fixed share of memory, so that no picture is refused because of what another uses at
      // the time.
      try IndexReport.Row(
        action, pictures.path(of: cell.key), named: cell.key, store, limits: limits.share(of: jobs))
    }
  }

  private func run(_ shard: Shard, of pictures: PictureList, in folder: FilePath) async throws {
    let (store, errors) = (try store(), LibraryErrors())
    // Otherwise each machine would create its own key and refuse the others' indexes.
    guard check || store.hasKey else {
      throw Failure(
        .noInput,
        "\(store.key.path): there is no key for indexes, which all shards must share (index one "
          + "picture without --shard, or name a key with ZOOMBENCH_INDEX_KEY)")
    }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let plan = WorkPlan(
      job: "index", tool: "zoombench \(ToolVersion.number)",
      settings: [
        "action": action.rawValue, "memory": "\(limits.memory ?? 0)",
        "loaders": limits.loaders.rawValue,
        "place": beside ? "beside" : indexDir == nil ? "cache" : "folder",
        "sample": pictureList.sample ?? "all",
      ], cells: pictures.list.count, cellsDigest: pictures.list.digest)
    let run = ShardRun(
      plan: plan, list: pictures.list, shard: shard, folder: folder, jobs: jobs,
      doing: action.doing, bar: bar)
    try await run.run(
      work: { try await row(of: $0, pictures, store, errors) },
      suspect: { try await isolatedRow(of: $0, pictures) })
  }

  /// Returns the row of a picture from a separate process, because an earlier run ended while processing
  /// it.
  private func isolatedRow(of cell: Cell, _ pictures: PictureList) async throws -> IndexReport.Row {
    let place = beside ? ["--beside"] : indexDir.map { ["--index-dir", $0] } ?? []
    let share = limits.memoryLimit / 1_000_000 / jobs
    let outcome = try await IsolatedRun.zoombench(
      ["index", "--format", "json", "--quiet", "--jobs", "1", "--memory", "\(max(1, share))"]
        + ["--loaders", limits.loaders.rawValue] + (check ? ["--check"] : []) + place
        + ["--", pictures.path(of: cell.key).string]
    ).run()
    switch outcome {
    case .died(let how):
      return IndexReport.Row(
        file: cell.key, state: .refused, reason: "reading it ended the process twice: \(how)")
    case .output(let text):
      var row = try JSONDecoder().decode(OneFile.self, from: Data(text.utf8)).files[0]
      row.file = cell.key
      return row
    }
  }

  private struct OneFile: Decodable {
    let files: [IndexReport.Row]
  }

  /// Returns the named files, and the JPEGs and PNGs in named folders.
  private static func expand(_ arguments: [String]) throws -> [FilePath] {
    try PictureFinder.files(
      arguments, called: "JPEG or PNG",
      // A mistyped name is a usage error, not one of many results.
      checkingNamed: { _ = try FileVersion(of: $0) }, inFolders: claimsToBeIndexable)
  }

  /// Whether the suffix or the first bytes indicate a JPEG or PNG.
  ///
  /// A file that turns out to be neither is reported, not skipped.
  private static func claimsToBeIndexable(_ path: FilePath) -> Bool {
    if ["jpg", "jpeg", "png"].contains(path.extension?.lowercased()) { return true }
    let start = (try? FileReader(path).bytes(at: 0, count: 4)) ?? []
    return start.starts(with: [0xFF, 0xD8, 0xFF]) || start == [0x89, 0x50, 0x4E, 0x47]
  }

  private func store() throws -> SidecarStore {
    if beside { return try SidecarStore(.beside) }
    return try SidecarStore(indexDir.map { .folder(FilePath.absolute($0)) })
  }
}

/// The locations where a command that shows pictures looks for seek indexes.
struct IndexOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of seek indexes, instead of those beside pictures and in your folder for caches.",
      valueName: "folder"))
  var indexDir: String?

  /// Returns the locations to search.
  /// - Throws: `Failure` when the folder does not exist.
  func places() throws -> StoredIndexes {
    try StoredIndexes(folder: indexDir, otherwise: .standard)
  }
}

extension StoredIndexes {
  /// Creates the locations from a folder's name as the user gave it; `otherwise` is used without a name.
  ///
  /// The folder must exist, because a mistyped name would only make peeks slow.
  /// - Throws: `Failure` when the folder does not exist.
  init(folder: String?, otherwise: StoredIndexes) throws {
    guard let folder else {
      self = otherwise
      return
    }
    guard FilePath.isFolder(folder) else {
      throw Failure(.noInput, "\(folder): no such folder (`zoombench index --index-dir` makes it)")
    }
    self = .folder(FilePath.absolute(folder))
  }
}
