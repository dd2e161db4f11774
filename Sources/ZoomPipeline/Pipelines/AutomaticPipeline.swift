/// Picks the best exact source for a picture and says which and why.
package struct AutomaticPipeline: PicturePipeline {
  /// What was picked for a picture, and what was not.
  package struct Choice: Sendable {
    /// A source that was passed over, and why.
    package struct Refusal: Sendable, Hashable {
      package let name: String
      /// Why it was not picked, in one sentence without a full stop.
      package let reason: String
    }

    package let name: String
    package let reason: String
    package let refusals: [Refusal]
    package let source: any RegionSource
  }

  package let name = "automatic"
  package let summary = "the best exact source for the picture"
  package let limits: PictureLimits
  private let indexed: IndexedPipeline

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
  /// JPEG through a seek index, then parts that the file's tables lead to, then one decode kept in
  /// memory, then a pass from the top for what is too large to keep.
  package func choose(_ picture: Picture) throws(PipelineError) -> Choice {
    var refusals: [Choice.Refusal] = []
    func choice(_ name: String, _ source: any RegionSource) -> Choice {
      Choice(name: name, reason: source.explanation, refusals: refusals, source: source)
    }
    /// Gives nil where the pipeline leaves the picture to others.
    func attempt(_ pipeline: some PicturePipeline) throws(PipelineError) -> Choice? {
      do throws(PipelineError) {
        return choice(pipeline.name, try pipeline.open(picture))
      } catch {
        guard error.isRefusal else { throw error }
        refusals.append(Choice.Refusal(name: pipeline.name, reason: error.reason))
        return nil
      }
    }
    if picture.reach == .regions {
      return choice("random", try RandomPipeline(limits: limits).open(picture))
    }
    refusals.append(
      Choice.Refusal(name: "random", reason: "the format is coded from the top down"))
    if let choice = try attempt(indexed) { return choice }
    // Regions of a WebP are parsed from the top each time: one decode that is kept serves all of them.
    let isParsedFromTheTop = picture.loader == "webpload"
    let carved = CarvedPipeline(limits: limits)
    if !isParsedFromTheTop, let choice = try attempt(carved) { return choice }
    // A decoder that stops above a cut would not notice it.
    try picture.jpegStructure?.assertComplete(picture.file)
    if let choice = try attempt(ResidentPipeline(limits: limits)) { return choice }
    if isParsedFromTheTop, let choice = try attempt(carved) { return choice }
    return choice("sequential", try SequentialPipeline().open(picture))
  }
}
