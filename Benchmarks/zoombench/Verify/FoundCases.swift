internal import Measurement
internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPlay

/// Counterexamples that reports name, found again.
enum FoundCases {
  /// Tries a case again and says what came of it, as a gesture to play.
  ///
  /// - Throws: `Failure` for a law, a subject or a token that there is not, and for inputs that are no
  ///   gestures.
  static func find(_ wanted: PlayedCase) async throws -> PlayLibrary.FoundCase {
    for system in ZoomSystem.allCases {
      for form in ZoomForm.allCases {
        for suite in LawCatalogue.suites(of: system, form) where suite.subject == wanted.subject {
          guard let trial = suite.trials.first(where: { $0.law == wanted.law }) else { continue }
          return try await find(wanted, trial, system, form)
        }
      }
    }
    throw Failure(
      .badInput, "there is no law \(wanted.law) of a subject \(wanted.subject) that is played")
  }

  private static func find(
    _ wanted: PlayedCase, _ trial: LawTrial, _ system: ZoomSystem, _ form: ZoomForm
  ) async throws -> PlayLibrary.FoundCase {
    var settings = PropertySettings()
    settings.phases = [.explicit]
    if let text = wanted.token {
      settings.reproducing = [try VerifyCommand.token(text)]
      settings.phases = [.reuse]
    }
    let report = await trial.check(settings)
    guard let breach = report.breaches.first else {
      throw Failure(
        .badInput, "the case does not break \(wanted.law): it is of another law, form or version")
    }
    guard let gesture = breach.gesture else {
      throw Failure(
        .badInput, "\(wanted.law) speaks of numbers that are no gesture: \(breach.input)")
    }
    return PlayLibrary.FoundCase(
      statement: report.statement, input: breach.input, complaint: breach.complaint,
      system: system, form: form, gesture: gesture)
  }

  /// The command that opens a breach of a law on a page; nil where it is no gesture.
  static func command(_ breach: LawReport.Breach, law: String, subject: String) -> String? {
    // Other subjects are variants that no live system plays.
    guard breach.gesture != nil,
      ZoomForm.allCases.contains(where: { subject.hasSuffix(" \($0.rawValue)") })
    else { return nil }
    return
      (["zoombench", "play", "--law", law, "--subject", subject]
      + (breach.token.map { ["--replay", "\($0)"] } ?? []))
      .map(ShellWord.quoted).joined(separator: " ")
  }
}
