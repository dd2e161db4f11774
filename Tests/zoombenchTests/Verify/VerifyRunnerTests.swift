import Testing

@testable import zoombench

@Suite struct VerifyRunnerTests {
  @Test func `a second try replaces the first only if it says more`() {
    let first = Samples.law("FZ-P1", verdict: .undecided)
    var untried = first
    untried.cases = 0
    var longer = first
    longer.cases += 1
    let decided = Samples.law("FZ-P1", verdict: .broken)
    #expect(!VerifyRunner.saysMore(untried, than: first))
    #expect(VerifyRunner.saysMore(longer, than: first))
    #expect(VerifyRunner.saysMore(decided, than: first))
  }
}
