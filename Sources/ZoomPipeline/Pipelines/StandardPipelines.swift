public import SystemPackage

/// The pipelines that zoombench brings along; a new one is a file of its own and a line here.
public struct StandardPipelines: Sendable {
  /// All of them, the reference first.
  public var all: [any Pipeline] { pictureReaders }
  /// The same, for pictures that are open already.
  package let pictureReaders: [any PicturePipeline]
  /// Those of pictures that they open.
  public let limits: PictureLimits
  private let tiled: TiledPipeline
  /// Hands out parts of pictures, too.
  package let indexed: IndexedPipeline
  /// Says what it picks, and why.
  package let automatic: AutomaticPipeline

  /// Makes one of each.
  /// - Parameters:
  ///   - limits: those of pictures that they open.
  ///   - indexes: where `indexed` and `automatic` look for seek indexes.
  public init(
    limits: PictureLimits = PictureLimits(), indexes: StoredIndexes = .none
  ) {
    self.limits = limits
    tiled = TiledPipeline(limits: limits)
    indexed = IndexedPipeline(stores: indexes.stores, limits: limits)
    automatic = AutomaticPipeline(limits: limits, indexed: indexed)
    pictureReaders = [
      NaivePipeline(limits: limits), RandomPipeline(limits: limits),
      SequentialPipeline(limits: limits), SkipPipeline(limits: limits), tiled,
      ResidentPipeline(limits: limits), indexed, CarvedPipeline(limits: limits), automatic,
    ]
  }

  /// Their names, in order.
  public var names: [String] { all.map(\.name) }

  /// Finds one by its name.
  /// - Parameter name: such as "indexed".
  /// - Returns: nil when there is none of that name.
  public func named(_ name: String) -> (any Pipeline)? { reader(named: name) }

  /// Finds one by its name, for pictures that are open already.
  package func reader(named name: String) -> (any PicturePipeline)? {
    pictureReaders.first { $0.name == name }
  }

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
