/// Why a gate cannot work with its settings.
package enum GateSettingsError: Error, Sendable, Hashable {
  /// The margins are not 0 ≤ margin < sameMargin, both finite.
  case margins(margin: Double, sameMargin: Double)
  /// The error rate is not between zero and one half.
  case errorRate(Double)
  /// There are no looks, or they are not numbers of launches above zero in ascending order.
  case looks([Int])
  /// There is not at least one of these: "pairs per launch", "confirming launches".
  case tooFew(String, Int)
}

extension GateSettingsError: CustomStringConvertible {
  /// One sentence for people, without a full stop.
  package var description: String {
    switch self {
    case .margins(let margin, let sameMargin):
      "margins of \(margin) for slower and \(sameMargin) for the same do not satisfy 0 ≤ the "
        + "first < the second"
    case .errorRate(let rate):
      "an error rate of \(rate) is not between 0 and 0.5"
    case .looks(let looks):
      "looks after \(looks) launches are not ascending numbers above 0"
    case .tooFew(let what, let count):
      "\(count) is too few \(what)"
    }
  }
}

extension GateSettings {
  /// Checks what a flag or a file may have got wrong.
  ///
  /// - Throws: A `GateSettingsError` for the first setting that no gate can work with.
  package func validate() throws(GateSettingsError) {
    guard margin >= 0, margin < sameMargin, sameMargin.isFinite else {
      throw .margins(margin: margin, sameMargin: sameMargin)
    }
    guard errorRate > 0, errorRate < 0.5 else { throw .errorRate(errorRate) }
    guard let first = looks.first, first > 0, zip(looks, looks.dropFirst()).allSatisfy(<) else {
      throw .looks(looks)
    }
    guard pairsPerLaunch > 0 else { throw .tooFew("pairs per launch", pairsPerLaunch) }
    guard confirmingLaunches > 0 else { throw .tooFew("confirming launches", confirmingLaunches) }
  }
}
