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

/// Comparisons of two external programs.
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

  @Test func `digests differ exactly if programs give different pixels`() async throws {
    let zoombench = try TestFolder.executable()
    let worker = "worker:'\(zoombench.removingLastComponent().appending("pipeline-worker"))'"
    let right = try await Self.digests(worker)
    #expect(right.allSatisfy { $0 != nil })
    #expect(try await Self.digests(worker) == right)
    let black = try await Self.digests("worker:'\(zoombench)' \(NullWorkerCommand.name) 17 3")
    #expect(zip(right, black).allSatisfy { $0 != $1 })
  }

  @Test func `builds that cannot be linked again have a wider margin`() throws {
    let usual = try CompareCommand.parse(["old", "new"])
    #expect(usual.settings(isOneLayout: false).margin == 0.01)
    let wide = usual.settings(isOneLayout: true)
    #expect(wide.margin == 0.03 && abs(wide.sameMargin - 0.05) < 1e-12)
    let chosen = try CompareCommand.parse(["old", "new", "--threshold", "2"])
    #expect(chosen.settings(isOneLayout: true).margin == 0.02)
    #expect(throws: (any Error).self) { try CompareCommand.parse(["old", "--threshold", "0"]) }
    #expect(throws: (any Error).self) { try CompareCommand.parse(["old", "--threshold", "nan"]) }
  }

  @Test func `answers in a lossy format have no digest`() async throws {
    let zoombench = try TestFolder.executable()
    let worker = "worker,lossy:'\(zoombench.removingLastComponent().appending("pipeline-worker"))'"
    #expect(try await Self.digests(worker) == [nil, nil, nil, nil])
  }

  @Test func `a base that breaks the protocol is a finding that quotes it`() async throws {
    let worker = try TestFolder.executable().removingLastComponent().appending("pipeline-worker")
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    let run = try await folder.zoombench(
      "compare", "a=worker:'\(worker)' print", "b=worker:'\(worker)'", "--pictures", "a.png",
      "--quiet")
    #expect(run.code == 1 && run.errorLines.count == 1, "\(run)")
    #expect(run.errors.contains("greeted with 'hello'"), "\(run.errors)")
    #expect(!run.errors.contains("own message") && !run.errors.contains("corpus"), "\(run.errors)")
  }

  #if os(Linux)
    @Test func `both programs end when one of them fails`() async throws {
      let worker = try TestFolder.executable().removingLastComponent().appending("pipeline-worker")
      let folder = try TestFolder()
      try await folder.place("png", as: "a.png")
      // The program continues after its input has ended.
      try folder.write(
        "echo $$ >> '\(folder.file("started"))'; '\(worker)' $1; exec sleep 1000".utf8, to: "w.sh"
      )
      let run = try await folder.zoombench(
        "compare", "a=worker:sh w.sh", "b=worker,time=2:sh w.sh hang", "--pictures", "a.png",
        "--quiet")
      #expect(run.code == 1, "\(run)")
      let started = String(decoding: try folder.bytes(of: "started"), as: UTF8.self)
      let processes = started.split(separator: "\n").compactMap { Int32($0) }
      #expect(processes.count >= 2)
      for process in processes { #expect(!ProcessStatus.isRunning(process)) }
    }
  #endif
}
