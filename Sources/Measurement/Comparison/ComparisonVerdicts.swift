import RealModule

/// The last step of a comparison: from what each case says alone to what counts.
package enum ComparisonVerdicts {
  /// The chance, on both sides together, of mistaking a sound check for a difference.
  ///
  /// With two such checks one sound run in 500 is thrown away, and more where launches differ.
  package static let checkErrorRate = 0.001

  /// The estimated difference of a check from which on it spoils a run: half a per cent.
  ///
  /// Half the usual margin: what moves equal code by less makes no "slower". A difference has to
  /// be this great and beyond chance; of sound runs on two virtual cores, one in fifty showed the
  /// one or the other in one of two checks.
  package static let checkMargin = 0.005

  /// Judges all cases of a comparison together.
  ///
  /// The run is contaminated if a check of the same build or of frozen code shows a difference or is
  /// called slower or faster, or if the canary is not found slower. Then every verdict becomes
  /// inconclusive: such a run neither passes nor fails anything. A check that ran out of time before
  /// its last look is inconclusive and does not contaminate the run.
  ///
  /// This is the only rule of contamination: reports and the history take what it found.
  ///
  /// Otherwise a gated case is slower or faster only if its second measurement, in fresh processes,
  /// says so too, and if it survives Holm's correction over all gated cases (see
  /// `chance(of:errorRate:)`). Up to 100 cases at 1 %, every such case does: the chance of two
  /// measurements is at most α², and the correction asks for α over the number of cases. "The same" is
  /// two one-sided tests at the error rate; where it was measured again, both have to say so. Answers
  /// that differ change no verdict here: wrong pixels are another finding than slow ones.
  ///
  /// - Returns: The cases in their order with `verdict` and `reason` set, and why the run is
  ///   contaminated, empty if it is not.
  package static func judge(
    _ cases: [CaseComparison], settings: GateSettings
  ) -> (cases: [CaseComparison], contamination: [String]) {
    let failures = cases.compactMap { failure(of: $0, settings: settings) }
    if let first = failures.first {
      let judged = cases.map { $0.judged(.inconclusive, "the run is contaminated: \(first)") }
      return (judged, failures)
    }
    let gated = cases.indices.filter { cases[$0].role == .gated }
    let survives = HolmCorrection.rejected(
      gated.map { chance(of: cases[$0], errorRate: settings.errorRate) },
      errorRate: settings.errorRate)
    var judged = cases.map { $0.judged($0.first.verdict, nil) }
    for (index, survives) in zip(gated, survives) {
      if let reason = doubt(of: cases[index], survives: survives) {
        judged[index] = cases[index].judged(.inconclusive, reason)
      }
    }
    return (judged, [])
  }

  /// Returns the chance that a case looks so changed in both measurements if it is not.
  ///
  /// A measurement stops at one of several looks. If a look may spend the part a of the error rate
  /// α, then its chance p counts as p α/a, by Bonferroni over the looks; a is read from the
  /// interval, whose coverage is 1 - 2a. Of the two measurements' chances the greater is taken and
  /// squared: that both are at most p has the chance p² if nothing is shared by them, and they share
  /// neither processes nor layouts nor moments. What the machine does to both is for the checks to
  /// find.
  ///
  /// - Returns: At most one; one unless both were made and have an interval.
  package static func chance(of comparison: CaseComparison, errorRate: Double) -> Double {
    guard let confirmed = comparison.confirmed else { return 1 }
    let chances = [comparison.first, confirmed].map { estimate in
      guard let interval = estimate.interval, interval.coverage < 1 else { return 1.0 }
      return min(1, estimate.chance * errorRate / ((1 - interval.coverage) / 2))
    }
    let greater = chances.max() ?? 1
    return greater * greater
  }

  /// Says why a case is not called what it looked like, or nil if it is.
  private static func doubt(of comparison: CaseComparison, survives: Bool) -> String? {
    let verdict = comparison.first.verdict
    if verdict == .inconclusive { return nil }
    let isChange = verdict != .same
    guard let confirmed = comparison.confirmed else {
      return isChange ? "it looked \(verdict.rawValue), but was not measured again" : nil
    }
    guard confirmed.verdict == verdict else {
      return
        "it looked \(isChange ? "" : "the ")\(verdict.rawValue), but not when measured again in new "
        + "processes"
    }
    return survives || !isChange
      ? nil : "it looked \(verdict.rawValue), but with this many cases that can be chance"
  }

  /// Returns how a check contaminates the run, or nil if it does not or the case is gated.
  private static func failure(of check: CaseComparison, settings: GateSettings) -> String? {
    switch check.role {
    case .gated:
      return nil
    case .sameBuild:
      return difference(in: check, settings: settings).map { "the same build differs \($0)" }
    case .control:
      return difference(in: check, settings: settings).map { "frozen code differs \($0)" }
    case .canary:
      let isCut = check.launches.count < settings.looks.last ?? 0
      if isCut, check.first.verdict == .inconclusive { return nil }
      return check.first.verdict == .slower
        ? nil : "\(check.name) does 5 % more work, but was not found slower"
    }
  }

  /// Says by how much a check differs that should not, or nil if it does not.
  private static func difference(
    in check: CaseComparison, settings: GateSettings
  ) -> String? {
    // Not measured in time: the run gives the budget as the check's reason.
    if check.launches.isEmpty { return nil }
    let estimate: ChangeEstimate
    do {
      estimate = try ChangeEstimate(
        of: check.launches, clock: check.clock, settings: settings, errorRate: checkErrorRate / 2)
    } catch {
      return "in a way that cannot be measured: \(error) in \(check.name)"
    }
    let isApart = estimate.interval.map { $0.lower > 1 || $0.upper < 1 } ?? false
    let isFar = Double.log(estimate.ratio).magnitude > Double.log(onePlus: checkMargin)
    let isCalledDifferent = [.slower, .faster].contains(check.first.verdict)
    guard (isApart && isFar) || isCalledDifferent else { return nil }
    return "from itself by \(percentage(estimate.ratio)) in \(check.name)"
  }

  /// A ratio as a change with two decimals, such as "+1.25 %".
  private static func percentage(_ ratio: Double) -> String {
    let hundredths = ((ratio - 1) * 10_000).rounded()
    // Ratios of nanoseconds reach 2^64, which as hundredths of a per cent an Int does not hold.
    guard let count = Int(exactly: hundredths) else { return "\(ratio) times" }
    let (whole, part) = count.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(count < 0 ? "-" : "+")\(whole).\(part < 10 ? "0" : "")\(part) %"
  }
}

