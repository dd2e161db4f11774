internal import ArgumentParser
internal import SystemPackage
internal import ZoomPipeline

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
