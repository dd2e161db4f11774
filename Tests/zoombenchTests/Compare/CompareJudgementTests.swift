import Measurement
import Testing

@testable import zoombench

@Suite struct CompareJudgementTests {
  private func failure(_ cases: [CaseComparison], strict: Bool = false) -> Failure? {
    do {
      try CompareJudgement(HandmadeComparison.result(cases)).check(strict: strict)
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func `same and faster pass`() {
    #expect(
      failure([HandmadeComparison.peek(), HandmadeComparison.peek("other", verdict: .faster)])
        == nil)
  }

  @Test func `slower is a finding that names the worst`() {
    let found = failure([
      HandmadeComparison.peek("bad", ratio: 1.05, verdict: .slower),
      HandmadeComparison.peek("worse", ratio: 1.2, verdict: .slower),
    ])
    #expect(found?.status == .finding)
    #expect(found?.description == "worse is slower by +20.00 % (and 1 more cases)")
  }

  @Test func `inconclusive passes unless it is asked for strictly`() {
    let cases = [HandmadeComparison.peek(verdict: .inconclusive)]
    #expect(failure(cases) == nil)
    #expect(failure(cases, strict: true)?.status == .inconclusive)
  }

  @Test func `other pixels are a finding even where the time is the same`() {
    let found = failure([HandmadeComparison.peek(differing: [3])])
    #expect(found?.status == .finding)
    #expect(found?.description.contains("pixels differ") == true)
  }

  @Test func `a count that rose is a finding, one that fell is none`() {
    let counts = ["bytes read": 10]
    let rose = HandmadeComparison.peek(base: counts, candidate: ["bytes read": 11])
    #expect(failure([rose])?.status == .finding)
    let fell = HandmadeComparison.peek(base: counts, candidate: ["bytes read": 9])
    #expect(failure([fell]) == nil)
  }

  @Test func `a check never fails a build`() {
    let control = HandmadeComparison.peek(ratio: 1.2, verdict: .slower, role: .control)
    #expect(failure([HandmadeComparison.peek(), control]) == nil)
  }
}
