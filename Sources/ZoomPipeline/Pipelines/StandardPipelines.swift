/// The pipelines of zoombench; to add one, write its file and add a line here.
public struct StandardPipelines: Sendable {
  /// All pipelines, the reference first.
  public var all: [any Pipeline] { pictureReaders }
  /// The same pipelines, for pictures that are already open.
  package let pictureReaders: [any PicturePipeline]
  /// The limits of pictures that the pipelines open.
  public let limits: PictureLimits
  package let partial: PartialPipeline
  package let automatic: AutomaticPipeline

  /// Creates one pipeline of each kind; `partial` and `automatic` look for the seek indexes.
  public init(
    limits: PictureLimits = PictureLimits(), indexes: StoredIndexes = .none
  ) {
    var limits = limits
    limits.expectsIndexBeside = false
    // Only `partial` and `automatic` use an index, so the others do not fetch it.
    let plain = limits
    let stores = indexes.stores
    // Without a key, no index can be used.
    limits.expectsIndexBeside = stores.contains { $0.place == .beside && $0.hasKey }
    self.limits = limits
    partial = PartialPipeline(stores: stores, limits: limits)
    automatic = AutomaticPipeline(partial)
    pictureReaders = [
      NaivePipeline(limits: plain), RandomPipeline(limits: plain),
      SequentialPipeline(limits: plain), ResidentPipeline(limits: plain), partial, automatic,
    ]
  }

  /// The pipelines' names, in order.
  public var names: [String] { all.map(\.name) }

  /// Returns the pipeline with a name such as "partial", or nil if there is none.
  public func named(_ name: String) -> (any Pipeline)? { reader(named: name) }

  /// Returns the limits for opening a picture for some pipelines; an index is fetched with it only if
  /// one of them uses it.
  package func limits(for names: [String]) -> PictureLimits {
    pictureReaders.first { names.contains($0.name) && $0.limits.expectsIndexBeside }?.limits
      ?? pictureReaders[0].limits
  }

  package func reader(named name: String) -> (any PicturePipeline)? {
    pictureReaders.first { $0.name == name }
  }
}
