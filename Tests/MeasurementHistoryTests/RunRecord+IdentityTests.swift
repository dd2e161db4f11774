import MeasurementHistory
import PropertyTesting
import Testing

@Suite struct RunRecordIdentityTests {
  @Test func `an id is a UUID that history takes, and another for another text`() async {
    let texts = Gens.zip(Gen<String>.anyString(), Gen<String>.anyString())
    let report = await Property.check("ids", texts, settings: PropertySettings(cases: 200, seed: 1))
    {
      texts, _ in
      let ids = [texts.0, texts.1].map { RunRecord.id(ofText: $0.utf8) }
      var run = PlainRun.make(1)
      run.id = ids[0]
      try Property.require(run.problem == nil, ids[0])
      try Property.require(Array(ids[0])[14] == "8" && "89ab".contains(Array(ids[0])[19]))
      try Property.require((ids[0] == ids[1]) == (Array(texts.0.utf8) == Array(texts.1.utf8)))
    }
    #expect(report.verdict == .passed, "\(report)")
  }

  @Test func `only whole names of commits are git's`() {
    #expect(RunRecord.isObjectName(String(repeating: "a", count: 40)))
    #expect(!RunRecord.isObjectName("abc1234"))
    #expect(!RunRecord.isObjectName(String(repeating: "g", count: 40)))
  }
}
