/// Picks the best exact source for a picture and says which and why.
package struct AutomaticPipeline: PicturePipeline {
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
  package let limits: PictureLimits
  private let indexed: IndexedPipeline

  /// Makes the pipeline.
  /// - Parameters:
  ///   - limits: those of pictures that it opens.
  ///   - indexed: knows where to look for seek indexes.
  package init(limits: PictureLimits = .standard, indexed: IndexedPipeline = IndexedPipeline()) {
    self.limits = limits
    self.indexed = indexed
  }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try choose(picture).source
  }

  package func assess(_ picture: Picture) throws(PipelineError) -> String {
    let choice = try choose(picture)
    return "\(choice.name): \(choice.reason)"
  }

  /// Picks by what a peek costs, first and later ones: parts that can be read alone, then the MCUs of a
  /// JPEG through a seek index, then one decode kept in memory, then a pass from the top for what is
  /// too large to keep.
  /// - Parameter picture: the picture.
  /// - Returns: the pick.
  /// - Throws: `PipelineError` when no source can read the picture.
  package func choose(_ picture: Picture) throws(PipelineError) -> Choice {
    var refusals: [Choice.Refusal] = []
    if picture.reach == .regions {
      let source = RandomSource(picture: picture)
      return Choice(name: "random", reason: source.explanation, refusals: [], source: source)
    }
    refusals.append(
      Choice.Refusal(name: "random", reason: "the format is coded from the top down"))
    let candidates: [any PicturePipeline] = [indexed, ResidentPipeline(limits: limits)]
    for candidate in candidates {
      // A decoder that stops above a cut would not notice it.
      if candidate is ResidentPipeline {
        try picture.jpegStructure?.assertComplete(picture.file)
      }
      do throws(PipelineError) {
        let source = try candidate.open(picture)
        return Choice(
          name: candidate.name, reason: source.explanation, refusals: refusals, source: source)
      } catch {
        guard error.isRefusal else { throw error }
        refusals.append(Choice.Refusal(name: candidate.name, reason: error.reason))
      }
    }
    let source = try SequentialPipeline().open(picture)
    return Choice(
      name: "sequential", reason: source.explanation, refusals: refusals, source: source)
  }
}
