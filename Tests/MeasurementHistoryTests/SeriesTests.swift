import Measurement
import MeasurementHistory
import PropertyTesting
import PropertyTestingBridge
import Testing

@Suite struct HistorySeriesTests {
  @Test(.property(cases: 60))
  func `a series has trusted runs of one machine, and each segment one baseline`() async {
    let measures: [Measure] = [.cpuToBaseline, .wallToBaseline, .cpuToControl, .counter("bytes")]
    await expectForAll(Gen<RunRecord>.histories(0...8), Gen.element(of: measures)) {
      drawn, measure in
      // One case and two baselines, so that several runs are in one series and segment.
      let runs = drawn.enumerated().map { number, run in
        var run = run
        run.cases = run.cases.prefix(1).map { item in
          var item = item
          item.name = "peek"
          item.counters["bytes"] = number
          return item
        }
        if run.baseline != nil { run.baseline = number % 3 == 0 ? "a" : "b" }
        return run
      }
      let folder = try HistoryFolder()
      let store = try folder.store("history", runs)
      let byID = Dictionary(uniqueKeysWithValues: runs.map { ($0.id, $0) })
      var seen: [String] = []
      for machine in try store.machines() {
        let series = try store.series(case: "peek", measure: measure, machine: machine)
        for exclusion in series.excluded { seen.append(exclusion.run) }
        for segment in series.segments {
          for point in segment.points {
            let run = try #require(byID[point.run])
            seen.append(run.id)
            try Property.require(run.machine.fingerprint == machine)
            try Property.require(run.contamination.isEmpty && !run.revision.isDirty)
            try Property.require(!measure.refersToBaseline || run.baseline == segment.baseline)
          }
        }
        let baselines = series.segments.map(\.baseline)
        try Property.require(Set(baselines).count == baselines.count)
      }
      let expected = runs.filter { run in
        run.cases.contains { item in
          if case .counter(let name) = measure {
            item.counters[name] != nil
          } else {
            item[measure] != nil
          }
        }
      }
      try Property.require(seen.sorted() == expected.map(\.id).sorted(), "each value once")
    }
  }

  @Test func `values come in the order of commits, and the newest run's baseline is last`() throws {
    let folder = try HistoryFolder()
    var late = PlainRun.make(3, baseline: "old")
    late.revision.committedAt = "2027-01-15T07:00:00Z"
    let store = try folder.store(
      "history",
      [late, PlainRun.make(5, baseline: "new"), PlainRun.make(2, baseline: "old")])
    let machine = PlainRun.machine().fingerprint
    let series = try store.series(case: "peek", measure: .cpuToBaseline, machine: machine)
    #expect(series.segments.map(\.baseline) == ["old", "new"])
    #expect(series.segments.map { $0.points.map(\.revision.commit) } == [["c3", "c2"], ["c5"]])
    let control = try store.series(case: "peek", measure: .cpuToControl, machine: machine)
    #expect(control.segments.map { $0.points.map(\.value) } == [[1.03, 1.02, 1.05]])
    // The newest run went back to an old baseline.
    try store.append(PlainRun.make(6, baseline: "old"))
    let back = try store.series(case: "peek", measure: .cpuToBaseline, machine: machine)
    #expect(back.segments.map(\.baseline) == ["new", "old"])
    #expect(back.segments.map { $0.points.map(\.value) } == [[1.05], [1.03, 1.02, 1.06]])
  }

  @Test func `excluded runs have a reason`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store(
      "history",
      [PlainRun.make(1, isDirty: true), PlainRun.make(2, contamination: ["the control moved"])])
    let series = try store.series(
      case: "peek", measure: .cpuToControl, machine: PlainRun.machine().fingerprint)
    #expect(series.segments.isEmpty)
    #expect(
      series.excluded.map(\.reason) == [
        "dirty: it was built from files that were not committed", "contaminated: the control moved",
      ])
  }

  @Test func `the cases of a machine are named once each`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store(
      "history",
      [
        PlainRun.make(1, cases: ["b", "a"]), PlainRun.make(2, cases: ["a"]),
        PlainRun.make(3, machine: "two", cases: ["c"]),
      ])
    #expect(try store.caseNames(machine: PlainRun.machine().fingerprint) == ["a", "b"])
  }
}
