import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

/// Comparisons of two programs by the built command, from the first request to the exit code.
@Suite struct CompareCommandTests {
  private static func compare(
    _ base: [ShellWorker.Case], _ candidate: [ShellWorker.Case], _ more: [String] = []
  ) async throws -> (run: CommandRun, result: RunResult) {
    let folder = try TestFolder()
    _ = try ShellWorker(cases: base).write(to: "before", in: folder)
    _ = try ShellWorker(cases: candidate).write(to: "after", in: folder)
    let run = try await folder.zoombench(
      [
        "compare", "./before", "./after", "--budget", "60", "--quiet", "--format", "json", "-o",
        "r.json",
      ]
        + more)
    #expect(!run.errors.contains("internal"), "\(run.errors)")
    return (run, try folder.result("r.json"))
  }

  /// Expects the exit code, or 2 if a check failed because the machine is loaded.
  private static func expect(_ code: Int32, of run: CommandRun, _ result: RunResult) {
    let contamination = result.contamination ?? []
    if contamination.isEmpty {
      #expect(run.code == code, "\(run.errors)")
    } else {
      #expect(contamination.allSatisfy { $0.hasPrefix("frozen code differs") })
      #expect(run.code == 2 && run.errors.contains("contaminated"), "\(run.errors)")
    }
  }

  @Test func `a slower case is found and measured again, with three checks`() async throws {
    let (run, result) = try await Self.compare(
      [ShellWorker.Case(name: "one"), ShellWorker.Case(name: "two")],
      [ShellWorker.Case(name: "one"), ShellWorker.Case(name: "two", nanoseconds: 1_100_000)])
    Self.expect(1, of: run, result)
    let gated = result.cases.filter { $0.role == .gated }
    #expect(gated.map(\.name) == ["one", "two"])
    #expect(gated[0].cpu.verdict == .same && gated[0].launches.count >= 6)
    let slow = gated[1]
    #expect(slow.cpu.verdict == .slower && slow.confirmed?.verdict == .slower)
    #expect(abs(slow.change.ratio - 1.1) < 0.001)
    #expect(result.cases.first { $0.role == .sameBuild }?.cpu.verdict == .same)
    #expect(result.cases.first { $0.role == .canary }?.cpu.verdict == .slower)
    #expect(result.cases.contains { $0.role == .control })
  }

  @Test func `a case that crashes is a finding, and the others keep their measurements`()
    async throws
  {
    let (run, result) = try await Self.compare(
      [
        ShellWorker.Case(name: "one"), ShellWorker.Case(name: "two"),
        ShellWorker.Case(name: "gone"),
      ],
      [ShellWorker.Case(name: "one"), ShellWorker.Case(name: "two", lastRound: 60)])
    // Exact findings count even in a contaminated run.
    #expect(run.code == 1, "\(run.errors)")
    #expect(run.errors.contains("two: case fails: the candidate worker"), "\(run.errors)")
    let failed = try #require(result.cases.first { $0.name == "two" })
    #expect(failed.failure?.contains("was ended by signal 11") == true)
    #expect(result.cases.first { $0.name == "one" }?.cpu.verdict == .same)
    #expect(result.onlyInBase == ["gone"])
    #expect(result.conclusion.word == .caseFails)
    #expect(result.overall != nil)
  }

  @Test func `answers that differ are a finding`() async throws {
    let (run, result) = try await Self.compare(
      [ShellWorker.Case(name: "one"), ShellWorker.Case(name: "two")],
      [ShellWorker.Case(name: "one"), ShellWorker.Case(name: "two", digest: "bb")],
      ["--filter", "two"])
    #expect(run.code == 1 && run.errors.contains("two: pixels differ"), "\(run.errors)")
    #expect(result.cases.filter { $0.role == .gated }.map(\.name) == ["two"])
  }

  @Test func `only builds of zoombench contain its marks`() async throws {
    let own = try #require(FileManager.default.contents(atPath: try TestFolder.executable().string))
    let shell = try #require(FileManager.default.contents(atPath: "/bin/sh"))
    for mark in PeekWorkerCommand.marks {
      #expect(own.range(of: Data(mark.utf8)) != nil)
      #expect(shell.range(of: Data(mark.utf8)) == nil)
    }
  }

  @Test func `recording outside a repository is refused before anything is measured`() async throws
  {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    let run = try await folder.zoombench(
      ["a.jpg", "--record", "--rounds", "1", "--sources", "random"],
      environment: ["GIT_CEILING_DIRECTORIES": folder.path.removingLastComponent().string])
    #expect(run.code == 66 && run.errors.contains("git repository"), "\(run.errors)")
    // Nothing was measured.
    #expect(run.progress.isEmpty && run.output.isEmpty)
    #expect(try folder.names() == ["work/a.jpg"])
  }
}
