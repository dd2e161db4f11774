import Foundation
import Measurement
import MeasurementHistory
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import zoombench

/// Comparisons of revisions and of shell commands by the built command, from the first request to the exit
/// code.
@Suite struct CompareRevisionsTests {
  /// The source of a worker that reports times without doing work, as `ShellWorker` does.
  private static func worker(nanoseconds: Int) -> String {
    """
    import Foundation
    let cost = \(nanoseconds)
    let cases = #"[{"name":"one","role":"gated"},{"name":"more","role":"canary"}]"#
    loop: while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let numbers = words.dropFirst().compactMap { Int($0) }
      let answer: String
      switch words[0] {
      case "hello": answer = #"hello 1 {"tool":"tiny 1","cases":\\#(cases)}"#
      case "open": answer = "opened 1000000 \\(cost)"
      case "sample":
        let varied = cost + cost / 1000 * (numbers[1] * 7919 % 11 - 5) / 10
        answer = "sample 1000000 \\(varied * numbers[2] * (1000 + numbers[3]) / 1000) aa"
      case "count": answer = "counters {}"
      default: break loop
      }
      FileHandle.standardOutput.write(Data((answer + "\\n").utf8))
    }

    """
  }

  @Test func `a slower revision of a package is found, and a work tree without changes passes`()
    async throws
  {
    let folder = try TestFolder()
    let repository = try TestRepository.package(in: folder.path)
    for (name, nanoseconds) in [("quick", 1_000_000), ("slow", 1_100_000)] {
      try repository.write(
        Self.worker(nanoseconds: nanoseconds), to: "Sources/tiny/main.swift")
      try repository.commit(name)
    }
    for (words, code) in [(["HEAD~1", "HEAD"], Int32(1)), (["HEAD"], 0)] {
      let run = try await folder.zoombench(
        ["compare"] + words + [
          "--product", "tiny", "--no-layouts", "--budget", "400", "--quiet", "--format", "json",
          "-o", "r.json",
        ], environment: ["XDG_CACHE_HOME": nil])
      let result = try folder.result("r.json")
      // On a loaded machine, a check can fail, or the time can be over before the revisions are built.
      let isContaminated =
        result.contamination?.isEmpty == false || run.errors.contains("ran out after 0 launches")
      #expect(run.code == (isContaminated ? 2 : code), "\(run.errors)")
      let row = try #require(result.rows.first { $0.name == "one" })
      #expect(isContaminated || row.verdict.word == (code == 1 ? .slower : .same))
      #expect(result.contenders.allSatisfy { $0.commit != nil && $0.tool == "tiny 1" })
    }
    #expect(try repository.git("status", "--porcelain") == "?? r.json")
  }

  @Test func `a program of two revisions runs in their trees, built by the user's command`()
    async throws
  {
    let worker = try TestFolder.executable().removingLastComponent().appending("pipeline-worker")
    let folder = try TestFolder()
    let repository = try TestRepository(in: folder.path)
    try await folder.place("png", as: "pictures/a.png")
    for number in 1...2 {
      try repository.write("exec '\(worker)' busy \(number)\n", to: "source.sh")
      try repository.commit("\(number)")
    }
    // One launch of each case at least; verdicts about times are other tests'. A worker may take half of the budget
    // to start, which took 5 s at a load of 24.
    let run = try await folder.zoombench(
      [
        "compare", "HEAD~1", "HEAD", "--pipeline", "mine=worker:sh made/worker.sh", "--build",
        "mkdir -p made && cp source.sh made/worker.sh", "--pictures", "pictures", "--filter",
        "375x375/warm", "--budget", "30", "--record", "--quiet", "--format", "json", "-o",
        "r.json",
      ], environment: ["ZOOMBENCH_CORPUS": CorpusPictures.folder.path.string])
    #expect([0, 1, 2].contains(run.code), "\(run.errors)")
    let result = try folder.result("r.json")
    let gated = result.rows.filter { $0.role == .gated }
    #expect(gated.map(\.name) == ["a.png/pipeline/375x375/warm"])
    #expect(gated.allSatisfy { $0.verdict.word != .caseFails }, "\(run.errors)")
    let commits = try ["HEAD~1", "HEAD"].map { try repository.git("rev-parse", $0) }
    #expect(result.contenders.compactMap(\.commit) == commits)
    #expect(result.contenders[1].tool?.hasSuffix("with mine=worker:sh made/worker.sh") == true)
    for (label, number) in [("base", 1), ("candidate", 2)] {
      let made = try folder.bytes(of: ".zoombench/builds/tree-\(label)/made/worker.sh")
      #expect(String(decoding: made, as: UTF8.self).contains("busy \(number)"))
    }
    let store = try HistoryStore(
      path: folder.file(".zoombench/history.sqlite").string, createsFile: false)
    #expect(try store.runs().map(\.revision.commit) == [commits[1]])
  }

  @Test func `a shell command that fails is a finding, recorded under the commit that was named`()
    async throws
  {
    let folder = try TestFolder()
    let run = try await folder.zoombench(
      "compare", "old=shell:true", "new=shell:echo no disk >&2; exit 3", "--budget",
      "300", "--record", "--commit", "c1", "--quiet")
    #expect(run.code == 1, "\(run.errors)")
    #expect(
      run.errorLines.count == 1 && run.errors.contains("the command ended with status 3"),
      "\(run.errors)")
    #expect(run.errors.contains("no disk"))
    // A shell command is not a build, and its line names it once.
    #expect(run.output.hasPrefix("base       old=shell:true, zoombench \(ToolVersion.number)\n"))
    #expect(!run.output.contains("executable"))
    #expect(try await folder.zoombench("history", "list").output.contains("c1"))
  }

  @Test func `the output of a shell command is discarded, and its failure is an error`() throws {
    #expect(throws: Never.self) {
      try ShellSubject(command: "yes | head -c 20000000; cat").run(round: 0, extra: 0)
    }
    let error = #expect(throws: ShellSubject.Failed.self) {
      try ShellSubject(command: "kill -9 $$").run(round: 0, extra: 0)
    }
    #expect(error?.description == "the command was ended by signal 9")
  }
}
