internal import IIIFRules

extension RunResult {
  /// Makes a row for each law on each subject, and draws the conclusion.
  ///
  /// A run in which no law could be tried on one of the other people's programs is undecided.
  mutating func judge(_ laws: [VerifyReport.LawRow]) {
    rows = laws.map { law in
      Row(law, of: contenders.first { "\(law.subject) ".hasPrefix("\($0.name) ") }?.name)
    }
    conclude()
  }
}

extension Row {
  fileprivate init(_ law: VerifyReport.LawRow, of program: String?) {
    let verdict =
      switch law.verdict {
      case .broken:
        Verdict(.broken, reason: law.breaches.first?.complaint ?? "the law is broken")
      case .undecided: Verdict(.undecided, reason: law.reason)
      case .held where law.isDeviation:
        Verdict(.deviates, reason: law.breaches.first?.complaint)
      case .held: Verdict(.held)
      }
    self.init(
      name: "\(law.law) \(law.subject)", contender: program, verdict: verdict,
      figures: Figures(cases: law.cases, seconds: law.seconds), law: law)
  }
}

extension VerifyReport.LawRow {
  /// Whether a server's answers are not as a rule recommends.
  var isDeviation: Bool {
    verdict != .broken && !breaches.isEmpty && strength == IIIFRule.Strength.should.rawValue
  }
}
