import MeasurementHistory
import PropertyTesting
import PropertyTestingBridge
import Testing

@Suite struct AddedHistoryTests {
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

  /// Requires that two histories have the same runs and decisions.
  private static func requireEqual(_ one: HistoryStore, _ other: HistoryStore) throws {
    try Property.require(try one.everything() == other.everything())
    try Property.require(try one.baselines() == other.baselines())
    try Property.require(try one.acceptances() == other.acceptances())
  }

  @Test(.property(cases: 40))
  func `a history is added unchanged, and adding it again changes nothing`() async {
    await expectForAll(Gen<RunRecord>.histories(0...4)) { runs in
      let folder = try HistoryFolder()
      let store = try folder.store("one", runs)
      try Self.decide(in: store)
      let other = try folder.store("other")
      try Property.require(try other.add(contentsOf: store) == (runs.count, 0))
      try Self.requireEqual(other, store)
      try Property.require(try other.add(contentsOf: store) == (0, runs.count))
      try Property.require(try store.add(contentsOf: store) == (0, runs.count))
      try Self.requireEqual(other, store)
      try Property.require(try other.check() == runs.count)
    }
  }

  @Test(.property(cases: 40))
  func `histories merge to the same whichever comes first`() async {
    await expectForAll(Gen<RunRecord>.histories(0...5), Gen<Int>.integer(in: 0...5)) { runs, cut in
      let folder = try HistoryFolder()
      // Both hold the run in the middle.
      let one = try folder.store("one", Array(runs.prefix(cut + 1)))
      let other = try folder.store("other", Array(runs.dropFirst(cut)))
      try Self.decide(in: one)
      let (there, back) = (try folder.store("there"), try folder.store("back"))
      for store in [one, other] { _ = try there.add(contentsOf: store) }
      for store in [other, one] { _ = try back.add(contentsOf: store) }
      try Self.requireEqual(there, back)
      try Property.require(try there.everything().count == runs.count)
    }
  }

  @Test func `a conflict is refused with the run's id, and no run of that history is added`() throws
  {
    let folder = try HistoryFolder()
    let store = try folder.store("one", [PlainRun.make(1)])
    var changed = PlainRun.make(1)
    changed.revision.commit = "c2"
    let other = try folder.store("other", [PlainRun.make(0), changed])
    try Self.decide(in: other)
    #expect(throws: HistoryError.conflict(id: changed.id)) { try store.add(contentsOf: other) }
    #expect(try store.everything() == [PlainRun.make(1)])
    #expect(try store.baselines().isEmpty)
  }
}
