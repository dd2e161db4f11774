import Measurement
import Testing

@Suite struct WorkerServerTests {
  struct Noting: WorkerSubject {
    final class Notes {
      var lines: [String] = []
    }
    struct Broken: Error {}

    let notes: Notes
    var digest: String? = "ab"
    var counts: [String: Int] = [:]

    mutating func prepare(round: Int) throws {
      if round == 13 { throw Broken() }
      notes.lines.append("prepare \(round)")
    }
    func run(round: Int, extra: Int) -> Int {
      notes.lines.append("run \(round) \(extra)")
      return round
    }
    func digest(of answer: Int) -> String? {
      notes.lines.append("digest \(answer)")
      return digest
    }
    mutating func counters(round: Int) -> [String: Int] { counts }
  }

  /// Returns a server of one case whose wall clock advances by one per reading, and its CPU clock by two.
  static func server(_ subject: Noting, memory: UInt64? = nil) -> WorkerServer {
    final class Ticks: @unchecked Sendable { var now: UInt64 = 0 }
    let (wall, cpu) = (Ticks(), Ticks())
    return WorkerServer(
      tool: "test", cases: [WorkerCase(name: "a") { subject }],
      stopwatch: Stopwatch(
        wall: {
          wall.now += 1
          return wall.now
        },
        cpu: {
          cpu.now += 2
          return cpu.now
        }), memory: { memory })
  }

  @Test func `a control and a canary are added unless the author has them`() {
    func roles(_ own: [WorkerCase.Role]) -> [WorkerCase.Role]? {
      var server = WorkerServer(
        tool: "test",
        cases: own.map { role in WorkerCase(name: "\(role)", role: role) { ControlWork() } })
      guard case .hello(let listing)? = server.answer(to: "hello 1") else { return nil }
      return listing.cases.map(\.role)
    }
    #expect(roles([]) == [.control, .canary])
    #expect(roles([.canary, .control]) == [.canary, .control])
  }

  @Test func `a sample prepares once, runs as often as requested, and digests the last answer`() {
    let notes = Noting.Notes()
    var server = Self.server(Noting(notes: notes))
    // Opening and the first run are two measurements of one tick each.
    #expect(
      server.answer(to: "open 0") == .opened(Elapsed(wallNanoseconds: 2, cpuNanoseconds: 4)))
    #expect(notes.lines == ["prepare 0", "run 0 0", "digest 0"])
    notes.lines = []
    #expect(
      server.answer(to: "sample 0 7 3 50")
        == .sample(Elapsed(wallNanoseconds: 1, cpuNanoseconds: 2), digest: "ab"))
    #expect(notes.lines == ["prepare 7", "run 7 50", "run 7 50", "run 7 50", "digest 7"])
  }

  @Test func `an impossible request is answered by an error, and the next one is served`() {
    let notes = Noting.Notes()
    var server = Self.server(Noting(notes: notes, digest: "xyz", counts: ["a": -1]))
    func isError(_ line: String) -> Bool {
      if case .error? = server.answer(to: line) { true } else { false }
    }
    #expect(isError("sample 0 1 1 0"), "not open")
    #expect(isError("count 0 1"), "not open")
    #expect(isError("open 3"), "there are three cases")
    #expect(isError("open 9223372036854775807"))
    #expect(isError("what"))
    #expect(isError(""))
    guard case .opened? = server.answer(to: "open 0") else {
      Issue.record("not opened")
      return
    }
    #expect(isError("sample 0 1 1 0"), "no digest")
    #expect(isError("sample 0 13 1 0"), "thrown")
    #expect(isError("count 0 1"), "negative")
    guard case .hello? = server.answer(to: "hello 1") else {
      Issue.record("no hello")
      return
    }
    #expect(server.answer(to: "quit") == nil)
  }

  @Test func `the peak of memory is among the counts if it is known`() {
    func counts(_ own: [String: Int], _ memory: UInt64?) -> WorkerAnswer? {
      var server = Self.server(Noting(notes: Noting.Notes(), counts: own), memory: memory)
      _ = server.answer(to: "open 0")
      return server.answer(to: "count 0 1")
    }
    #expect(counts(["a": 1], 5120) == .counters(["a": 1, "peak memory": 5120]))
    #expect(counts(["a": 1], nil) == .counters(["a": 1]))
    #expect(counts(["peak memory": 3], 5120) == .counters(["peak memory": 3]))
  }
}

@Suite struct ControlWorkTests {
  static func digest(_ work: inout ControlWork, round: Int, extra: Int = 0) -> String? {
    // In two steps, because the digest uses the state of `work` after the run.
    let rows = work.run(round: round, extra: extra)
    return work.digest(of: rows)
  }

  @Test func `the work is frozen`() throws {
    // If this fails, the control has changed: revert that, or make a new one with a new name.
    var work = ControlWork()
    let digests = [0, 1, 1_000_000].map { Self.digest(&work, round: $0) }
    #expect(digests == ["591b91631f95de7d", "142f3f67529d21f4", "746aa3879887d322"])
  }

  @Test(arguments: [0, 25, 1000])
  func `extra work is done in full rows and changes no answer`(extra: Int) {
    var work = ControlWork()
    let plain = Self.digest(&work, round: 5)
    let rows = work.run(round: 5, extra: extra)
    #expect(rows * 1000 == ControlWork.rows * (1000 + extra))
    #expect(work.digest(of: rows) == plain)
  }
}
