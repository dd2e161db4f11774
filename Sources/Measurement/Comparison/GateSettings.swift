import RealModule

/// What a comparison calls slower and the same, and how hard it looks.
public struct GateSettings: Sendable, Hashable, Codable {
  /// A change up to this fraction is never called slower or faster; 0.01 is one per cent.
  public var margin: Double
  /// A change that is known to be below this fraction is called the same.
  public var sameMargin: Double
  /// The chance, over all looks together, of calling a case slower whose change is the margin.
  public var errorRate: Double
  /// After how many launches the samples are looked at; the last is the most there may be.
  public var looks: [Int]
  /// How many pairs of samples each launch gives.
  public var pairsPerLaunch: Int
  /// The fewest launches that a change is measured again with before it counts.
  ///
  /// A first measurement that stopped early may have looked greater and steadier than it was. In
  /// simulations of +3 %, 26 launches find again 99 of 100, 16 find 98, and 8 find 96.
  public var confirmingLaunches: Int

  /// Puts settings together; each default is argued for where it is used.
  public init(
    margin: Double = 0.01, sameMargin: Double = 0.03, errorRate: Double = 0.01,
    looks: [Int] = [6, 10, 16, 26, 40], pairsPerLaunch: Int = 20, confirmingLaunches: Int = 26
  ) {
    (self.margin, self.sameMargin, self.errorRate) = (margin, sameMargin, errorRate)
    (self.looks, self.pairsPerLaunch) = (looks, pairsPerLaunch)
    self.confirmingLaunches = confirmingLaunches
  }
}

extension GateSettings {
  /// The margin where both builds run as they are linked.
  ///
  /// Two builds of one source differ by what their layouts do: for most cases by less than 1 %, for
  /// a tight loop by 2 %. Each launch has the same two layouts, so no interval contains that, and the
  /// margin has to. Of simulated comparisons of such a loop, 36 in 100 were called slower or faster
  /// with a margin of 1 %, and 7 with 3 %; of loops that differ by 1.5 %, 22 and 1.
  package static let oneLayoutMargin = 0.03

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

  /// Returns the settings to measure a verdict again with: one look, after a number of launches that
  /// is fixed beforehand.
  ///
  /// Looks that stop as soon as they are sure overstate the change. A single look does not, so its
  /// estimate is the one to show. It has to find again what the first measurement found in 999 of
  /// 1,000 cases, if the change is as great as that says less one standard error; for the first stopped
  /// because it looked so great. How much launches scatter is known only from the first, so Student's
  /// quantile for its degrees of freedom stands where a known deviation would have the normal one
  /// (Stein, "A two-sample test for a linear hypothesis whose power is independent of the variance",
  /// Annals of Mathematical Statistics 16, 1945).
  ///
  /// - Parameters:
  ///   - first: What the first measurement said: slower, faster or the same.
  ///   - cases: How many cases are judged together. Of very many, Holm's correction asks for more
  ///     than the error rate.
  /// - Returns: The same margins and error rate with a single look.
  package func confirming(_ first: ChangeEstimate, among cases: Int = 1) -> GateSettings {
    var settings = self
    let most = max(looks.last ?? 0, confirmingLaunches)
    // A chance that squared is the error rate over the cases survives the correction.
    let tail = min(errorRate, (errorRate / Double(max(cases, 1))).squareRoot())
    // A change that is not found again is missed; what is not found the same again is only asked for
    // once more. A third of the launches is enough for that.
    let fewest = first.verdict == .same ? max(1, confirmingLaunches / 3) : confirmingLaunches
    let enough = (fewest..<most).first { isEnough($0, after: first, tail: tail) }
    settings.looks = [enough ?? most]
    return settings
  }

  /// Whether so many launches would very likely find again what a measurement found.
  private func isEnough(
    _ launches: Int, after first: ChangeEstimate, tail wanted: Double
  ) -> Bool {
    let kept = LocationEstimate.kept(of: launches)
    guard kept > 1, first.launches > 1, let interval = first.interval else { return false }
    // The standard error, from the half width that was made of it.
    let half = (Double.log(interval.upper) - Double.log(interval.lower)) / 2
    let freedom = StudentT(
      degreesOfFreedom: Double(LocationEstimate.kept(of: first.launches) - 1))
    let tail = (1 - interval.coverage) / 2
    guard tail > 0, tail < 0.5 else { return false }
    let error = half / freedom.quantile(upperTail: tail)
    let change = Double.log(first.ratio).magnitude
    let distance =
      first.verdict == .same
      ? Double.log(onePlus: sameMargin) - change - error
      : change - Double.log(onePlus: margin) - error
    let expected = error * (Double(first.launches) / Double(launches)).squareRoot()
    let reach =
      StudentT(degreesOfFreedom: Double(kept - 1)).quantile(upperTail: wanted)
      + freedom.quantile(upperTail: 0.001)
    return reach * expected <= distance
  }
}

/// Why a gate cannot work with its settings.
package struct GateSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for people, without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}
