internal import PropertyTesting

extension LawReport {
  /// What a property's report says about a law.
  init<Input>(
    law: String, statement: String, subject: String, _ report: PropertyReport<Input>
  ) {
    self.law = law
    self.statement = statement
    self.subject = subject
    cases = report.cases
    discards = report.discards
    isExhaustive = report.wasExhaustive
    classes = report.classes.map {
      InputClass(
        name: $0.name, count: $0.count, share: $0.share, requiredShare: $0.requiredShare,
        isReached: $0.verdict == .met || $0.verdict == .notRequired)
    }
    breaches = report.failures.map(Breach.init)
    verdict =
      switch report.verdict {
      case .passed: .held
      case .failed: .broken
      case .gaveUp(let reason): .undecided("\(reason)")
      }
    seed = report.seed
    elapsed = report.elapsed
    engineShare = report.engineShare
  }
}

extension LawReport.Breach {
  /// The smallest input that was found.
  init<Input>(_ counterexample: Counterexample<Input>) {
    input = counterexample.description
    // A reader of laws is not helped by the line of our source that noticed.
    complaint = (counterexample.error as? PropertyFailure)?.message ?? counterexample.message
    token = counterexample.token
    foundAt = counterexample.foundAt
    evaluations = counterexample.evaluations
    failureRate = counterexample.failureRate
    notes = counterexample.notes
    error = counterexample.error
  }
}
