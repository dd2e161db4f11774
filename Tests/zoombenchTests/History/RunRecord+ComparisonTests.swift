import Measurement
import MeasurementHistory
import Testing

@testable import zoombench

@Suite struct RunRecordComparisonTests {
  private static let revision = RunRecord.Revision(commit: "candidate")

  private static func run(
    _ result: RunResult, baseline: String? = "base"
  ) throws -> RunRecord {
    try RunRecord(result, revision: revision, baseline: baseline)
  }

  @Test func `only cases under test are kept, as ratios to the control's medians`() throws {
    let run = try Self.run(
      Samples.result(
        contamination: ["the control moved"],
        cases: [
          Samples.item("peek", .gated, candidate: 300, ratio: 1.25, repeats: 7),
          Samples.item("frozen", .control, candidate: 1200),
          Samples.item("same", .sameBuild, candidate: 5),
          Samples.item("canary", .canary, candidate: 5),
        ]))
    #expect(run.problem == nil)
    #expect(run.cases.map(\.name) == ["peek"])
    #expect(run.cases[0].cpuToControl?.value == 0.25)
    #expect(run.cases[0].wallToControl?.value == 0.25)
    #expect(run.cases[0].cpuToBaseline?.value == 1.25)
    // Per single run of the work, whatever the number of repeats.
    #expect(run.cases[0].cpuNanoseconds == [[300, 300], [300, 300]])
    #expect(run.cases[0].wallNanoseconds == [[600, 600], [600, 600]])
    #expect(run.contamination == ["the control moved"])
    #expect((run.baseline, run.tool) == ("base", "worker 1"))
  }

  @Test func `ratios to another base than the pinned one are not kept`() throws {
    let cases = [Samples.item("peek", .gated, candidate: 1)]
    for (result, baseline) in [
      (Samples.result(base: "other", cases: cases), "base"),
      (Samples.result(base: nil, cases: cases), "base"),
      (Samples.result(isBaseDirty: true, cases: cases), "base"),
      (Samples.result(cases: cases), nil),
      (Samples.result(base: nil, cases: cases), nil),
    ] {
      let run = try Self.run(result, baseline: baseline)
      #expect(run.baseline == nil && run.cases[0].cpuToBaseline == nil)
      #expect(run.problem == nil)
    }
  }

  @Test func `a case that was measured twice keeps the second ratios`() throws {
    var item = Samples.item("peek", .gated, candidate: 300, ratio: 1.25)
    item.confirmed = Samples.estimate(1.05)
    item.confirmation = Samples.item("peek", .gated, candidate: 1998).launches
    let kept = try Self.run(Samples.result(cases: [item])).cases[0]
    #expect(kept.cpuToBaseline?.value == 1.05)
    // Its launches take 1,998 ns, and 999 ns in the base.
    #expect(abs((kept.wallToBaseline?.value ?? 0) - 2) < 1e-9)
  }

  @Test func `only steady counts are kept, and no peak of memory, which is never exact`() throws {
    let item = Samples.item(
      "peek", .gated, candidate: 1,
      counters: ["bytes": 7, "allocations": 9, "peak memory": 9], unsteady: ["allocations"])
    #expect(
      try Self.run(Samples.result(cases: [item])).cases[0].counters == ["bytes": 7])
  }

  @Test func `a case without a launch is omitted, and one without a pair has no ratio`() throws {
    var none = Samples.item("none", .gated, candidate: 1)
    none.launches = []
    (none.cpu.pairs, none.wall.pairs) = (0, 0)
    var empty = Samples.item("empty", .gated, candidate: 1, counters: ["bytes": 7])
    (empty.cpu.pairs, empty.wall.pairs) = (0, 0)
    for index in empty.launches.indices {
      empty.launches[index].candidate.cpuNanoseconds = []
      empty.launches[index].candidate.wallNanoseconds = []
    }
    let run = try Self.run(
      Samples.result(cases: [
        none, empty, Samples.item("frozen", .control, candidate: 5),
      ]))
    #expect(run.problem == nil)
    #expect(run.cases.map(\.name) == ["empty"])
    #expect(run.cases[0].cpuToBaseline == nil && run.cases[0].wallToBaseline == nil)
    #expect(run.cases[0].cpuToControl == nil && run.cases[0].counters == ["bytes": 7])
  }

  @Test func `equal results have one id, and different results two`() throws {
    let cases = [Samples.item("peek", .gated, candidate: 1)]
    let runs = try [0, 0, 1].map { try Self.run(Samples.result(second: $0, cases: cases)) }
    #expect(runs[0] == runs[1])
    #expect(runs[0].id != runs[2].id)
  }

  @Test func `a launch without repeats is refused`() throws {
    let item = Samples.item("peek", .gated, candidate: 1, repeats: 0)
    #expect(throws: Failure.self) { try Self.run(Samples.result(cases: [item])) }
  }

  @Test func `samples without a control, or too short for the clock, give no ratio`() throws {
    for candidate in [UInt64(0), 5] {
      let cases =
        [Samples.item("peek", .gated, candidate: candidate)]
        + (candidate == 0 ? [Samples.item("frozen", .control, candidate: 5)] : [])
      let run = try Self.run(Samples.result(cases: cases))
      #expect(run.cases[0].cpuToControl == nil)
    }
  }
}
