import PixelLaws
import ZoomLaws
import Synchronization
package import SystemPackage
import ZoomGeometry
package import ZoomPipeline

/// A pipeline with one mistake, around a sound one.
package struct FaultyPipeline: Pipeline {
  private let sound: any Pipeline
  private let mistake: Mistake
  /// What all its sources share, as a cache of the pipeline would be.
  private let memory = Memory()

  /// What is done wrong.
  package struct Mistake: Sendable {
    /// The size that a picture is said to have.
    var size: @Sendable (PixelSize) -> PixelSize = { $0 }
    /// Answers a request.
    var answer: @Sendable (FaultyRead) throws(PipelineError) -> RegionAnswer
  }

  /// What a mistake has at hand.
  package struct FaultyRead: Sendable {
    /// What was asked.
    let request: RegionRequest
    /// The sound source.
    let source: any RegionSource
    /// The picture's file.
    let path: FilePath
    /// What this source remembers.
    let own: Memory
    /// What all sources of the pipeline remember.
    let shared: Memory
  }

  /// What was answered last, and how often.
  package final class Memory: Sendable {
    struct Remembered {
      var reads = 0
      var request: RegionRequest?
      var answers: [RegionRequest: RegionAnswer] = [:]
      var last: RegionAnswer?
    }
    let content = Mutex(Remembered())
  }

  /// Builds a mistake into a pipeline.
  package init(_ sound: any Pipeline, _ mistake: Mistake) {
    self.sound = sound
    self.mistake = mistake
  }

  package var name: String { sound.name }
  package var summary: String { sound.summary }
  package var isExact: Bool { sound.isExact }

  /// How many requests were made of all its sources.
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
