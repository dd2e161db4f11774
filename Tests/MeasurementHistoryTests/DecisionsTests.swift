import MeasurementHistory
import Testing

@Suite struct HistoryDecisionsTests {
  private static func baseline(_ commit: String, second: Int, reason: String = "a release")
    -> Baseline
  {
    Baseline(
      commit: commit, reason: reason, decidedAt: "2027-01-15T08:00:0\(second)Z", decidedBy: "me")
  }

  private static func step(_ run: String, case name: String = "peek", reason: String = "wanted")
    -> Acceptance
  {
    Acceptance(
      name: name, run: run, reason: reason, decidedAt: "2027-01-15T08:00:00Z", decidedBy: "me")
  }

  @Test func `the baseline is the one that was pinned last, and former ones are kept`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store()
    #expect(try store.baseline() == nil)
    let (first, second) = (Self.baseline("one", second: 1), Self.baseline("two", second: 2))
    #expect(try store.bless(first) == nil)
    #expect(try store.bless(second) == first)
    #expect(try store.baseline() == second)
    #expect(try store.baselines() == [first, second])
  }

  @Test func `a baseline needs a reason, a commit, and a clock that goes forward`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store()
    try store.bless(Self.baseline("one", second: 5))
    for wrong in [
      Self.baseline("two", second: 6, reason: " "), Self.baseline("", second: 6),
      Self.baseline("two", second: 5), Self.baseline("two", second: 4),
    ] {
      #expect(throws: HistoryError.self) { try store.bless(wrong) }
    }
    #expect(try store.baselines().count == 1)
  }

  @Test func `a step is accepted for an existing case of an existing run, with a reason`() throws {
    let folder = try HistoryFolder()
    let run = PlainRun.make(1)
    let store = try folder.store("history", [run])
    let step = Self.step(run.id)
    try store.accept(step)
    #expect(try store.acceptances() == [step])
    #expect(throws: HistoryError.noSuchRun("none")) { try store.accept(Self.step("none")) }
    #expect(throws: HistoryError.noSuchCase("poke", run: run.id)) {
      try store.accept(Self.step(run.id, case: "poke"))
    }
    #expect(throws: HistoryError.self) { try store.accept(Self.step(run.id, reason: "")) }
    #expect(try store.acceptances() == [step])
  }
}
