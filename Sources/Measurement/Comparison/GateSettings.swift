/// What a comparison calls slower and the same, and how hard it looks.
public struct GateSettings: Sendable, Hashable, Codable {
  /// A change up to this fraction is never called slower or faster; 0.01 is one per cent.
  ///
  /// Two builds of the same source differ by up to this much for reasons of layout alone.
  public var margin: Double
  /// A change that is known to be below this fraction is called the same.
  public var sameMargin: Double
  /// The chance, over all looks together, of calling a case slower whose change is the margin.
  public var errorRate: Double
  /// After how many launches the samples are looked at; the last is the most there may be.
  public var looks: [Int]
  /// How many pairs of samples each launch gives.
  public var pairsPerLaunch: Int
  /// How many launches a "slower" is measured again with before it counts.
  public var confirmingLaunches: Int

  /// Puts settings together; each default is argued for where it is used.
  public init(
    margin: Double = 0.01, sameMargin: Double = 0.03, errorRate: Double = 0.01,
    looks: [Int] = [4, 8, 14, 24, 40], pairsPerLaunch: Int = 20, confirmingLaunches: Int = 8
  ) {
    (self.margin, self.sameMargin, self.errorRate) = (margin, sameMargin, errorRate)
    (self.looks, self.pairsPerLaunch) = (looks, pairsPerLaunch)
    self.confirmingLaunches = confirmingLaunches
  }
}

extension GateSettings {
  /// Checks what a flag or a file may have got wrong.
  ///
  /// - Throws: A `GateSettingsError` for the first setting that no gate can work with.
  package func validate() throws(GateSettingsError) {
    guard margin >= 0, margin < sameMargin, sameMargin.isFinite else {
      throw GateSettingsError(
        "margins of \(margin) for slower and \(sameMargin) for the same do not satisfy 0 ≤ the "
          + "first < the second")
    }
    guard errorRate > 0, errorRate < 0.5 else {
      throw GateSettingsError("an error rate of \(errorRate) is not between 0 and 0.5")
    }
    guard let first = looks.first, first > 0, zip(looks, looks.dropFirst()).allSatisfy(<) else {
      throw GateSettingsError("looks after \(looks) launches are not ascending numbers above 0")
    }
    guard pairsPerLaunch > 0 else {
      throw GateSettingsError("\(pairsPerLaunch) is too few pairs per launch")
    }
    guard confirmingLaunches > 0 else {
      throw GateSettingsError("\(confirmingLaunches) is too few confirming launches")
    }
  }

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

/// Why a gate cannot work with its settings.
package struct GateSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for people, without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}
