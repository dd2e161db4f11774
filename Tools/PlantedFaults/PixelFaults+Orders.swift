import Foundation
import PixelLaws
import ZoomLaws
import Synchronization
import ZoomGeometry
import ZoomPipeline

extension PixelFaults {
  /// Faults that depend on earlier or concurrent requests.
  static let orders = [
    fault(
      "stale-answer", "An answer with the size of the last one repeats the last one.",
      .answering { answer, reading in
        reading.own.content.withLock { memory in
          if let last = memory.last, last.pixels.size == answer.pixels.size { return last }
          memory.last = answer
          return answer
        }
      }),
    fault(
      "stale-picture", "Answers are cached by request, regardless of the picture.",
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        if let kept = reading.shared.content.withLock({ $0.answers[reading.request] }) {
          return kept
        }
        let answer = try reading.soundly()
        reading.shared.content.withLock { $0.answers[reading.request] = answer }
        return answer
      }),
    fault(
      "key-without-turn", "Answers are cached by region, regardless of the turn.",
      .answering { answer, reading in
        let key = RegionRequest(reading.request.region, reduction: reading.request.reduction)
        return reading.own.content.withLock { memory in
          if let kept = memory.answers[key] { return kept }
          memory.answers[key] = answer
          return answer
        }
      }),
    fault(
      "mixed-up", "Concurrent requests get each other's answers.",
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        reading.own.content.withLock { $0.request = reading.request }
        // Long enough for another thread to interfere.
        Thread.sleep(forTimeInterval: 0.001)
        let request = reading.own.content.withLock { $0.request } ?? reading.request
        return try reading.source.read(request)
      }),
    fault(
      "cold-first-row", "The first read after a cache reset lacks its first row.",
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        let isCold = reading.source.state == .nothing
        let wasWarm = reading.own.content.withLock { memory in
          defer { memory.reads += 1 }
          return memory.reads > 0
        }
        let answer = try reading.soundly()
        guard isCold, wasWarm, reading.source.state != .nothing else { return answer }
        return answer.with(
          answer.pixels.mappingSamples { sample, _, y, _, _ in y == 0 ? 0 : sample })
      }),
    fault(
      "refusal-sticks", "After a refusal the next request is also refused.",
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        do throws(PipelineError) {
          try reading.request.check(pictureSize: reading.source.size, file: reading.path)
        } catch {
          reading.own.content.withLock { $0.request = reading.request }
          throw error
        }
        let stuck = reading.own.content.withLock { memory in
          defer { memory.request = nil }
          return memory.request
        }
        return try reading.source.read(stuck ?? reading.request)
      }),
  ]
}
