import MeasurementHistory
import PropertyTesting
import Testing

@Suite struct HistoryLinesTests {
  private static func decide(in store: HistoryStore) throws {
    try store.bless(
      Baseline(
        commit: "base", reason: "a release", decidedAt: "2027-01-15T08:00:00Z", decidedBy: "me"))
    guard let run = try store.everything().first(where: { !$0.cases.isEmpty }) else { return }
    try store.accept(
      Acceptance(
        name: run.cases[0].name, run: run.id, reason: "wanted",
        decidedAt: "2027-01-15T08:00:01Z", decidedBy: "me"))
  }

  @Test func `a history comes through an export unchanged, and twice is as good as once`() async {
    let report = await Property.check(
      "lines", Gen<RunRecord>.histories(0...4), settings: PropertySettings(cases: 40, seed: 1)
    ) { runs, _ in
      let folder = try HistoryFolder()
      let store = try folder.store("one", runs)
      try Self.decide(in: store)
      let text = try store.exported()
      let other = try folder.store("other")
      let first = try other.importLines(Array(text.utf8))
      try Property.require(first.added == runs.count && first.known == 0)
      try Property.require(try other.everything() == store.everything())
      try Property.require(try other.exported() == text)
      let second = try other.importLines(Array(text.utf8))
      try Property.require(second.added == 0 && second.known == runs.count)
      try Property.require(try other.exported() == text)
      try Property.require(try other.check() == runs.count)
    }
    #expect(report.verdict == .passed, "\(report)")
  }

  @Test func `histories merge to the same whichever comes first`() async {
    let report = await Property.check(
      "merge", Gens.zip(Gen<RunRecord>.histories(0...5), Gen<Int>.integer(in: 0...5)),
      settings: PropertySettings(cases: 40, seed: 1)
    ) { input, _ in
      let (runs, cut) = input
      let folder = try HistoryFolder()
      // Both hold the run in the middle.
      let one = try folder.store("one", Array(runs.prefix(cut + 1)))
      let other = try folder.store("other", Array(runs.dropFirst(cut)))
      try Self.decide(in: one)
      let texts = try [one.exported(), other.exported()]
      let there = try folder.store("there")
      for text in texts { _ = try there.importLines(Array(text.utf8)) }
      let back = try folder.store("back")
      for text in texts.reversed() { _ = try back.importLines(Array(text.utf8)) }
      try Property.require(try there.exported() == back.exported())
      try Property.require(try there.everything().count == runs.count)
    }
    #expect(report.verdict == .passed, "\(report)")
  }

  @Test func `a damaged line is refused with its number, and nothing of the file is kept`() throws {
    let folder = try HistoryFolder()
    let text = try folder.store("sound", (1...4).map { PlainRun.make($0) }).exported()
    let lines = text.split(separator: "\n").map(String.init)
    let breaches: [(Int, String)] = [
      (1, ""), (1, #"{"schema":"zoombench.history/9","baselines":[],"acknowledgements":[]}"#),
      (2, ""), (3, "{}"), (4, String(lines[3].dropLast(9))), (5, lines[4] + "x"),
      (2, lines[1].replacing("08:00", with: "8:00")), (5, lines[1].replacing("c1", with: "c2")),
      (3, String(repeating: "[", count: 100_000)),
    ]
    for (number, line) in breaches {
      var damaged = lines
      damaged[number - 1] = line
      let store = try folder.store("target")
      let error = #expect(throws: HistoryError.self) {
        try store.importLines(Array((damaged.joined(separator: "\n") + "\n").utf8))
      }
      guard case .badLine(number, _) = error else {
        Issue.record("line \(number): \(String(describing: error))")
        continue
      }
      #expect(try store.check() == 0)
    }
    #expect(throws: HistoryError.badLine(1, reason: "there is no header")) {
      try folder.store("target").importLines([])
    }
  }

  @Test func `an accepted step of a run that does not come along is refused`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store("one", [PlainRun.make(1)])
    try Self.decide(in: store)
    let header = try #require(store.exported().split(separator: "\n").first)
    let other = try folder.store("other")
    #expect(throws: HistoryError.self) { try other.importLines(Array(header.utf8)) }
    #expect(try other.baselines().isEmpty)
  }
}
