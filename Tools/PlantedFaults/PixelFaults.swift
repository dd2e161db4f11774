import Foundation
package import PixelLaws
import Synchronization
import SystemPackage
import ZoomGeometry
import ZoomLaws
package import ZoomPipeline

extension FaultCatalogue {
  /// Returns the faults of region sources, planted in a sound pipeline.
  package static func pixels(of pipeline: any Pipeline) throws(PipelineError) -> [FaultTrial] {
    let subject = try PixelSubject(pipeline)
    return FaultTrial.all(PixelFaults.all, in: subject, laws: subject.laws)
  }
}

package enum PixelFaults {
  /// All faults: the reported ones, then the invented ones.
  package static let all: [SeededFault<PixelSubject>] = reported + invented

  typealias PixelFault = SeededFault<PixelSubject>

  static func reading(
    _ summary: String, origin: String? = nil,
    _ answer: @escaping @Sendable (FaultyPipeline.FaultyRead) throws(PipelineError) -> RegionAnswer
  ) -> PixelFault {
    PixelFault(summary, origin: origin) { faulty, sound in
      faulty = sound.with(FaultyPipeline(sound.pipeline, FaultyPipeline.Mistake(answer: answer)))
    }
  }

  static func answering(
    _ summary: String, origin: String? = nil,
    _ change:
      @escaping @Sendable (RegionAnswer, FaultyPipeline.FaultyRead) throws(PipelineError) ->
      RegionAnswer
  ) -> PixelFault {
    reading(summary, origin: origin) { reading throws(PipelineError) in
      try change(try reading.soundly(), reading)
    }
  }

  static func altering(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (Pixels, RegionRequest) -> Pixels
  ) -> PixelFault {
    answering(summary, origin: origin) { answer, reading in
      answer.with(change(answer.pixels, reading.request))
    }
  }

  static func moving(
    _ summary: String, origin: String? = nil,
    _ place: @escaping @Sendable (RegionRequest) -> (x: Int, y: Int)
  ) -> PixelFault {
    reading(summary, origin: origin) { reading throws(PipelineError) in
      let (x, y) = place(reading.request)
      let region = reading.request.region
      if x == region.x && y == region.y { return try reading.soundly() }
      return try reading.reading(x, y, of: region.size)
    }
  }

  private static func miscounting(
    _ summary: String, _ change: @escaping @Sendable (inout Work, FaultyPipeline.FaultyRead) -> Void
  ) -> PixelFault {
    answering(summary) { answer, reading in
      var work = answer.work
      change(&work, reading)
      return RegionAnswer(pixels: answer.pixels, work: work, resampling: answer.resampling)
    }
  }

  private static func lastSample(
    _ summary: String, _ concerns: @escaping @Sendable (PixelRegion, PixelSize) -> Bool
  ) -> PixelFault {
    answering(summary, origin: GestureFaults.ours) { answer, reading in
      guard concerns(reading.request.region, reading.source.size) else { return answer }
      var bytes = answer.pixels.bytes
      bytes[bytes.count - 1] ^= 1
      return answer.with(answer.pixels.with(answer.pixels.size, bytes))
    }
  }

  /// Faults of positions, of contents, of the order of requests, and of the reports.
  private static let invented: [PixelFault] = [
    moving("Regions begin a column too far right.") { request in
      (request.region.x + 1, request.region.y)
    },
    moving("Regions begin a row too high.") { request in (request.region.x, request.region.y - 1) },
    moving("Regions wider than a coding block begin at a multiple of 16.") { request in
      let (x, y) = (request.region.x, request.region.y)
      return (request.region.width > 16 ? x / 16 * 16 : x, y)
    },
    lastSample("In a region as high as the picture, but narrower, the last sample is wrong.") {
      region, picture in
      region.height == picture.height && region.width < picture.width
    },
    // Small pictures are often requested whole.
    lastSample("The last sample of a whole large picture is wrong.") { region, picture in
      region.size == picture && picture.area > 5000
    },
    altering("Everything is half a pixel too far left.") { pixels, _ in
      pixels.averaging(dx: 1, dy: 0)
    },
    altering("The first and the third band are swapped.") { pixels, _ in
      guard pixels.bands >= 3 else { return pixels }
      let all = pixels.samples
      return pixels.mappingSamples { _, x, y, band, _ in
        all[pixels.place(x, y, band == 0 ? 2 : band == 2 ? 0 : band)]
      }
    },
    altering("Samples of 16 bits lose their lower half.") { pixels, _ in
      pixels.mappingSamples { sample, _, _, _, most in most > 255 ? sample & 0xFF00 : sample }
    },
    altering("The fourth band is multiplied into the others.") { pixels, _ in
      guard pixels.bands == 4 else { return pixels }
      let all = pixels.samples
      return pixels.mappingSamples { sample, x, y, band, most in
        band == 3 ? sample : sample * all[pixels.place(x, y, 3)] / most
      }
    },
    answering("Every sample of a tiled TIFF is a level too high.") { answer, reading in
      guard reading.path.string.hasSuffix(".tif") else { return answer }
      return answer.with(answer.pixels.mappingSamples { sample, _, _, _, _ in sample + 1 })
    },
    answering(
      "Half-size answers of large regions are a pixel too far right, and name the decoder as the one that "
        + "resampled them."
    ) { answer, reading in
      guard reading.request.reduction == .half, reading.request.region.area > 2000 else {
        return answer
      }
      let moved = answer.pixels.fetching { x, y in (x - 1, y) }
      return RegionAnswer(pixels: moved, work: answer.work, resampling: .decoder)
    },
    reading("Every source shows the picture that was opened last.") {
      reading throws(PipelineError) in
      guard let opened = reading.shared.content.withLock({ $0.opened }),
        opened.size == reading.source.size
      else { return try reading.soundly() }
      return try opened.read(reading.request)
    },
    reading("Concurrent requests get each other's answers.") { reading throws(PipelineError) in
      reading.own.content.withLock { $0.request = reading.request }
      // The pause is long enough for another thread to interfere.
      Thread.sleep(forTimeInterval: 0.001)
      let request = reading.own.content.withLock { $0.request } ?? reading.request
      return try reading.source.read(request)
    },
    reading("The first read after a cache reset lacks its first row.") {
      reading throws(PipelineError) in
      let isCold = reading.source.state == .nothing
      let wasWarm = reading.own.content.withLock { memory in
        defer { memory.reads += 1 }
        return memory.reads > 0
      }
      let answer = try reading.soundly()
      guard isCold, wasWarm, reading.source.state != .nothing else { return answer }
      return answer.with(answer.pixels.mappingSamples { sample, _, y, _, _ in y == 0 ? 0 : sample })
    },
    altering("Answers are mirrored left to right.") { pixels, _ in pixels.seen(through: .upMirrored)
    },
    miscounting("Work does not count delivered pixels.") { work, _ in work.pixelsDelivered = 0 },
    miscounting("Work counts more decoded pixels for smaller regions.") { work, reading in
      guard work.pixelsDecoded != 0 else { return }
      work.pixelsDecoded =
        ((work.pixelsDecoded ?? 0) + 1) + reading.source.size.area - reading.request.region.area
    },
    answering("A reduced answer is reported as 1:1.") { answer, _ in
      RegionAnswer(pixels: answer.pixels, work: answer.work, resampling: .none)
    },
  ]
}
