import Foundation
import Measurement
import MeasurementHistory
import SystemPackage
import Testing

@testable import zoombench

@Suite struct HistoryCommandTests {
  private static func history(_ folder: TestFolder, _ words: String...) async throws -> CommandRun {
    try await folder.zoombench(["history"] + words + ["--history", "history.sqlite"])
  }

  private static func place(_ result: RunResult, as name: String, in folder: TestFolder) throws {
    try folder.write(try JSONEncoder.report.encode(result), to: name)
  }

  private static let commit = String(repeating: "ab", count: 20)
  private static var result: RunResult {
    let item = Samples.item("peek", .gated, candidate: 5, counters: ["bytes": 7])
    return Samples.result(commit: commit, base: commit, cases: [item])
  }

  @Test func `a result is added once, is listed, and is added with its history`() async throws {
    let folder = try TestFolder()
    try Self.place(Self.result, as: "result.json", in: folder)
    let blessed = try await Self.history(folder, "bless", Self.commit, "--reason", "a release")
    #expect(blessed.code == 0 && blessed.output.contains("before: none"))
    let added = try await Self.history(folder, "add", "result.json")
    #expect(added.code == 0)
    let id = try #require(added.output.split(whereSeparator: \.isWhitespace).last)
    let again = try await Self.history(folder, "add", "result.json")
    #expect(again.output == "known already: run \(id)\n")
    #expect(try await Self.history(folder, "list").output.contains("abababab"))
    let shown = try await Self.history(folder, "list", String(id.prefix(6)), "--format", "json")
    let run = try JSONDecoder().decode(RunRecord.self, from: Data(shown.output.utf8))
    #expect(run.cases[0].cpuToBaseline?.value == 1 && run.baseline == Self.commit)
    for line in ["added: 1 run, 0 known already\n", "added: 0 runs, 1 known already\n"] {
      let gathered = try await folder.zoombench(
        "history", "add", "history.sqlite", "--history", "copy.sqlite")
      #expect(gathered.output == line)
    }
    let copy = try await folder.zoombench("history", "list", "--history", "copy.sqlite")
    #expect(try await Self.history(folder, "list").output == copy.output)
  }

  @Test func `the name of an unknown counter is wrong usage`() async throws {
    let folder = try TestFolder()
    try Self.place(Self.result, as: "result.json", in: folder)
    _ = try await Self.history(folder, "add", "result.json")
    let unknown = try await Self.history(
      folder, "gate", "--all-machines", "--allow-counter", "nope")
    #expect(unknown.code == 64 && unknown.errors.contains("nope (use bytes)"))
    let known = try await Self.history(folder, "gate", "--all-machines", "--allow-counter", "bytes")
    #expect(known.code == 0)
  }

  @Test func `a series is of one machine, named by the start of its fingerprint`() async throws {
    let folder = try TestFolder()
    try Self.place(Self.result, as: "result.json", in: folder)
    _ = try await Self.history(folder, "add", "result.json")
    let machine = Samples.machine().fingerprint
    let run = try await Self.history(
      folder, "series", "peek", "--measure", "bytes", "--machine", String(machine.prefix(7)))
    #expect(run.code == 0 && run.output.contains("1 run, 7 to 7\n  ▄\n"))
  }

