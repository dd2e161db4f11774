package import PixelLaws
import ZoomLaws

/// Mistakes of pipelines.
package enum PixelFaults {
  /// All of them: real bugs first, then our own, by what they get wrong.
  package static let all: [SeededFault<PixelSubject>] =
    reported + places + contents + orders + shapes + counts + equivalents

  typealias PixelFault = SeededFault<PixelSubject>

  /// A fault of the pipeline.
  static func fault(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ mistake: FaultyPipeline.Mistake
  ) -> PixelFault {
    PixelFault(name, summary, origin: origin, equivalence: equivalence) { faulty, sound in
      faulty = sound.with(FaultyPipeline(sound.pipeline, mistake))
    }
  }
}
