import PropertyTesting
import Testing
import ZoomLaws

extension PropertySettings {
  /// Enough cases that every class of the laws is met hundreds of times, from one seed.
  static let laws = PropertySettings(cases: 2000, seed: 20)

  /// Settings of a run that only asks whether random search finds a counterexample: no examples,
  /// and not for a small one.
  static func searching(cases: Int) -> PropertySettings {
    var settings = PropertySettings(cases: cases, seed: 1)
    settings.phases = [.generate]
    return settings
  }
}

/// Holds a law against a subject and expects it to hold.
func expectHeld<Subject>(
  _ law: Law<Subject>, _ subject: Subject, cases: Int = 2000,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  var settings = PropertySettings.laws
  settings.cases = cases
  let report = await law.check(subject, settings: settings)
  let breach = report.breaches.first.map { "\($0.input): \($0.complaint)" } ?? ""
  #expect(
    report.verdict == .held, "\(law.name) \(report.verdict) \(breach)",
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

/// The names of the laws that a subject is found to break.
func broken<Subject>(_ laws: [Law<Subject>], _ subject: Subject, cases: Int) async -> [String] {
  var names: [String] = []
  for law in laws {
    let report = await law.check(subject, settings: .searching(cases: cases))
    if !report.breaches.isEmpty { names.append(law.name) }
  }
  return names
}

/// Whether a fault is found by the first law that is able to.
func isFound(_ trial: FaultTrial, cases: Int = 2000) async -> Bool {
  for law in trial.trials {
    let report = await law.check(.searching(cases: cases))
    if !report.breaches.isEmpty { return true }
  }
  return false
}

/// Which faults none of the laws finds.
func survivors<Subject>(
  _ faults: [SeededFault<Subject>], in subject: Subject, _ laws: [Law<Subject>], cases: Int
) async -> [String] {
  var names: [String] = []
  for fault in faults where fault.equivalence == nil {
    let trial = FaultTrial(fault, in: subject, laws: laws)
    if await !isFound(trial, cases: cases) { names.append(fault.name) }
  }
  return names
}
