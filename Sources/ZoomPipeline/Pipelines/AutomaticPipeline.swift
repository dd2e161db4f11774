package import SystemPackage

/// Picks the best exact source for a picture and says which and why.
package struct AutomaticPipeline: Pipeline {
  /// What was picked for a picture, and what was not.
  package struct Choice: Sendable {
    /// A source that was passed over, and why.
    package struct Refusal: Sendable, Hashable {
      /// The source's name.
      package let name: String
      /// Why it was not picked, in one sentence without a full stop.
      package let reason: String
    }

    /// The picked source's name.
    package let name: String
    /// Why it was picked.
    package let reason: String
    /// Those tried before it.
    package let refusals: [Refusal]
    /// The opened picture.
    package let source: any RegionSource
  }

  package let name = "automatic"
  package let summary = "the best exact source for the picture"
  private let resident: ResidentPipeline
  private let indexed: IndexedPipeline

  /// Makes the pipeline.
  /// - Parameters:
  ///   - budget: the bytes that rasters kept in memory may take together.
  ///   - indexed: knows where to look for seek indexes.
  package init(
    budget: RasterBudget = RasterBudget(limit: RasterBudget.standardLimit),
    indexed: IndexedPipeline = IndexedPipeline()
  ) {
    resident = ResidentPipeline(budget: budget)
    self.indexed = indexed
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    try choose(path).source
  }

  package func assess(_ path: FilePath) throws(PipelineError) -> String {
    let choice = try choose(path)
    return "\(choice.name): \(choice.reason)"
  }

  /// Picks by what a peek costs, first and later ones: parts read alone, then MCUs, found by a seek
  /// index that was made before, by restart markers or by an index that peeks lay down, then one
  /// decode kept in memory, then a pass from the top for what is too large to keep.
  /// - Parameter path: the picture.
  /// - Returns: the pick, already open.
  /// - Throws: `PipelineError` when the picture cannot be opened at all.
  package func choose(_ path: FilePath) throws(PipelineError) -> Choice {
    let picture = try Picture(path)
    var refusals: [Choice.Refusal] = []
    if picture.reach == .regions {
      let source = RandomSource(picture: picture)
      return Choice(name: "random", reason: source.explanation, refusals: [], source: source)
    }
    refusals.append(
      Choice.Refusal(name: "random", reason: "the format is coded from the top down"))
    let entry = try indexed.entry(to: picture)
    if let entry, let source = try indexed.openStored(entry) {
      return Choice(
        name: indexed.name, reason: source.explanation, refusals: refusals, source: source)
    }
    let candidates: [(name: String, open: () throws(PipelineError) -> any RegionSource)] = [
      (
        "indexed",
        { () throws(PipelineError) in
          if let entry { try indexed.open(entry) } else { try indexed.open(path) }
        }
      ),
      ("resident", { () throws(PipelineError) in try resident.open(path) }),
    ]
    for candidate in candidates {
      do throws(PipelineError) {
        let source = try candidate.open()
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
