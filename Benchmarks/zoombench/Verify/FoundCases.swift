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
    var (input, shown) = (breach.input, gesture)
    if !gesture.isLegible, let larger = await legible(trial), let drawn = larger.gesture {
      input += " (too small to be seen; drawn is \(larger.input): \(larger.complaint))"
      shown = drawn
    }
    return PlayLibrary.FoundCase(
      statement: report.statement, input: input, complaint: breach.complaint, system: system,
      form: form, gesture: shown)
  }

  /// Finds an input that breaks a law too and that can be seen: the smallest one is often a picture of three
  /// pixels on a screen of one.
  ///
  /// Seeds are fixed, so that everybody who opens the case sees the same.
  private static func legible(_ trial: LawTrial) async -> LawReport.Breach? {
    var settings = PropertySettings()
    settings.phases = [.generate]
    settings.cases = 200
    settings.timeBudget = .milliseconds(100)
    var larger: LawReport.Breach?
    for seed in 1...40 as ClosedRange<UInt64> {
      settings.seed = seed
      for breach in await trial.check(settings).breaches {
        guard let gesture = breach.gesture, gesture.isLegible else { continue }
        if gesture.fitsPage { return breach }
        larger = larger ?? breach
      }
    }
    return larger
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

extension GestureCase {
  /// Whether people can see the parts of the screen and of the picture.
  fileprivate var isLegible: Bool {
    let screen = script.screen.size
    return min(screen.width, screen.height) >= 100 && max(screen.width, screen.height) <= 2000
      && min(picture.width, picture.height) >= 100 && max(picture.width, picture.height) <= 30_000
  }

  /// Whether a page has room for two such screens, and the fitted picture is not a thin strip.
  fileprivate var fitsPage: Bool {
    max(script.screen.size.width, script.screen.size.height) <= 1000
      && max(picture.width, picture.height) <= 3 * min(picture.width, picture.height)
  }
}
