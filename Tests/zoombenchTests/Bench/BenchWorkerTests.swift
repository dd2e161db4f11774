import ForeignPipelines
import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct BenchWorkerTests {
  private static func digests(
    of pipeline: any Pipeline, _ picture: String, _ state: BenchPlan.FileState,
    isProgram: Bool = false
  ) async throws -> [String?] {
    let path = try await CorpusPictures.file(picture)
    let session = BenchSession(
      pipeline: pipeline, path: path, reference: isProgram ? StandardPipelines() : nil)
    let kind = BenchPlan.PeekKind(side: 100, scale: 1)
    let subject = try BenchSubject(
      PeekCase(of: path, by: pipeline.name, kind, state, seed: 5), session)
    return try (0..<4).map { round in
      try subject.prepare(round: round)
      return try subject.digest(of: try subject.run(round: round, extra: 0))
    }
  }

  @Test(
    arguments: ["jpeg-444", "orientation-6", "tiny-17x3"], BenchPlan.FileState.allCases)
  func `every source has naive's digests`(
    picture: String, state: BenchPlan.FileState
  ) async throws {
    let pipelines = StandardPipelines()
    let naive = try await Self.digests(of: NaivePipeline(), picture, state)
    #expect(naive.allSatisfy { $0 != nil })
    for pipeline in pipelines.all {
      #expect(try await Self.digests(of: pipeline, picture, state) == naive, "\(pipeline.name)")
    }
  }

  @Test func `the floor has naive's digests when it is warm`() async throws {
    let floor = try await Self.digests(of: FloorPipeline(), "jpeg-444", .warm)
    #expect(try await Self.digests(of: NaivePipeline(), "jpeg-444", .warm) == floor)
  }

  @Test func `a program has naive's digests if its answers are the same`() async throws {
    let zoombench = try TestFolder.executable()
    let right = "worker:'\(zoombench.removingLastComponent().appending("pipeline-worker"))'"
    let black = "worker:'\(zoombench)' \(NullWorkerCommand.name) 17 3"
    let naive = try await Self.digests(of: NaivePipeline(), "tiny-17x3", .cold)
    for (program, isRight) in [(right, true), (black, false)] {
      let pipeline = try ForeignPipeline("mine=\(program)")
      let digests = try await Self.digests(of: pipeline, "tiny-17x3", .cold, isProgram: true)
      #expect((digests == naive) == isRight && digests.allSatisfy { $0 != nil })
    }
  }

  @Test func `a source that refuses a picture reports a refusal, not a failure`() async throws {
    let error = await #expect(throws: (any Error).self) {
      try await Self.digests(of: PartialPipeline(), "png-interlaced", .warm)
    }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix(BenchWorkerCommand.refusal))
  }
}
