internal import Measurement

/// The conclusion of a comparison, which alone sets the exit code and every output.
struct ComparisonVerdict {
  struct Case {
    /// The case as measured; in a contaminated run its verdict is inconclusive.
    let comparison: CaseComparison
    /// Nil for a check of the run.
    let conclusion: Conclusion?
    let outcome: CaseOutcome
    /// The counters that rose and that `--allow-counter` names.
    let allowedRises: [CounterChange]
  }

  let conclusion: Conclusion
  /// The gated cases in the order of the suite, then those that the candidate lacks.
  let gated: [Case]
  let checks: [Case]
  /// The checks that could not be decided, comma-separated.
  private let missingChecks: String
  /// The reasons that the run's times are not used; empty for a clean run.
  let contamination: [String]
  /// Remarks without effect on the conclusion: cases that only the candidate has, allowed rises.
  let notes: [String]

  init(_ result: BuildComparison) {
    let allowed = Set(result.allowedCounters ?? [])
    let reasons = result.contamination
    contamination = reasons
    gated =
      result.cases.filter { $0.role == .gated }
      .map { Case($0, isMissing: false, allowed: allowed, contamination: reasons) }
      + result.onlyInBase.map {
        Case(.missing($0), isMissing: true, allowed: allowed, contamination: reasons)
      }
    checks = result.cases.filter { $0.role != .gated }.map(Case.init(check:))
    missingChecks = checks.filter { $0.comparison.isSound == nil }.map(\.comparison.name)
      .joined(separator: ", ")
    conclusion = Conclusion(
      of: gated.compactMap(\.conclusion), isContaminated: !reasons.isEmpty)
    notes =
      gated.flatMap { one in
        one.allowedRises.map { "\(one.comparison.name): \($0), which is allowed" }
      } + result.onlyInCandidate.map { "\($0): new, only the candidate has it" }
      + Self.changedDependencies(result.base, result.candidate)
  }

  /// Returns the dependencies whose versions differ between the two builds.
  private static func changedDependencies(
    _ base: BuildComparison.Build, _ candidate: BuildComparison.Build
  ) -> [String] {
    guard let before = base.dependencies, let after = candidate.dependencies else { return [] }
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      let (one, other) = (before[name] ?? "none", after[name] ?? "none")
      return one == other
        ? nil : "the dependency \(name) differs, too: \(one) in the base, \(other) in the candidate"
    }
  }

  func count(_ conclusion: Conclusion) -> Int { gated.count { $0.conclusion == conclusion } }

  /// The number of gated cases for each conclusion: "slower: 1, same: 5".
  var tally: String {
    Conclusion.allCases.filter { count($0) > 0 }.map { "\($0.rawValue): \(count($0))" }
      .joined(separator: ", ")
  }

  /// The conclusion as a headline: "Slower: 1 of 6 cases", with any missing checks.
  var headline: String { "\(conclusion.title): \(extent)\(unchecked)" }

  /// The checks that are missing from a verdict about times.
  private var unchecked: String {
    switch conclusion {
    case .slower, .faster, .same, .partlyInconclusive:
      missingChecks.isEmpty ? "" : ", without a check: \(missingChecks)"
    default: ""
    }
  }

  /// The cases that the conclusion is about: "1 of 6 cases".
  var extent: String {
    let all = gated.count == 1 ? "1 case" : "\(gated.count) cases"
    switch conclusion {
    case .contaminated: return "no time of this run counts"
    case .inconclusive: return gated.isEmpty ? "nothing was compared" : "none of \(all) decided"
    case .partlyInconclusive: return "\(count(.inconclusive)) of \(all) not decided"
    case .faster: return "\(count(.faster)) of \(all), none slower"
    case .same: return gated.count == 1 ? "the one case" : "all \(all)"
    case .pixelsDiffer, .caseFails, .caseMissing, .counterRose, .slower:
      return "\(count(conclusion)) of \(all)"
    }
  }

  /// Throws the failure that sets the exit code; returns if the code is 0.
  func check(strict: Bool) throws {
    let status = conclusion.exitStatus(strict: strict)
    if status == .success { return }
    throw Failure(status, explanation)
  }

  /// The conclusion in one line, with its most important case.
  var explanation: String {
    let same = gated.filter {
      $0.conclusion == (conclusion == .partlyInconclusive ? .inconclusive : conclusion)
    }
    let first = same.max { $0.severity < $1.severity }
    let others = Format.andMore(same.count - 1, "case")
    switch conclusion {
    case .contaminated:
      return "the run is contaminated: \(contamination.first ?? "") (measure again)"
    case .inconclusive, .partlyInconclusive:
      guard let first else { return "nothing was compared (choose other cases)" }
      return "\(first.line)\(others) (give it a longer --budget or a quieter machine)"
    default: return first.map { $0.line + others + unchecked } ?? headline
    }
  }
}

