internal import Foundation
internal import Measurement

extension RunResult {
  /// A comparison's cases under test and its checks, in the order of the suite.
  var cases: [CaseComparison] { rows.compactMap(\.comparison) }

  /// Gives a comparison its rows, including one for each case that only the base has, and all that follows
  /// from them.
  mutating func compare(_ cases: [CaseComparison]) {
    let allowed = Set(settings.allowedCounters ?? [])
    let missing = onlyInBase ?? []
    settings.claim = claim(of: cases)
    rows = cases.map { Row($0, allowed: allowed, contamination: contamination?.first) }
    rows += missing.map {
      Row(
        name: $0,
        verdict: Row.Verdict(.caseMissing, reason: "the base has it, the candidate does not"))
    }
    let changes = cases.filter { $0.role == .gated && $0.failure == nil }.map(\.change)
    let logarithms = changes.reduce(0) { $0 + log($1.ratio) }
    overall =
      changes.isEmpty || changes.contains { $0.pairs == 0 }
      ? nil : exp(logarithms / Double(changes.count))
    conclude()
    let allowedRises = rows.filter { $0.role == .gated }.flatMap { row in
      row.changedCounters.filter { $0.isRise && allowed.contains($0.name) }
        .map { "\(row.name): \($0), which is allowed" }
    }
    notes =
      allowedRises + (onlyInCandidate ?? []).map { "\($0): new, only the candidate has it" }
      + changedDependencies
  }

  /// The subject of the verdicts, in a sentence without a full stop.
  private func claim(of cases: [CaseComparison]) -> String {
    // Each launch linked both builds in another order.
    if cases.contains(where: { each in each.launches.contains { $0.layout != nil } }) {
      return "verdicts are about the code: each launch has both builds linked in another order"
    }
    let reason = settings.oneLayout.map { ": \($0)" } ?? ""
    return
      "verdicts are about the two programs as they are, with any difference in code layout\(reason)"
  }

  /// The dependencies whose versions differ between the two builds, in sentences.
  private var changedDependencies: [String] {
    guard let before = contenders.first?.dependencies, let after = contenders.last?.dependencies
    else { return [] }
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      let (one, other) = (before[name] ?? "none", after[name] ?? "none")
      return one == other
        ? nil : "the dependency \(name) differs, too: \(one) in the base, \(other) in the candidate"
    }
  }
}

extension Row {
  fileprivate init(_ one: CaseComparison, allowed: Set<String>, contamination: String?) {
    self.init(
      name: one.name, role: one.role,
      verdict: one.role == .gated ? Verdict(Word(one.verdict)) : Verdict(check: one),
      figures: Figures(one), counters: one.counters.candidate, comparison: one)
    guard role == .gated else { return }
    let rises = changedCounters.filter { $0.isRise && !allowed.contains($0.name) }
    if !one.differingRounds.isEmpty {
      verdict = Verdict(
        .pixelsDiffer,
        reason: "\(one.differingRounds.count) of \(one.answersCompared) answers have other pixels"
          + " than the base's")
    } else if let failure = one.failure {
      verdict = Verdict(.caseFails, reason: failure)
    } else if let rise = rises.first {
      verdict = Verdict(
        .counterRose, reason: "\(rise)" + Format.andMore(rises.count - 1, "counter"))
    } else if let contamination {
      verdict = Verdict(.contaminated, reason: "the run is contaminated: \(contamination)")
    } else if verdict.word == .slower {
      verdict.reason =
        "\(one.clock.word) time changed by \(Format.estimate(one.change)) at a confidence of "
        + Format.level(one.change.interval)
    } else if verdict.word == .undecided {
      verdict.reason = one.reason ?? "the samples are too noisy"
    }
  }

  /// The counts that differ between the builds, in alphabetical order.
  var changedCounters: [CounterChange] {
    comparison.map { CounterChange.all(in: $0.counters) } ?? []
  }
}

extension Row.Figures {
  fileprivate init(_ one: CaseComparison) {
    func times(
      _ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>, _ clock: PairedLaunch.Clock
    ) -> [[Double]] {
      one.launches.map { $0.once(arm, clock) }
    }
    self.init()
    setTimes(wall: times(\.candidate, .wall), cpu: times(\.candidate, .cpu))
    baseP50 = Self.median(times(\.base, .wall))
    baseCPUP50 = Self.median(times(\.base, .cpu))
    if one.change.pairs > 0 {
      let (cpu, wall) = (one.change(on: .cpu), one.change(on: .wall))
      cpuChange = Row.Ratio(cpu.ratio, cpu.interval, pairs: cpu.pairs)
      wallChange = Row.Ratio(wall.ratio, wall.interval, pairs: wall.pairs)
      detectable = one.change.detectableChange
    }
    p95Change = one.tails?.p95.map { Row.Ratio($0.ratio, $0.interval) }
    p99Change = one.tails?.p99.map { Row.Ratio($0.ratio, $0.interval) }
    seconds =
      (times(\.base, .wall) + times(\.candidate, .wall)).joined().reduce(0, +) / 1e9
  }
}

extension PairedLaunch {
  /// Returns the nanoseconds of one run of the work for each pair.
  fileprivate func once(_ arm: KeyPath<PairedLaunch, Arm>, _ clock: Clock) -> [Double] {
    self[keyPath: arm].nanoseconds(clock).map { Double($0) / Double(max(1, repeats)) }
  }
}

extension Word {
  fileprivate init(_ verdict: Verdict) {
    switch verdict {
    case .slower: self = .slower
    case .faster: self = .faster
    case .same: self = .same
    case .inconclusive: self = .undecided
    }
  }
}

extension Row.Verdict {
  /// Judges a check, which passes or is undecided: it is not code under test.
  fileprivate init(check one: CaseComparison) {
    let word = Word(one.verdict)
    let why = one.reason.map { ": \($0)" } ?? ""
    if word == .undecided {
      self.init(word, reason: "the check could not be decided\(why)")
    } else if word == (one.role == .canary ? .slower : .same) {
      self.init(word, standing: .passed)
    } else {
      self.init(
        word, standing: .undecided,
        reason: "expected \(one.role.expectation), found \(word.rawValue)\(why)")
    }
  }
}

extension CaseComparison.Role {
  fileprivate var expectation: String {
    switch self {
    case .gated: ""
    case .sameBuild: "same (one build on both sides)"
    case .control: "same (frozen code in both builds)"
    case .canary: "slower (5 % more work on one side)"
    }
  }
}

extension CaseComparison {
  /// Returns the median time of one run of the work, in nanoseconds, over the pairs of the change estimate.
  func median(
    _ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>, _ clock: PairedLaunch.Clock
  ) -> Double? {
    Row.Figures.median(changeLaunches.map { $0.once(arm, clock) })
  }

  /// Whether CPU time decides and wall time differs from it by more than a fifth, in either build.
  var isWallApart: Bool {
    clock == .cpu
      && [\PairedLaunch.base, \.candidate].contains { arm in
        guard let cpu = median(arm, .cpu), let wall = median(arm, .wall) else { return false }
        return max(cpu, wall) > 1.2 * min(cpu, wall)
      }
  }
}
