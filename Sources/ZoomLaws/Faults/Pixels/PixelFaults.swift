internal import ZoomGeometry
internal import ZoomPipeline

/// Mistakes of pipelines, to see whether the laws of pixels find them.
public enum PixelFaults {
  /// All of them: real bugs first, then our own, by what they get wrong.
  public static let all: [SeededFault<PixelSubject>] =
    reported + places + contents + orders + shapes + counts + equivalents

  /// Those that no input shows are left out.
  public static var detectable: [SeededFault<PixelSubject>] {
    all.filter { $0.equivalence == nil }
  }

  /// A fault of the pipeline.
  static func fault(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ mistake: FaultyPipeline.Mistake
  ) -> SeededFault<PixelSubject> {
    SeededFault(name, summary, origin: origin, equivalence: equivalence) { subject in
      subject.with(FaultyPipeline(subject.pipeline, mistake))
    }
  }
}
