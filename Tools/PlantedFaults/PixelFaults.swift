package import PixelLaws
import Synchronization
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

/// Faults of pipelines.
package enum PixelFaults {
  /// All faults: real bugs first, then invented ones, by what they get wrong.
  package static let all: [SeededFault<PixelSubject>] =
    reported + places + contents + orders + shapes + counts + equivalents

  typealias PixelFault = SeededFault<PixelSubject>

  /// Returns a fault of the pipeline.
  static func fault(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ mistake: FaultyPipeline.Mistake
  ) -> PixelFault {
    PixelFault(name, summary, origin: origin, equivalence: equivalence) { faulty, sound in
      faulty = sound.with(FaultyPipeline(sound.pipeline, mistake))
    }
  }

  /// Faults with right pixels and wrong counts of work.
  static let counts = [
    fault(
      "work-never-reset", "Work is the sum of all reads so far.",
      .miscounting { work, reading in
        let more = (work.pixelsDecoded ?? 0) + work.pixelsDelivered
        work.pixelsDecoded = reading.own.content.withLock { memory in
          memory.reads += more
          return memory.reads
        }
      }),
    fault(
      "nothing-delivered", "Work does not count delivered pixels.",
      .miscounting { work, _ in work.pixelsDelivered = 0 }),
    fault(
      "small-costs-all", "A region of less than 64 pixels costs ten pictures.",
      .miscounting { work, reading in
        guard reading.request.region.area < 64 else { return }
        work.pixelsDecoded = reading.source.size.area * 10 + (1 << 20)
      }),
    fault(
      "decoded-twice", "Every pixel is decoded twice.",
      .miscounting { work, _ in work.pixelsDecoded = work.pixelsDecoded.map { $0 * 2 } }),
    fault(
      "part-costs-more", "The smaller a region, the more is decoded.",
      .miscounting { work, reading in
        guard work.pixelsDecoded != 0 else { return }
        work.pixelsDecoded =
          ((work.pixelsDecoded ?? 0) + 1) + reading.source.size.area - reading.request.region.area
      }),
    fault(
      "resampling-untold", "A reduced answer is reported as 1:1.",
      .answering { answer, _ in
        RegionAnswer(pixels: answer.pixels, work: answer.work, resampling: .none)
      }),
  ]

  /// Changes without any effect, so that a law that reports one is wrong itself.
  static let equivalents = [
    fault(
      "copied", "The bytes are copied once more before they are returned.",
      equivalence: "a copy of bytes is equal to them",
      .altering { pixels, _ in pixels.with(pixels.size, pixels.bytes.map { $0 }) }),
    fault(
      "turned-round", "Answers are turned by half twice.",
      equivalence: "two half turns are the identity",
      .altering { pixels, _ in pixels.turned(by: .half).turned(by: .half) }),
    fault(
      "asked-twice", "Every request is made twice and the second answer given.",
      equivalence: "sources repeat the same bytes; the work of a warm read is not compared",
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        let first = try reading.soundly()
        let again = try reading.soundly()
        return RegionAnswer(pixels: again.pixels, work: first.work, resampling: again.resampling)
      }),
  ]
}
