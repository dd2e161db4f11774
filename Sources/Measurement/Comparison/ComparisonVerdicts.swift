import RealModule

/// The last step of a comparison: from each case's own result to its final verdict.
package enum ComparisonVerdicts {
  /// The chance, on both sides together, of mistaking a correct check for a difference.
  ///
  /// With two such checks, one good run in 500 is discarded, and more if launches vary.
  package static let checkErrorRate = 0.001

  /// The estimated difference of a check that contaminates a run: half a per cent.
  ///
  /// It is half the usual margin, so smaller effects on equal code do not make it "slower". A difference
  /// must be this great and beyond chance; of good runs on two virtual cores, one in fifty had one or the
  /// other in one of two checks.
  package static let checkMargin = 0.005

  /// Judges all cases of a comparison together.
  ///
  /// The run is contaminated if a check of the same build or of frozen code shows a difference or is
  /// called slower or faster, or if the canary is not found slower. Then every verdict becomes
  /// inconclusive: such a run neither passes nor fails anything. A check that ran out of time before
  /// its last look is inconclusive and does not contaminate the run.
  ///
  /// This is the only rule of contamination: reports and the history use its result.
  ///
  /// Otherwise a gated case is slower or faster only if its second measurement, in fresh processes,
  /// agrees, and if it passes Holm's correction over all gated cases (see
  /// `chance(of:errorRate:)`). Up to 100 cases at 1 %, every such case does: the chance of two
  /// measurements is at most α², and the correction requires α divided by the number of cases. "The same" is
  /// two one-sided tests at the error rate; if it was measured again, both measurements must agree. Differing
  /// answers do not change a verdict here: wrong pixels are a separate finding.
  ///
  /// - Returns: The cases in their order with `verdict` and `reason` set, and the reasons for
  ///   contamination, empty for a clean run.
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

  /// Returns the chance that an unchanged case looks so changed in both measurements.
  ///
  /// A measurement stops at one of several looks. If a look may spend the part a of the error rate α, then
  /// its chance p counts as p α/a, by Bonferroni over the looks; a is computed from the interval, whose
  /// coverage is 1 - 2a. The greater chance p of the two measurements is squared: both are at most p with
  /// the chance p² if they are independent, and they share no processes, layouts or times. The checks
  /// detect effects of the machine on both.
  ///
  /// - Returns: At most one; one if a measurement is missing or has no interval.
  package static func chance(of comparison: CaseComparison, errorRate: Double) -> Double {
    guard let confirmed = comparison.confirmed else { return 1 }
    let chances = [comparison.first, confirmed].map { estimate in
      guard let interval = estimate.interval, interval.coverage < 1 else { return 1.0 }
      return min(1, estimate.chance * errorRate / ((1 - interval.coverage) / 2))
    }
    let greater = chances.max() ?? 1
    return greater * greater
  }

  /// Returns the reason that a case does not get its first verdict, or nil if it does.
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

  /// Returns the reason that a check contaminates the run, or nil if it does not or the case is gated.
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

  /// Returns the difference of a check that should show none, or nil if it shows none.
  private static func difference(
    in check: CaseComparison, settings: GateSettings
  ) -> String? {
    // A check without a launch ran out of time, which its reason says.
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

  /// Returns a ratio as a change with two decimals, such as "+1.25 %".
  private static func percentage(_ ratio: Double) -> String {
    let hundredths = ((ratio - 1) * 10_000).rounded()
    // Ratios of nanoseconds reach 2^64, whose hundredths of a per cent exceed Int.
    guard let count = Int(exactly: hundredths) else { return "\(ratio) times" }
    let (whole, part) = count.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(count < 0 ? "-" : "+")\(whole).\(part < 10 ? "0" : "")\(part) %"
  }
}

extension CaseComparison {
  /// Returns the same case with another verdict and reason.
  func judged(_ verdict: Verdict, _ reason: String?) -> CaseComparison {
    var judged = self
    judged.verdict = verdict
    judged.reason = reason
    return judged
  }
}

/// The correction for judging many cases together; it does not require them to be independent.
package enum HolmCorrection {
  /// Returns which hypotheses are rejected, with a limit on the chance of any false rejection.
  ///
  /// The least chance of m is compared with errorRate / m, the next with errorRate / (m - 1), and so on;
  /// the first one above its bound and all later ones are kept (Holm, "A simple sequentially rejective
  /// multiple test procedure", Scandinavian Journal of Statistics 6, 1979).
  ///
  /// - Parameters:
  ///   - chances: The p-values, in any order; NaN is never rejected but counts.
  ///   - errorRate: The allowed chance of rejecting one or more true hypotheses.
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
