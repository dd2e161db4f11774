import Measurement
import MeasurementHistory
import PropertyTesting
import PropertyTestingBridge
import Testing

@Suite struct RunRecordProblemTests {
  @Test func `each broken rule is named`() throws {
    let breaches: [((inout RunRecord) -> Void, String)] = [
      ({ $0.id = "" }, "id"), ({ $0.id = "00000000-0000-0000-0000-00000000000g" }, "id"),
      ({ $0.id += "0" }, "id"), ({ $0.startedAt = "yesterday" }, "startedAt"),
      ({ $0.startedAt = "2027-01-15T08:00:00+01:00" }, "startedAt"),
      ({ $0.revision.committedAt = "" }, "committedAt"), ({ $0.revision.commit = "" }, "commit"),
      ({ $0.revision.commit = "a\u{1B}[2J" }, "commit"), ({ $0.baseline = "a b" }, "baseline"),
      ({ $0.machine.loadAverages = [.nan] }, "load average"), ({ $0.tool = "a\0b" }, "zero"),
      ({ $0.contamination = ["a\0b"] }, "zero"), ({ $0.cases[0].name = "" }, "name"),
      ({ $0.cases[0].counters = ["\0": 1] }, "zero"),
      ({ $0.cases.append($0.cases[0]) }, "two cases named peek"),
      ({ $0.cases[0].cpuToControl?.value = .nan }, "cpuToControl"),
      ({ $0.cases[0].cpuToControl?.value = 0 }, "cpuToControl"),
      ({ $0.cases[0].cpuToControl?.upper = .infinity }, "cpuToControl"),
      ({ $0.cases[0].wallToControl = .init(value: 1, lower: 2, upper: 1) }, "wrong order"),
      ({ $0.baseline = nil }, "no baseline"),
    ]
    for (breach, word) in breaches {
      var run = PlainRun.make(1, baseline: "base")
      #expect(run.problem == nil)
      breach(&run)
      #expect(try #require(run.problem, "\(word)").contains(word))
    }
  }
}

@Suite struct RunRecordIdentityTests {
  @Test(.property(cases: 200))
  func `an id is a UUID that history accepts, and differs for another text`() async {
    await expectForAll(Gen<String>.anyString(), Gen<String>.anyString()) { one, other in
      let ids = [one, other].map { RunRecord.id(ofText: $0.utf8) }
      var run = PlainRun.make(1)
      run.id = ids[0]
      try Property.require(run.problem == nil, ids[0])
      try Property.require(Array(ids[0])[14] == "8" && "89ab".contains(Array(ids[0])[19]))
      try Property.require((ids[0] == ids[1]) == (Array(one.utf8) == Array(other.utf8)))
    }
  }

  @Test func `only whole hashes are object names`() {
    #expect(RunRecord.isObjectName(String(repeating: "a", count: 40)))
    #expect(!RunRecord.isObjectName("abc1234"))
    #expect(!RunRecord.isObjectName(String(repeating: "g", count: 40)))
  }
}
