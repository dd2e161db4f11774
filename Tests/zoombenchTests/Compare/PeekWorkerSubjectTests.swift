import Measurement
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct PeekWorkerSubjectTests {
  private static func subject(
    _ picture: String, _ source: String, _ state: BenchPlan.FileState = .warm,
    by reduction: Reduction = .none
  ) async throws -> PeekWorkerSubject {
    let path = try await CorpusPictures.file(picture)
    let peek = PeekCase(
      picture: picture, path: path, source: source, width: 64, height: 96, reduction: reduction,
      state: state)
    return try PeekWorkerSubject(peek, pipeline: StandardPipelines().named(peek.source))
  }

  @Test(arguments: ["naive", "sequential", "random"], BenchPlan.FileState.allCases)
  func `extra rows do not change the digest`(
    source: String, state: BenchPlan.FileState
  ) async throws {
    let subject = try await Self.subject("jpeg-444", source, state)
    for round in 0..<6 {
      try subject.prepare(round: round)
      let plain = try subject.run(round: round, extra: 0)
      let more = try subject.run(round: round, extra: 200)
      #expect(subject.digest(of: plain) == subject.digest(of: more))
      #expect(more.pixels.size.height == plain.pixels.size.height + 20)
    }
  }

  /// Without allocations, because other tests of the process allocate concurrently.
  @Test func `a round has the same counts each time`() async throws {
    let subject = try await Self.subject("jpeg-444", "sequential")
    let exact = ["pixels decoded", "pixels delivered", "bytes read", "mcus decoded"]
    _ = try subject.counters(round: 3)
    let first = try subject.counters(round: 3).filter { exact.contains($0.key) }
    for _ in 0..<3 {
      #expect(try subject.counters(round: 3).filter { exact.contains($0.key) } == first)
    }
    #expect(first["pixels delivered"] == 64 * 96)
  }

  @Test func `an unknown source is named`() async throws {
    await #expect(throws: Failure.self) { _ = try await Self.subject("jpeg-444", "psychic") }
  }
}