extension ComparisonVerdict.Case {
  fileprivate init(
    _ one: CaseComparison, isMissing: Bool, allowed: Set<String>, contamination: [String]
  ) {
    var one = one
    if !contamination.isEmpty { one.verdict = .inconclusive }
    let allRises = one.changedCounters.filter(\.isRise)
    let rises = allRises.filter { !allowed.contains($0.name) }
    let conclusion = Conclusion(
      of: Conclusion.CaseFacts(
        verdict: one.verdict, hasDifferingPixels: !one.differingRounds.isEmpty,
        isFailing: one.failure != nil, isMissing: isMissing, hasRisenCounter: !rises.isEmpty),
      isContaminated: !contamination.isEmpty)
    let message =
      switch conclusion {
      case .pixelsDiffer:
        "\(one.differingRounds.count) of \(one.answersCompared) answers have other pixels than the"
          + " base's"
      case .caseFails: one.failure ?? ""
      case .caseMissing: "the base has it, the candidate does not"
      case .counterRose:
        "\(rises[0])" + Format.andMore(rises.count - 1, "counter")
      case .contaminated: "the run is contaminated: \(contamination[0])"
      case .slower:
        "\(one.clock.word) time changed by \(Format.estimate(one.change)) at a confidence of"
          + " \(Format.level(one.change.interval))"
      case .inconclusive, .partlyInconclusive: one.reason ?? "too noisy to tell"
      case .faster, .same: ""
      }
    comparison = one
    allowedRises = allRises.filter { allowed.contains($0.name) }
    self.conclusion = conclusion
    outcome =
      switch conclusion.exitStatus(strict: true) {
      case .success: .passed
      case .finding: .failed(conclusion.rawValue, message: message)
      default: .undecided(message: message)
      }
  }

  /// Creates the entry of a check, which passes or is undecided: it is not code under test.
  fileprivate init(check one: CaseComparison) {
    comparison = one
    allowedRises = []
    conclusion = nil
    let why = one.reason.map { ": \($0)" } ?? ""
    outcome =
      switch one.isSound {
      case true?: .passed
      case false?:
        .undecided(message: "expected \(one.expectation), found \(one.verdict.rawValue)\(why)")
      case nil: .undecided(message: "the check could not be decided\(why)")
      }
  }

  /// The word for lists: the conclusion of a gated case, the verdict of a check.
  var word: String { conclusion?.rawValue ?? comparison.verdict.rawValue }

  /// The case with the reason that it does not pass.
  fileprivate var line: String {
    switch outcome {
    case .passed: comparison.name
    case .failed(let finding, let message): "\(comparison.name): \(finding): \(message)"
    case .undecided(let message), .unmeasured(let message): "\(comparison.name): \(message)"
    }
  }

  /// The rank in lists: the slowest cases first, others in their order.
  fileprivate var severity: Double { conclusion == .slower ? comparison.change.ratio : 0 }
}

/// A comparison as `compare --format json` writes it: the result with its conclusion.
///
/// Our readers compute the conclusion again, so that a file cannot contradict itself.
struct JudgedComparison: Encodable {
  private struct Case: Encodable {
    let name: String
    /// Nil for a check of the run.
    let conclusion: String?
    let outcome: String
    let message: String?
  }

  private enum Keys: String, CodingKey { case outcome, exitCode, outcomes }

  private let result: BuildComparison
  private let strict: Bool

