extension GateSettings {
  /// The settings that checks are measured with: the usual margins, whatever those of the run are.
  ///
  /// A canary of 5 % more work would never be slower by more than a margin of 5 %.
  package var ofChecks: GateSettings {
    var settings = self
    (settings.margin, settings.sameMargin) = (GateSettings().margin, GateSettings().sameMargin)
    return settings
  }

  /// Returns the settings to measure a "slower" again with, in a `SequentialComparison` of its own.
  ///
  /// Its first look is after `confirmingLaunches`, or after as many launches as the first
  /// measurement took if they are more; the later looks stay. A single look of a fixed size would
  /// deny many a true change, for the first measurement stops when it happens to be just sure: with
  /// a spread of 10 % and a change of 3 %, eight launches confirm 45 of 100, these looks 95.
  ///
  /// - Parameter first: What the first measurement said.
  /// - Returns: The same margins and error rate with other looks.
  package func confirming(_ first: ChangeEstimate) -> GateSettings {
    let least = max(confirmingLaunches, first.launches)
    var settings = self
    settings.looks = [least] + looks.filter { $0 > least }
    return settings
  }
}
