import PropertyTesting
import Testing

import ZoomLaws

/// The names of the laws that a subject is found to break.
func broken<Subject>(
  _ laws: [Law<Subject>], _ subject: Subject, cases: Int, seed: UInt64 = 1
) async -> [String] {
  var names: [String] = []
  for law in laws {
    let report = await law.check(subject, settings: .searching(cases: cases, seed: seed))
    if !report.breaches.isEmpty { names.append(law.name) }
  }
  return names
}

/// Whether a law holds, in a report that says why not.
func expectHolds<Subject>(
  _ law: Law<Subject>, _ subject: Subject, cases: Int,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  let report = await law.check(subject, settings: PropertySettings(cases: cases, seed: 1))
  let breach = report.breaches.first.map { "\($0.input)\n\($0.complaint)" }
  #expect(
    report.verdict == .held, "\(law.name): \(breach ?? "\(report.verdict)")",
    sourceLocation: sourceLocation)
}

/// Which faults none of the laws finds.
func survivors<Subject>(
  _ faults: [SeededFault<Subject>], in subject: Subject, _ laws: [Law<Subject>], cases: Int
) async -> [String] {
  var names: [String] = []
  for fault in faults where fault.equivalence == nil {
    let faulty = fault.plant(subject)
    var isKilled = false
    for law in laws where !isKilled {
      let report = await law.check(faulty, settings: .searching(cases: cases))
      isKilled = !report.breaches.isEmpty
    }
    if !isKilled { names.append(fault.name) }
  }
  return names
}

extension PropertySettings {
  /// Settings of a run that only asks whether random search finds a counterexample: no examples,
  /// and not for a small one.
  static func searching(cases: Int, seed: UInt64 = 1) -> PropertySettings {
    var settings = PropertySettings(cases: cases, seed: seed)
    settings.phases = [.generate]
    return settings
  }
}