  init(_ result: BuildComparison, strict: Bool) {
    self.result = result
    self.strict = strict
  }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    let verdict = result.verdict
    var fields = encoder.container(keyedBy: Keys.self)
    try fields.encode(verdict.conclusion.rawValue, forKey: .outcome)
    try fields.encode(
      verdict.conclusion.exitStatus(strict: strict).rawValue, forKey: .exitCode)
    let cases = (verdict.gated + verdict.checks).map { one in
      Case(
        name: one.comparison.name, conclusion: one.conclusion?.rawValue, outcome: one.outcome.word,
        message: one.outcome.message)
    }
    try fields.encode(cases, forKey: .outcomes)
  }
}

extension PairedLaunch.Clock {
  var word: String { self == .cpu ? "CPU" : "wall" }
}

extension BuildComparison {
  var verdict: ComparisonVerdict { ComparisonVerdict(self) }
}

extension CaseComparison {
  /// Whether a check has its expected result; nil for a gated case or an undecided check.
  var isSound: Bool? {
    switch (role, verdict) {
    case (.gated, _), (_, .inconclusive): nil
    case (.canary, let verdict): verdict == .slower
    case (_, let verdict): verdict == .same
    }
  }

  var expectation: String {
    switch role {
    case .gated: ""
    case .sameBuild: "same (one build on both sides)"
    case .control: "same (frozen code in both builds)"
    case .canary: "slower (5 % more work on one side)"
    }
  }

  /// The counts that differ between the builds, in alphabetical order.
  var changedCounters: [CounterChange] { CounterChange.all(in: counters) }

  /// Returns the median time of one run of the work, in nanoseconds, over the pairs of the change estimate.
  func median(
    _ arm: (PairedLaunch) -> PairedLaunch.Arm, _ clock: PairedLaunch.Clock
  ) -> Double? {
    let samples = clock == .cpu ? Self.cpu(changeLaunches, arm) : Self.wall(changeLaunches, arm)
    return (try? SortedSamples(samples.flatMap { $0 }))?.median
  }

  /// Whether CPU time decides and wall time differs from it by more than a fifth, in either build.
  var isWallApart: Bool {
    clock == .cpu
      && [\PairedLaunch.base, \.candidate].contains { arm in
        guard let cpu = median({ $0[keyPath: arm] }, .cpu),
          let wall = median({ $0[keyPath: arm] }, .wall)
        else { return false }
        return max(cpu, wall) > 1.2 * min(cpu, wall)
      }
  }

  /// Returns the entry of a case that only the base has.
  fileprivate static func missing(_ name: String) -> CaseComparison {
    let nothing = ChangeEstimate(
      pairs: 0, launches: 0, ratio: 1, interval: nil, unit: .pair, spread: 0,
      detectableChange: nil, chance: 1, verdict: .inconclusive)
    return CaseComparison(
      name: name, role: .gated, launches: [], cpu: nothing, wall: nothing, verdict: .inconclusive)
  }
}

/// A count that changed: an exact one, or one that differs by more than launches of one build do.
struct CounterChange: Hashable, CustomStringConvertible {
  let name: String
  let base: Int
  let candidate: Int

  var isRise: Bool { candidate > base }

  var description: String {
    "\(name) \(isRise ? "rose" : "fell") from \(Format.grouped(base)) to "
      + "\(Format.grouped(candidate))"
  }

  /// Returns the steady counters that differ between the builds, by name.
  ///
  /// Instruction counts repeat only to some ten-millionths, since hash seeds and addresses differ between
  /// processes. The limit of half a per cent is far above that, and below what time could show.
  static func all(in counters: CaseComparison.Counters) -> [CounterChange] {
    return counters.base.keys.sorted().compactMap { name in
      guard let base = counters.base[name], let candidate = counters.candidate[name],
        !counters.unsteady.contains(name), base != candidate
      else { return nil }
      let slack = name == InstructionCount.counter ? max(base, 1) / 200 : 0
      guard (candidate - base).magnitude > slack else { return nil }
      return CounterChange(name: name, base: base, candidate: candidate)
    }
  }
}
