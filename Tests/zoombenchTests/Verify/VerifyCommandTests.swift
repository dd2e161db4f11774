import Foundation
import Testing

@testable import zoombench

@Suite struct VerifyCommandTests {
  @Test func `a corrected system keeps its laws`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench(
      "verify", "--systems", "peek", "--laws", "FZ-P1,FZ-P8", "--cases", "50", "--seed", "1")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("2 held, 0 broken, 0 undecided"))
    #expect(try folder.names().isEmpty)
  }

  @Test func `a broken law is shrunk, and its line repeats the case`() async throws {
    let folder = try TestFolder()
    let options = ["verify", "--systems", "peek", "--original", "--laws", "FZ-P1"]
    let run = try await folder.zoombench(options + ["--seed", "1"])
    #expect(run.code == 1)
    #expect(run.errorLines == ["zoombench: 1 of 1 laws is broken"])
    let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    let breach = try #require(lines.first { $0.hasPrefix("touch (") })
    let again = try #require(lines.first { $0.hasPrefix("again: zoombench ") })
    // A quoted string is one word.
    let words = again.dropFirst("again: zoombench ".count).split(separator: "'").enumerated()
      .flatMap { $0.isMultiple(of: 2) ? $1.split(separator: " ") : [$1] }.map(String.init)
    let replayed = try await folder.zoombench(words)
    #expect(replayed.code == 1)
    #expect(replayed.output.contains(breach))
    #expect(replayed.output.contains("1 geometry case;"))
  }

  @Test func `the same seed gives the same cases with any number of jobs`() async throws {
    let folder = try TestFolder()
    func rows(_ jobs: String) async throws -> [VerifyReport.LawRow] {
      let run = try await folder.zoombench(
        "verify", "--systems", "double-tap", "--original", "--laws", "DT-P5,DT-P6n,GE-2",
        "--cases", "40", "--seed", "9", "--jobs", jobs, "--format", "json")
      return try run.result().rows.compactMap(\.law)
    }
    let (one, other) = (try await rows("1"), try await rows("3"))
    #expect(one.map(\.cases) == other.map(\.cases))
    #expect(one.map(\.verdict) == other.map(\.verdict))
    #expect(one.flatMap(\.breaches).map(\.replay) == other.flatMap(\.breaches).map(\.replay))
  }

  @Test func `a user's picture is tried by each source that can open it`() async throws {
    let folder = try TestFolder()
    try await folder.place("png-interlaced", as: "my picture.png")
    let run = try await folder.zoombench(
      "verify", "my picture.png", "--sources", "resident,partial", "--laws", "PX-2", "--cases",
      "10")
    #expect(run.code == 0)
    #expect(run.output.contains("resident my picture.png"))
    #expect(!run.output.contains("partial my picture.png"))
  }

  @Test func `laws of converted colours are tried on generated pictures and the user's`()
    async throws
  {
    let folder = try TestFolder()
    try await folder.place("jpeg-profile", as: "my picture.jpg")
    let run = try await folder.zoombench(
      "verify", "my picture.jpg", "--sources", "resident", "--colour", "srgb", "--laws",
      "PX-2,PX-6,PX-31", "--cases", "10")
    #expect(run.code == 0)
    // Two laws of each subject, and the law of generated pictures.
    #expect(run.output.contains("5 held, 0 broken, 0 undecided"), "\(run.output)")
  }

  @Test func `a run without a number of cases says how to try more, and keeps its time`()
    async throws
  {
    let folder = try TestFolder()
    let run = try await folder.zoombench("verify", "--systems", "peek")
    #expect(run.code == 0, "\(run.output)")
    #expect(run.progress.first?.contains("at most 50 s") == true)
    #expect(run.output.contains("try more: --budget"))
    let short = try await folder.zoombench(
      "verify", "--systems", "peek", "--laws", "FZ-P1", "--budget", "1s", "--format", "json")
    // A case in progress at the end of the time is completed.
    let law = try #require(try short.result().rows.first?.law)
    #expect(law.cases > 300 && law.seconds < 20)
    #expect(!short.output.contains("try more"))
  }

  @Test func `a second try replaces the first only if it decides more`() {
    let first = Samples.law("FZ-P1", verdict: .undecided)
    var untried = first
    untried.cases = 0
    var longer = first
    longer.cases += 1
    let decided = Samples.law("FZ-P1", verdict: .broken)
    #expect(!VerifyRunner.saysMore(untried, than: first))
    #expect(VerifyRunner.saysMore(longer, than: first))
    #expect(VerifyRunner.saysMore(decided, than: first))
  }
}
