/// Picks the best exact source for a picture and gives the reason.
package struct AutomaticPipeline: PicturePipeline {
  /// The source picked for a picture, and the sources refused.
  package struct Choice: Sendable {
    package struct Refusal: Sendable, Hashable {
      package let name: String
      /// The reason in one sentence without a full stop.
      package let reason: String
    }

    package let name: String
    package let reason: String
    package let refusals: [Refusal]
    package let source: any RegionSource
  }

  package let name = "automatic"
  package let summary = "the best exact source for the picture"
  private let partial: PartialPipeline

  package init(_ partial: PartialPipeline = PartialPipeline()) { self.partial = partial }

  package var limits: PictureLimits { partial.limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try choose(picture).source
  }

  package func assess(_ picture: Picture) throws(PipelineError) -> String {
    let choice = try choose(picture)
    return "\(choice.name): \(choice.reason)"
  }

  /// Picks by the cost of peeks, in this order: parts that libvips reads alone; parts that
  /// `partial` reads; rows decoded once and kept; for a picture too large to keep, a pass from the
  /// top.
  ///
  /// If later peeks into parts are not cheap either, the source changes over to a raster.
  package func choose(_ picture: Picture) throws(PipelineError) -> Choice {
    var refusals: [Choice.Refusal] = []
    func choice(_ name: String, _ source: any RegionSource) -> Choice {
      Choice(name: name, reason: source.explanation, refusals: refusals, source: source)
    }
    func attempt(
      _ name: String, _ open: () throws(PipelineError) -> any RegionSource
    ) throws(PipelineError) -> Choice? {
      do throws(PipelineError) {
        return choice(name, try open())
      } catch {
        guard error.isRefusal else { throw error }
        refusals.append(Choice.Refusal(name: name, reason: error.reason))
        return nil
      }
    }
    if picture.reach == .regions {
      return choice("random", try RandomPipeline(limits: limits).open(picture))
    }
    refusals.append(
      Choice.Refusal(name: "random", reason: "the format is coded from the top down"))
    let partially = try attempt("partial") { () throws(PipelineError) in
      let parts = try partial.openParts(of: picture)
      return Self.adaptive(parts)
    }
    if let partially { return partially }
    // A decoder that stops above the point where a file is truncated does not notice it.
    try picture.jpegStructure?.assertComplete(picture.file)
    let rows = try attempt("resident") { () throws(PipelineError) in
      try ResidentSource(picture, isGrowing: true)
    }
    if let rows { return rows }
    return choice("sequential", try SequentialPipeline().open(picture))
  }

  private static func adaptive(_ parts: some PartialSource) -> any RegionSource {
    AdaptiveSource(parts)
  }
}
