import PixelLaws
import ZoomLaws
import Synchronization
package import SystemPackage
import ZoomGeometry
package import ZoomPipeline

/// A sound pipeline with one mistake.
package struct FaultyPipeline: Pipeline {
  private let sound: any Pipeline
  private let mistake: Mistake
  /// The state that all its sources share, as a cache of the pipeline would be.
  private let memory = Memory()

  /// A mistake of a faulty pipeline.
  package struct Mistake: Sendable {
    /// Returns the reported size of a picture.
    var size: @Sendable (PixelSize) -> PixelSize = { $0 }
    /// Answers a request.
    var answer: @Sendable (FaultyRead) throws(PipelineError) -> RegionAnswer
  }

  /// The input of a mistake.
  package struct FaultyRead: Sendable {
    /// The request.
    let request: RegionRequest
    /// The sound source.
    let source: any RegionSource
    /// The path of the picture.
    let path: FilePath
    /// The memory of this source.
    let own: Memory
    /// The memory that all sources of the pipeline share.
    let shared: Memory
  }

  /// The earlier answers, and the number of reads.
  package final class Memory: Sendable {
    struct Remembered {
      var reads = 0
      var request: RegionRequest?
      var answers: [RegionRequest: RegionAnswer] = [:]
      var last: RegionAnswer?
    }
    let content = Mutex(Remembered())
  }

  /// Creates a pipeline with a mistake.
  package init(_ sound: any Pipeline, _ mistake: Mistake) {
    self.sound = sound
    self.mistake = mistake
  }

  package var name: String { sound.name }
  package var summary: String { sound.summary }
  package var isExact: Bool { sound.isExact }

  /// The number of requests to all its sources.
  package var requests: Int { memory.content.withLock { $0.reads } }

  package func prepare(_ path: FilePath) throws(PipelineError) -> Preparation? {
    try sound.prepare(path)
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    FaultySource(try sound.open(path), path, mistake, memory)
  }
}

private final class FaultySource: RegionSource {
  private let sound: any RegionSource
  private let path: FilePath
  private let mistake: FaultyPipeline.Mistake
  private let own = FaultyPipeline.Memory()
  private let shared: FaultyPipeline.Memory

  init(
    _ sound: any RegionSource, _ path: FilePath, _ mistake: FaultyPipeline.Mistake,
    _ shared: FaultyPipeline.Memory
  ) {
    self.sound = sound
    self.path = path
    self.mistake = mistake
    self.shared = shared
  }

  var size: PixelSize { mistake.size(sound.size) }
  var state: SourceState { sound.state }
  var openingWork: Work { sound.openingWork }
  var explanation: String { sound.explanation }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    shared.content.withLock { $0.reads += 1 }
    return try mistake.answer(
      FaultyPipeline.FaultyRead(
        request: request, source: sound, path: path, own: own, shared: shared))
  }

  func forget() { sound.forget() }
}
