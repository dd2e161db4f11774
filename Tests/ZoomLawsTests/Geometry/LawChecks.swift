import PropertyTesting
import Testing
import ZoomLaws

extension PropertySettings {
  /// Enough cases that every class of the laws is met hundreds of times, from one seed.
  static let laws = PropertySettings(cases: 2000, seed: 20)
}

/// Holds a law against a subject and expects it to hold.
func expectHeld<Subject>(
  _ law: Law<Subject>, _ subject: Subject, cases: Int = 2000,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  var settings = PropertySettings.laws
  settings.cases = cases
  let report = await law.check(subject, settings: settings)
  let found = report.breaches.first.map { "\($0.input): \($0.complaint)" } ?? ""
  #expect(
    report.verdict == .held, "\(law.name) \(report.verdict) \(found)",
    sourceLocation: sourceLocation)
}

/// Holds a law against a subject and expects a short counterexample, from chance alone.
func expectBroken<Subject>(
  _ law: Law<Subject>, _ subject: Subject, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let report = await law.check(subject, settings: .laws)
  guard report.verdict == .broken, let breach = report.breaches.first else {
    Issue.record("\(law.name) is not broken by \(subject.name)", sourceLocation: sourceLocation)
    return
  }
  print("\(law.name), \(subject.name): \(breach.input): \(breach.complaint)")
  // As chance drew them, four to six numbers of 17 digits, inputs have a hundred characters and
  // more; a boundary's place may keep its digits.
  #expect(breach.input.count <= 72, "\(breach.input) is not small", sourceLocation: sourceLocation)
}

/// Whether a fault is found by the first law that is able to.
func isFound(_ trial: FaultTrial) async -> Bool {
  var settings = PropertySettings.laws
  settings.shrinkEvaluations = 0
  for law in trial.trials where await law.check(settings).verdict == .broken { return true }
  return false
}
