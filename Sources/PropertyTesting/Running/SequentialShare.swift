/// Decides whether a share is reached, looking again and again while cases come in.
///
/// As QuickCheck's `checkCoverage` does: a share counts as reached once it is sure to be at least
/// nine tenths of what is required, and as missed once it is sure to be less than required. Sure
/// means wrong once in 10^9 looks, so that the few hundred looks of a run still leave less than
/// one in a million.
enum SequentialShare {
  /// The normal quantile of 1 - 10^-9 / 2.
  private static let sureDeviations = 6.1094
  private static let tolerance = 0.9
  /// Wilson's interval is poor for fewer cases, and QuickCheck looks at 100 first.
  static let fewestCases = 100

  /// Whether a class has its share.
  ///
  /// - Parameters:
  ///   - share: what is required; more than 1, or no number, is never reached.
  ///   - count: how many cases belong to the class.
  ///   - total: of how many.
  /// - Returns: The decision, `undecided` while it is not sure.
  static func decide(share: Double, count: Int, of total: Int) -> ClassReport.Verdict {
    if share <= 0 { return .met }
    guard share <= 1 else { return .missed }
    guard total >= fewestCases else { return .undecided }
    let interval = wilson(count, of: total, deviations: sureDeviations)
    if interval.lowerBound >= tolerance * share { return .met }
    return interval.upperBound < share ? .missed : .undecided
  }

  /// Wilson's score interval of a probability (Wilson 1927).
  ///
  /// - Parameters:
  ///   - count: how often it happened.
  ///   - total: of how many times; at least 1.
  ///   - deviations: the normal quantile of the confidence: 1.96 for 95 %.
  /// - Returns: The interval, within 0 to 1.
  static func wilson(_ count: Int, of total: Int, deviations: Double) -> ClosedRange<Double> {
    let (n, square) = (Double(total), deviations * deviations)
    let rate = Double(count) / n
    let center = rate + square / (2 * n)
    let margin = deviations * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
    let scale = 1 + square / n
    // The ends are 0 and 1 by the formula when all or none happened, which rounding may miss.
    let low = count == 0 ? 0 : min(max((center - margin) / scale, 0), 1)
    let high = count == total ? 1 : max(min((center + margin) / scale, 1), low)
    return low...high
  }
}