  @Test func `each error is one line and an exit code`() async throws {
    let folder = try TestFolder()
    try Self.place(
      Samples.result(commit: nil, cases: []), as: "nameless.json", in: folder)
    try folder.write(Array(#"{"schema":"other/1"}"#.utf8), to: "other.json")
    try folder.write(Array("{}".utf8), to: "bad.json")
    try folder.write(Array("SQLite format 3\0, cut short".utf8), to: "bad.sqlite")
    _ = try HistoryStore(path: folder.file("empty.sqlite").string, createsFile: true)
    let calls: [(words: [String], code: Int32, word: String?)] = [
      (["history", "gate"], 66, "no such history"), (["history", "list"], 66, "no such history"),
      (["history", "add", "none.json"], 66, "none.json"),
      (["history", "add", "other.json"], 65, "other/1"),
      (["history", "add", "bad.json"], 65, "not a result"),
      (["history", "add", "bad.sqlite"], 65, "bad.sqlite"),
      (["history", "add", "empty.sqlite", "--commit", "c"], 64, "not for a history"),
      (["history", "add", "nameless.json"], 65, "--commit"),
      (["history", "bless", "no-such-revision", "--reason", "x"], 66, "git"),
      (["history", "bless", Self.commit, "--reason", " "], 64, "--reason"),
      (["history", "list"], 66, "no such history"),
      (["history", "add", "empty.sqlite"], 0, nil),
      (["history", "list", "0"], 66, "lacks run 0"),
      (["history", "accept", "peek", "0", "--reason", "x"], 66, "lacks run 0"),
      (["history", "series", "peek"], 66, "lacks case peek"),
      (["history", "gate", "--machine", "0"], 66, "lacks machine 0"),
      (["history", "gate", "--strict"], 2, "lacks runs"),
      (["history", "gate"], 0, nil),
      (["history", "gate", "--all-machines"], 0, nil),
      (["history", "gate", "--all-machines", "--machine", "0"], 64, "exclude each other"),
    ]
    for call in calls {
      let run = try await folder.zoombench(call.words + ["--history", "history.sqlite"])
      #expect(run.code == call.code, "\(call.words)")
      #expect(run.errorLines.count == (call.word == nil ? 0 : 1), "\(run.errors)")
      if let word = call.word { #expect(run.errors.contains(word), "\(run.errors)") }
    }
    try folder.write(Array("no database at all, but text".utf8), to: "damaged.sqlite")
    let damaged = try await folder.zoombench("history", "gate", "--history", "damaged.sqlite")
    #expect(damaged.code == 65 && damaged.errors.contains("damaged"))
  }

  @Test func `a command that fails leaves no new history`() async throws {
    let folder = try TestFolder()
    try folder.write(Array("SQLite format 3\0, cut short".utf8), to: "bad.sqlite")
    _ = try HistoryStore(path: folder.file("empty.sqlite").string, createsFile: true)
    // A well-formed result with an impossible date.
    var result = Self.result
    result.startedAt = "2026-13-45T00:00:00Z"
    try Self.place(result, as: "undated.json", in: folder)
    for words in [
      ["add", "bad.sqlite"], ["add", "undated.json"],
      ["bless", Self.commit, "--reason", " "],
    ] {
      let run = try await folder.zoombench(
        ["history"] + words + ["--history", "some/folder/history.sqlite"])
      #expect(run.code != 0)
      let names = try folder.names()
      #expect(!names.contains { $0.hasSuffix("history.sqlite") }, "\(words)")
    }
    // A failed command also keeps an existing history unchanged.
    let history = ["--history", "some/folder/history.sqlite"]
    #expect(try await folder.zoombench(["history", "add", "empty.sqlite"] + history).code == 0)
    let before = try folder.names()
    #expect(try await folder.zoombench(["history", "add", "bad.sqlite"] + history).code == 65)
    #expect(try folder.names() == before)
  }

  @Test func `a result is refused under a second commit`() async throws {
    let folder = try TestFolder()
    try Self.place(Self.result, as: "result.json", in: folder)
    let added = try await Self.history(folder, "add", "result.json")
    let id = try #require(added.output.split(whereSeparator: \.isWhitespace).last)
    let other = String(repeating: "cd", count: 20)
    let again = try await Self.history(folder, "add", "result.json", "--commit", other)
    #expect(again.code == 65)
    #expect(
      again.errorLines.count == 1 && again.errors.contains("run \(id) of commit \(Self.commit)"))
    // The same samples at another time are another measurement.
    var later = Self.result
    later.startedAt = "2027-01-15T09:00:00Z"
    try Self.place(later, as: "later.json", in: folder)
    #expect(
      try await Self.history(folder, "add", "later.json", "--commit", other).code == 0)
  }

  @Test func `the environment variable names the file without the option`() async throws {
    let folder = try TestFolder()
    try Self.place(Self.result, as: "result.json", in: folder)
    let added = try await folder.zoombench(
      ["history", "add", "result.json"], environment: ["ZOOMBENCH_HISTORY": "there/h.sqlite"])
    #expect(added.code == 0)
    #expect(try folder.names().contains("work/there/h.sqlite"))
  }
}
