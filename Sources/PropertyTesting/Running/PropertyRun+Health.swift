extension PropertyRun {
  /// Looks at the size of the simplest case; tells whether to go on.
  func checkSimplestCase() async -> Bool {
    guard !settings.suppressing.contains(.largeSimplestCase) else { return true }
    // What does not end in time is found by the cases that follow.
    guard let record = await runner.draw(.replay([], tail: .simplest))?.record else { return true }
    let most = TestCase.mostChoices / 2
    guard record.choices.count > most else { return true }
    find(
      .largeSimplestCase,
      "the simplest case takes \(record.choices.count) choices, of \(TestCase.mostChoices)")
    return false
  }

  /// Looks at how the cases come; Hypothesis' limits, and QuickCheck's ten discards a case.
  func checkHealth() {
    let (valid, discards, oversized) = (generated.valid, generated.discards, generated.oversized)
    if generated.stuck > 0 {
      find(.tooSlow, "the generator did not end within the time of a case")
    }
    if valid < 10, discards > 50 {
      find(.tooMuchDiscarded, "\(discards) cases were discarded before \(valid + 1) were valid")
    } else if discards > max(10 * valid, 100) {
      find(.tooMuchDiscarded, "\(discards) cases were discarded and \(valid) were valid")
    }
    if valid < 10, oversized > 20 {
      find(.tooLarge, "\(oversized) cases were too large before \(valid + 1) were valid")
    }
    let samples = generated.samples
    if samples > 0, generated.generating * 10 > .seconds(samples) {
      find(.tooSlow, "a case took \(generated.generating / samples) to generate")
    }
    // With this many, fewer than one of 100 is valid almost surely; 458 without any valid case
    // mean so with 99 % certainty (0.99^458 < 0.01), as Hypothesis has it.
    isHopeless = generated.executed - valid > 458 + 100 * valid
  }

  private func find(_ check: HealthCheck, _ message: String) {
    guard !settings.suppressing.contains(check) else { return }
    if !health.contains(where: { $0.check == check }) {
      health.append(HealthFinding(check: check, message: message))
    }
  }
}