extension CaseComparison {
  /// The same case with another verdict and the reason for it.
  fileprivate func judged(_ verdict: Verdict, _ reason: String?) -> CaseComparison {
    var judged = self
    judged.verdict = verdict
    judged.reason = reason
    return judged
  }
}

/// The correction for judging many cases at once, which needs no independence between them.
package enum HolmCorrection {
  /// Returns which hypotheses are rejected so that any false rejection at all is rare.
  ///
  /// The least chance of m is held against errorRate / m, the next against errorRate / (m - 1), and
  /// so on; the first that fails saves all the rest (Holm, "A simple sequentially rejective multiple
  /// test procedure", Scandinavian Journal of Statistics 6, 1979).
  ///
  /// - Parameters:
  ///   - chances: The p-values, in any order; one that is NaN is never rejected and still counts.
  ///   - errorRate: The chance allowed of rejecting one or more true hypotheses.
  /// - Returns: For each chance, whether its hypothesis is rejected.
  package static func rejected(_ chances: [Double], errorRate: Double) -> [Bool] {
    var rejected = [Bool](repeating: false, count: chances.count)
    let order = chances.indices.filter { !chances[$0].isNaN }.sorted { chances[$0] < chances[$1] }
    for (step, index) in order.enumerated() {
      guard chances[index] <= errorRate / Double(chances.count - step) else { break }
      rejected[index] = true
    }
    return rejected
  }
}
