public import SystemPackage

/// The pipelines of zoombench; to add one, write its file and add a line here.
public struct StandardPipelines: Sendable {
  /// All pipelines, the reference first.
  public var all: [any Pipeline] { pictureReaders }
  /// The same pipelines, for pictures that are already open.
  package let pictureReaders: [any PicturePipeline]
  /// The limits of pictures that the pipelines open.
  public let limits: PictureLimits
  private let tiled: TiledPipeline
  package let partial: PartialPipeline
  package let automatic: AutomaticPipeline

  /// Creates one pipeline of each kind; `partial` and `automatic` look for the seek indexes.
  public init(
    limits: PictureLimits = PictureLimits(), indexes: StoredIndexes = .none
  ) {
    self.limits = limits
    tiled = TiledPipeline(limits: limits)
    partial = PartialPipeline(stores: indexes.stores, limits: limits)
    automatic = AutomaticPipeline(partial)
    pictureReaders = [
      NaivePipeline(limits: limits), RandomPipeline(limits: limits),
      SequentialPipeline(limits: limits), tiled, ResidentPipeline(limits: limits), partial,
      automatic,
    ]
  }

  /// The pipelines' names, in order.
  public var names: [String] { all.map(\.name) }

  /// Returns the pipeline with a name such as "partial", or nil if there is none.
  public func named(_ name: String) -> (any Pipeline)? { reader(named: name) }

  package func reader(named name: String) -> (any PicturePipeline)? {
    pictureReaders.first { $0.name == name }
  }

  /// Returns what another process opens to do the work of a source here without preparing it again.
  /// - Returns: the source's name there, and the file: for `tiled`, the TIFF that it made.
  public func freshEquivalent(
    of name: String, for path: FilePath
  ) -> (source: String, path: FilePath) {
    guard name == tiled.name, let tiff = tiled.preparedFile(for: path) else { return (name, path) }
    return ("random", tiff)
  }

  /// Removes the temporary files of the pipelines.
  public func removeFiles() { tiled.removeFiles() }
}
