import PropertyTesting
import Testing

@Suite struct ChoiceTreeTests {
  @Test func `what the tree predicts is what a run shows`() {
    var (known, overruns) = (0, 0)
    for problem in ShrinkProblem.all {
      guard let start = problem.firstFailure(seed: 3) else { continue }
      var tree = ChoiceTree()
      tree.learn(start.choices, start)
      var editor = ChoiceEditor(seed: 8)
      for _ in 0..<60 {
        let list = editor.edit(start.choices)
        let attempt = problem.evaluate(list)
        switch tree.predict(list) {
        case .known(let expected):
          known += 1
          #expect(expected.choices == attempt.choices)
          #expect(expected.outcome == attempt.outcome)
        case .overrun:
          overruns += 1
          #expect(attempt.outcome == .overrun)
        case .unknown: break
        }
        tree.learn(list, attempt)
      }
    }
    // Otherwise a tree that predicts nothing would pass.
    #expect(known > 100)
    #expect(overruns > 100)
  }
}
