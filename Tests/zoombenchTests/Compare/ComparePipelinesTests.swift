import ArgumentParser
import ForeignPipelines
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

/// Two programs that nobody built here are compared like two builds.
@Suite struct ComparePipelinesTests {
  private static func digests(_ program: String) async throws -> [String?] {
    let peek = PeekCase(
      picture: "tiny-17x3", path: try await CorpusPictures.file("tiny-17x3"),
      source: PeekSuite.pipelineName, width: 5, height: 3, reduction: .none, state: .cold)
    let subject = try PeekWorkerSubject(peek, pipeline: ForeignPipeline("mine=\(program)"))
    return try (0..<4).map { round in
      try subject.prepare(round: round)
      return subject.digest(of: try subject.run(round: round, extra: 0))
    }
  }

  @Test func `programs with other pixels are told apart, and equal ones are not`() async throws {
    let zoombench = try TestFolder.executable()
    let worker = "worker:'\(zoombench.removingLastComponent().appending("pipeline-worker"))'"
    let right = try await Self.digests(worker)
    #expect(right.allSatisfy { $0 != nil })
    #expect(try await Self.digests(worker) == right)
    let black = try await Self.digests("worker:'\(zoombench)' \(NullWorkerCommand.name) 17 3")
    #expect(zip(right, black).allSatisfy { $0 != $1 })
  }

  @Test func `builds that cannot be linked again have a margin that contains their layouts`()
    throws
  {
    let usual = try CompareCommand.parse(["old", "new"])
    #expect(usual.settings(isOneLayout: false).margin == 0.01)
    let wide = usual.settings(isOneLayout: true)
    #expect(wide.margin == 0.03 && abs(wide.sameMargin - 0.05) < 1e-12)
    let chosen = try CompareCommand.parse(["old", "new", "--threshold", "2"])
    #expect(chosen.settings(isOneLayout: true).margin == 0.02)
    #expect(throws: (any Error).self) { try CompareCommand.parse(["old", "--threshold", "0"]) }
    #expect(throws: (any Error).self) { try CompareCommand.parse(["old", "--threshold", "nan"]) }
  }

  @Test func `answers in a lossy format have no digest, for another version may round otherwise`()
    async throws
  {
    let zoombench = try TestFolder.executable()
    let worker = "worker,lossy:'\(zoombench.removingLastComponent().appending("pipeline-worker"))'"
    #expect(try await Self.digests(worker) == [nil, nil, nil, nil])
  }
}
