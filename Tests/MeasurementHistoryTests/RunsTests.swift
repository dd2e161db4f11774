import MeasurementHistory
import PropertyTesting
import PropertyTestingBridge
import Testing

@Suite struct HistoryRunsTests {
  @Test(.property(cases: 60)) func `a run is read as it was written`() async {
    await expectForAll(Gen<RunRecord>.runs) { run in
      let folder = try HistoryFolder()
      try Property.require(try folder.store().append(run), "it is new")
      // Opened again, so that the run is read from the file.
      let store = try folder.store()
      try Property.require(try store.run(id: run.id) == run)
      try Property.require(try !store.append(run), "it is there")
      try Property.require(try store.check() == 1)
    }
  }

  @Test(.property(cases: 30))
  func `the order of runs does not depend on the order in which they came`() async {
    let histories = Gen<RunRecord>.histories(0...5).flatMap { runs in
      Gens.zip(.constant(runs), Gen<[RunRecord]>.permutation(of: runs))
    }
    await expectForAll(histories) { input in
      let (runs, permuted) = input
      let folder = try HistoryFolder()
      let one = try folder.store("one", runs).everything()
      try Property.require(try folder.store("other", permuted).everything() == one)
      let keys = one.map { $0.revision.committedAt ?? $0.startedAt }.map { $0.dropLast() }
      try Property.require(keys == keys.sorted(), "in the order of commits")
    }
  }

  @Test func `another run of the same id is refused, in whatever case the id is written`() throws {
    let folder = try HistoryFolder()
    var run = PlainRun.make(10)
    let store = try folder.store("history", [run])
    #expect(run.id.hasSuffix("a"))
    run.id = run.id.uppercased()
    #expect(throws: HistoryError.conflict(id: run.id)) { try store.append(run) }
    #expect(try store.runs().count == 1)
  }

  @Test func `one measurement is refused under another commit, and no other is`() throws {
    let folder = try HistoryFolder()
    var run = PlainRun.make(1, cases: ["empty", "peek"])
    run.cases[1].cpuNanoseconds = [[7, 8], [9]]
    let store = try folder.store("history", [run])
    var again = run
    (again.id, again.revision.commit) = (PlainRun.make(2).id, "c2")
    let refusal = HistoryError.sameMeasurement(id: again.id, known: run.id, commit: "c1")
    #expect(throws: refusal) { try store.append(again) }
    // Another pinned baseline does not make it another measurement.
    var blessed = again
    blessed.baseline = "base"
    blessed.cases[1].cpuToBaseline = RunRecord.Ratio(value: 1)
    #expect(throws: refusal) { try store.append(blessed) }
    #expect(try store.check() == 1)
    // A history that has both runs already is added completely.
    let other = try folder.store("other", [again])
    #expect(try other.add(contentsOf: store).added == 1)
    let changes: [(inout RunRecord) -> Void] = [
      { $0.cases[1].cpuNanoseconds[0][0] = 6 }, { $0.cases[1].wallNanoseconds = [[5]] },
      { $0.startedAt = "2027-01-15T08:00:02Z" }, { $0.cases[1].name = "other" },
      { $0.cases[1].cpuNanoseconds = [] },
    ]
    for (number, change) in changes.enumerated() {
      var other = again
      other.id = PlainRun.make(UInt64(10 + number)).id
      change(&other)
      #expect(try store.append(other))
    }
  }

  @Test func `a prefix finds one run, or says why not`() throws {
    let folder = try HistoryFolder()
    let runs = [PlainRun.make(10), PlainRun.make(11)]
    let store = try folder.store("history", runs)
    #expect(try store.run(idPrefix: runs[0].id.uppercased()) == runs[0])
    #expect(throws: HistoryError.ambiguousRun("0000", matches: runs.map(\.id))) {
      try store.run(idPrefix: "0000")
    }
    for text in ["1", "%", "", runs[0].id + "0"] {
      #expect(throws: HistoryError.noSuchRun(text)) { try store.run(idPrefix: text) }
    }
  }

  @Test func `a refused run leaves no rows`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store()
    var run = PlainRun.make(1)
    run.cases.append(run.cases[0])
    let problem = try #require(run.problem)
    #expect(throws: HistoryError.invalidRun(id: run.id, reason: problem)) { try store.append(run) }
    #expect(try store.check() == 0)
    #expect(try store.machines().isEmpty)
  }
}
