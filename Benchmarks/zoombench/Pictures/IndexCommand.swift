internal import ArgumentParser
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// `zoombench index`: seek indexes of JPEG and PNG files.
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
  var files: [String]

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
    if check && remove { throw ValidationError("--check and --remove exclude each other") }
    try OutputOptions.check(indexDir, of: "--index-dir", needs: "a folder's name")
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be 1...256") }
  }

  func run() async throws {
    let target = output.path
    let pictures = try pictures()
    try Output.checkWritable(target, sparing: pictures)
    let report = try await report(on: pictures, try store())
    try Output.write(try rendered(report), to: target)
    try judge(report)
  }

  /// The files that are named, and of folders those that are JPEGs or PNGs.
  private func pictures() throws -> [FilePath] {
    var pictures: [FilePath] = []
    for argument in files {
      let found =
        try PictureFinder.files(below: argument)?.filter(Self.claimsToBeIndexable)
        ?? PictureFinder.find([argument], limits.limits).map(\.path)
      guard !found.isEmpty else {
        throw Failure(.noInput, "\(argument): the folder has no JPEG or PNG (name another)")
      }
      pictures += found.filter { !pictures.contains($0) }
    }
    return pictures
  }

  /// By its name or its first bytes.
  ///
  /// A file that turns out to be none is reported, not skipped.
  private static func claimsToBeIndexable(_ path: FilePath) -> Bool {
    if ["jpg", "jpeg", "png"].contains(path.extension?.lowercased()) { return true }
    let start = (try? FileReader(path).bytes(at: 0, count: 4)) ?? []
    return start.starts(with: [0xFF, 0xD8, 0xFF]) || start == [0x89, 0x50, 0x4E, 0x47]
  }

  private func store() throws -> SidecarStore {
    if beside { return try SidecarStore(.beside) }
    return try SidecarStore(indexDir.map { .folder(FilePath.absolute($0)) })
  }

  /// Does to each picture what was asked for, `jobs` of them at a time.
  private func report(
    on pictures: [FilePath], _ store: SidecarStore
  ) async throws -> IndexReport {
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    let start = Timestamps.monotonic()
    // The whole file is read, so its length is what the work is like.
    let weights = pictures.map { Double((try? FileVersion(of: $0).length) ?? 0) + 1 }
    let total = weights.reduce(0, +)
    let action: IndexReport.Action = check ? .check : remove ? .remove : .build
    let share = limits.share(of: min(jobs, pictures.count))
    let rows = try await withThrowingTaskGroup(of: (Int, IndexReport.Row).self) { group in
      var rows = [IndexReport.Row?](repeating: nil, count: pictures.count)
      var done = 0.0
      func collect() async throws {
        guard let (number, row) = try await group.next() else { return }
        rows[number] = row
        done += weights[number]
        bar.update(done / total, "\(action.doing) \(Format.oneLine(pictures[number].string))")
      }
      for (number, picture) in pictures.enumerated() {
        if number >= jobs { try await collect() }
        group.addTask {
          (number, try IndexReport.Row(action, picture, store, limits: share))
        }
      }
      for _ in pictures.suffix(jobs) { try await collect() }
      return rows.compactMap { $0 }
    }
    return IndexReport(
      tool: "zoombench \(ToolVersion.number)", action: action, files: rows,
      seconds: Double(Timestamps.monotonic() - start) / 1e9)
  }

  private func rendered(_ report: IndexReport) throws -> String {
    switch format {
    case .table: report.rendered()
    case .json: try Output.json(report)
    }
  }

  /// Throws what the run's exit code has to say.
  private func judge(_ report: IndexReport) throws {
    let all = report.files.count
    if check {
      let bad = all - report.count(.current)
      if bad > 0 { throw Failure(.finding, "\(bad) of \(all) indexes would not be used") }
    } else if case let blocked = report.files.count(where: \.isUnwritable), blocked > 0 {
      throw Failure(
        .cannotCreate, "\(blocked) of \(all) indexes cannot be \(remove ? "removed" : "written")")
    } else if report.count(.refused) > 0 {
      throw Failure(.badInput, "\(report.count(.refused)) of \(all) files cannot be indexed")
    }
  }
}

/// Where a command that shows pictures looks for their seek indexes.
struct IndexOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of seek indexes, instead of those beside pictures and in your folder for caches.",
      valueName: "folder"))
  var indexDir: String?

  /// The places to look into.
  /// - Throws: `Failure` when there is no such folder.
  func places() throws -> StoredIndexes {
    try StoredIndexes(folder: indexDir, otherwise: .standard)
  }
}

extension StoredIndexes {
  /// Takes a folder's name as a user gave it.
  /// - Parameters:
  ///   - folder: must be there, as a name that is mistyped would be slow and nothing else.
  ///   - otherwise: where to look when none was given.
  /// - Throws: `Failure` when there is no such folder.
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
