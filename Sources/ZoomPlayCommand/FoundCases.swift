internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPlay
internal import zoombench

/// Finds the counterexamples that reports name.
enum FoundCases {
  /// Tries a case again and returns its result as a gesture to play.
  ///
  /// - Throws: `Failure` for an unknown law, subject or token, and for inputs that are not gestures.
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
      .badInput,
      "\(wanted.subject) has no law \(wanted.law) to play (copy the command of verify)")
  }

  private static func find(
    _ wanted: PlayedCase, _ trial: LawTrial, _ system: ZoomSystem, _ form: ZoomForm
  ) async throws -> PlayLibrary.FoundCase {
    var settings = PropertySettings()
    settings.phases = [.explicit]
    if let text = wanted.token {
      settings.reproducing = [try ReplayToken(argument: text)]
      settings.phases = [.reuse]
    }
    let report = await trial.check(settings)
    guard let breach = report.breaches.first else {
      throw Failure(
        .badInput, "the case does not break \(wanted.law): it is of another law, form or version")
    }
    guard breach.gesture != nil else {
      throw Failure(
        .badInput, "\(wanted.law) speaks of numbers that no gesture has: \(breach.input)")
    }
    var (drawn, complaint) = (breach, breach.complaint)
    if !breach.isLegible || !breach.isShown(by: system, form),
      let larger = await legible(trial, system, form)
    {
      drawn = larger
      complaint =
        "\(larger.complaint)\nThe smallest case found is hard to see: \(breach.input): \(breach.complaint)"
    }
    guard let gesture = drawn.gesture, drawn.isShown(by: system, form) else {
      throw Failure(
        .badInput, "no gesture was found that shows how \(wanted.law) is broken: \(breach.input)")
    }
    let law = PlayLibrary.BrokenLaw(
      wanted.law, statement: report.statement,
      subject: "\(system.rawValue) \(form.rawValue)", input: drawn.input, complaint: complaint)
    return (law, system, gesture)
  }

  /// The number of cheap cases tried to find a legible one; fewer if cases are costly.
  private static let mostCases = 20_000

  /// Finds another input that breaks the law and that people can see; the smallest one is often a picture of
  /// three pixels on a screen of one.
  ///
  /// Seeds and the number of cases are fixed, so that everyone who opens the case sees the same input.
  private static func legible(
    _ trial: LawTrial, _ system: ZoomSystem, _ form: ZoomForm
  ) async -> LawReport.Breach? {
    // Few, because a run reports only the first of similar failures.
    var settings = PropertySettings(cases: 20)
    settings.phases = [.generate]
    var (seed, cases) = (0 as UInt64, 0)
    while cases < mostCases, !Task.isCancelled {
      seed += 1
      settings.seed = seed
      let report = await trial.check(settings)
      let found = report.breaches.first { $0.isLegible && $0.isShown(by: system, form) }
      if let found { return found }
      cases += max(1, report.cases) * trial.caseCost
    }
    return nil
  }
}

extension LawReport.Breach {
  /// Whether people can see the parts of the screen and the picture, and two such screens fit on a page.
  fileprivate var isLegible: Bool {
    guard let gesture else { return false }
    let (screen, picture) = (gesture.script.screen.size, gesture.picture)
    return Self.isLegible(screen.width, screen.height, within: 1000)
      && Self.isLegible(Double(picture.width), Double(picture.height), within: 30_000)
  }

  /// Whether a rectangle is neither too small nor too large nor too long.
  private static func isLegible(_ width: Double, _ height: Double, within most: Double) -> Bool {
    let (shorter, longer) = (min(width, height), max(width, height))
    return shorter >= 100 && longer <= most && longer <= 3 * shorter
  }

  /// Whether the gesture shows the breach: it has all of the input, and a breach of the published system is
  /// visible in its states.
  fileprivate func isShown(by system: ZoomSystem, _ form: ZoomForm) -> Bool {
    guard let gesture, isPlayedExactly else { return false }
    func states(_ form: ZoomForm) -> [ZoomState]? {
      var player = try? GesturePlayer(
        gesture.script, system: system, picture: gesture.picture, form: form)
      return try? player?.states()
    }
    return form == .corrected || states(.original) != states(.corrected)
  }
}
