import PropertyTesting
import ZoomGeometry
import ZoomLaws

let peekIsWideEnough = Law<PeekSubject>(
  "MINE-1", "A peek of a picture that is large enough is at least 20 pixels wide.",
  source: "our style guide", for: .peeks(), inWords: { $0.inWords }
) { subject, input, testCase in
  try testCase.assume(input.pictureWidth >= 20 && input.scale >= 1)
  guard let peek = try subject.peek(input) else { return }
  testCase.classify(input.viewport.width < 100, as: "thin viewport")
  try Property.require(peek.crop.width >= 20, "the peek is \(peek.crop.width) pixels wide")
}

// Ours breaks it: a viewport may be thin.
for breach in await peekIsWideEnough.check(.corrected).breaches {
  print("\(breach.input): \(breach.complaint)")
}

// The whole run again by its seed, and the one case by its token.
var settings = PropertySettings(cases: 1000, seed: 7)
settings.timeBudget = .seconds(20)
let report = await peekIsWideEnough.check(.corrected, settings: settings)
print("seed", report.seed)
if let token = report.breaches.first?.token {
  print("again:", token)
  settings.reproducing = [token]  // of a token as text: try ReplayToken(parsing: "pt1_...")
  settings.phases = [.reuse]
  print(await peekIsWideEnough.check(.corrected, settings: settings).verdict)  // broken
}

// A peek of one's own, here one that is a pixel too far to the right, against our laws.
let mine = PeekSubject(name: "mine") { input in
  var answer = try PeekSubject.corrected.peek(input)
  answer?.crop.x += 1
  return answer
}
for law in PeekLaws.all { print(law.name, await law.check(mine).verdict) }
