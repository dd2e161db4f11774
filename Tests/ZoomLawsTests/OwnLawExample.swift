import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

// The README's example: a new law, tried on our peek, and our laws, tried on a new peek.

let peekIsWideEnough = Law<PeekSubject>(
  "MINE-1", "A peek of a picture that is large enough is at least 20 pixels wide.",
  source: "our style guide", for: .peeks(), inWords: \.inWords
) { subject, input, testCase in
  try testCase.assume(input.pictureWidth >= 20 && input.scale >= 1)
  guard let peek = try subject.peek(input) else { return }
  testCase.classify(input.viewport.width < 100, as: "thin viewport")
  try Property.require(peek.crop.width >= 20, "the peek is \(peek.crop.width) pixels wide")
}

@Suite struct OwnLawExample {
  @Test func `a new law finds a counterexample and describes it`() async throws {
    let report = await peekIsWideEnough.check(.corrected, settings: PropertySettings(seed: 1))
    #expect(report.verdict == .broken)
    let breach = try #require(report.breaches.first)
    #expect(breach.input.hasPrefix("touch ("))
    #expect(breach.complaint.hasPrefix("the peek is "))
  }

  @Test func `our laws find the defect of a new peek`() async {
    let mine = PeekSubject(name: "mine") { input in
      var peek = try PeekSubject.corrected.peek(input)
      peek?.crop.x += 1
      return peek
    }
    var broken: [String] = []
    for law in PeekLaws.all {
      let report = await law.check(mine, settings: PropertySettings(cases: 300, seed: 1))
      if report.verdict == .broken { broken.append(law.name) }
    }
    #expect(broken.contains("FZ-P1"))
  }
}
