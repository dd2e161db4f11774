public import SystemPackage

/// The pipelines that zoombench brings along; a new one is a file of its own and a line here.
public struct StandardPipelines: Sendable {
  /// All of them, the reference first.
  public let all: [any Pipeline]
  private let tiled = TiledPipeline()
  /// Hands out parts of pictures, too.
  package let indexed: IndexedPipeline
  /// Says what it picks, and why.
  package let automatic: AutomaticPipeline

  /// Makes one of each.
  /// - Parameters:
  ///   - budget: the bytes that rasters kept in memory may take together.
  ///   - indexes: where `indexed` and `automatic` look for seek indexes.
  public init(
    budget: RasterBudget = RasterBudget(limit: RasterBudget.standardLimit),
    indexes: StoredIndexes = .none
  ) {
    indexed = IndexedPipeline(stores: indexes.stores)
    automatic = AutomaticPipeline(budget: budget, indexed: indexed)
    all = [
      NaivePipeline(), RandomPipeline(), SequentialPipeline(), SkipPipeline(), tiled,
      ResidentPipeline(budget: budget), indexed, automatic,
    ]
  }

  /// Their names, in order.
  public var names: [String] { all.map(\.name) }

  /// Finds one by its name.
  /// - Parameter name: such as "indexed".
  /// - Returns: nil when there is none of that name.
  public func named(_ name: String) -> (any Pipeline)? { all.first { $0.name == name } }

  /// What another process has to open to do what a source here does, without preparing again.
  /// - Parameters:
  ///   - name: the source's name.
  ///   - path: the picture, which the source has prepared.
  /// - Returns: the source's name there, and the file: of `tiled` the TIFF that it made.
  public func freshEquivalent(
    of name: String, for path: FilePath
  ) -> (source: String, path: FilePath) {
    guard name == tiled.name, let tiff = tiled.preparedFile(for: path) else { return (name, path) }
    return ("random", tiff)
  }

  /// Removes the files that pipelines made for themselves.
  public func removeFiles() { tiled.removeFiles() }
}
