public import SystemPackage

/// Picks the best exact source for a picture and says which and why.
public struct AutomaticPipeline: Pipeline {
  /// What was picked for a picture, and what was not.
  public struct Choice: Sendable {
    /// A source that was passed over, and why.
    public struct Refusal: Sendable, Hashable {
      /// The source's name.
      public let name: String
      /// Why it was not picked, in one sentence without a full stop.
      public let reason: String
    }

    /// The picked source's name.
    public let name: String
    /// Why it was picked.
    public let reason: String
    /// Those tried before it.
    public let refusals: [Refusal]
    /// The opened picture.
    public let source: any RegionSource
  }

  public let name = "automatic"
  public let summary = "the best exact source for the picture"
  private let resident: ResidentPipeline

  /// Makes the pipeline.
  /// - Parameter budget: the bytes that rasters kept in memory may take together.
  public init(budget: RasterBudget = RasterBudget(limit: RasterBudget.standardLimit)) {
    resident = ResidentPipeline(budget: budget)
  }

  public func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    try choose(path).source
  }

  public func assess(_ path: FilePath) throws(PipelineError) -> String {
    let choice = try choose(path)
    return "\(choice.name): \(choice.reason)"
  }

  /// Picks by what a peek costs, first and later ones: parts read alone, then MCU rows, then one
  /// decode kept in memory, then a pass from the top for what is too large to keep.
  /// - Parameter path: the picture.
  /// - Throws: `PipelineError` when the picture cannot be opened at all.
  public func choose(_ path: FilePath) throws(PipelineError) -> Choice {
    let picture = try Picture(path)
    var refusals: [Choice.Refusal] = []
    if picture.reach == .regions {
      let source = RandomSource(picture: picture)
      return Choice(name: "random", reason: source.explanation, refusals: [], source: source)
    }
    refusals.append(
      Choice.Refusal(name: "random", reason: "the format is coded from the top down"))
    for candidate in [RestartPipeline(), resident] as [any Pipeline] {
      do {
        let source = try candidate.open(path)
        return Choice(
          name: candidate.name, reason: source.explanation, refusals: refusals, source: source)
      } catch {
        guard error.isRefusal else { throw error }
        refusals.append(Choice.Refusal(name: candidate.name, reason: error.reason))
      }
    }
    let source = SequentialSource(picture: picture)
    return Choice(
      name: "sequential", reason: source.explanation, refusals: refusals, source: source)
  }
}

extension PipelineError {
  /// Whether another source may still serve the picture.
  public var isRefusal: Bool { code == .unsupported || code == .overBudget }
}
