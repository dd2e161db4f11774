internal import ArgumentParser
internal import Foundation
internal import SystemPackage
package import ZoomPipeline

/// `zoombench index`: builds, checks and removes seek indexes of JPEG and PNG files.
struct IndexCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract:
      "Write seek indexes of JPEG and PNG files, so that the first peek into them is fast, too.",
    discussion: """
      An index holds entry points into a picture's coded data. It is a separate file; the \
      picture stays as it is. Indexes are kept in zoombench/index in your cache folder \
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

  @OptionGroup var limits: PictureLimitOptions

  @Flag(help: "Write nothing: report whether each picture has an index that would be used.")
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
    let part = try shards.begin(output)
    let pictures = try pictureList.paths(files, limits.remote, expand: Self.expand)
    let store = try store()
    // Otherwise each machine would create its own key and refuse the others' indexes.
    guard part == nil || check || store.hasKey else {
      throw Failure(
        .noInput,
        "\(store.key.path): the key for indexes, which all shards must share, is missing (index one "
          + "picture without --shard, or name a key with ZOOMBENCH_INDEX_KEY)")
    }
    let action: FileAction = check ? .check : remove ? .remove : .build
    let run = FileRun(
      action: action, pictures: pictures,
      settings: [
        "action": action.rawValue, "memory": "\(limits.memory ?? 0)",
        "loaders": limits.loaders.rawValue,
        "place": beside ? "beside" : indexDir == nil ? "cache" : "folder",
      ], jobs: jobs, format: format, output: output, isQuiet: quiet)
    let access = limits.remote.access
    try await run.run(part) { picture in
      // Each job has a fixed share of memory, so that refusals do not depend on concurrent jobs.
      try FileResult(action, picture, store, limits: limits.share(of: jobs, access))
    }
  }

  /// Returns the named files, and the JPEGs and PNGs in named folders.
  private static func expand(_ arguments: [String]) throws -> [FilePath] {
    try PictureFinder.files(
      arguments, called: "JPEG or PNG",
      // A mistyped name is a usage error, not one of many results.
      checkingNamed: PictureFinder.assertExists, inFolders: claimsToBeIndexable)
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

/// The folder of seek indexes, for commands that read pictures.
package struct IndexOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The folder of seek indexes to use. By default, bench and verify use only those beside \
      pictures on servers, and the other commands use those beside pictures and in your cache folder.
      """, valueName: "folder"))
  var indexDir: String?

  package init() {}

  /// Returns the folder's indexes, or `otherwise` if no folder is named.
  ///
  /// - Throws: `Failure` when the folder does not exist, because a mistyped name would only make peeks slow.
  package func places(otherwise: StoredIndexes = .standard) throws -> StoredIndexes {
    guard let indexDir else { return otherwise }
    guard FilePath.isFolder(indexDir) else {
      throw Failure(
        .noInput, "\(indexDir): no such folder (`zoombench index --index-dir` makes it)")
    }
    return .folder(FilePath.absolute(indexDir))
  }
}
