internal import Measurement

extension RunResult {
  /// Creates the result of a comparison: a row for each case, and for each that only the base has.
  init(_ comparison: BuildComparison, strict: Bool = false, command: [String] = []) {
    self.init(
      kind: .compare, command: command, startedAt: comparison.startedAt,
      seconds: comparison.seconds, seed: comparison.seed,
      environment: Environment(machine: comparison.machine))
    settings = Settings(
      strict: strict, gate: comparison.settings, allowedCounters: comparison.allowedCounters,
      oneLayout: comparison.oneLayout, claim: comparison.claim)
    contenders = [comparison.base, comparison.candidate].map { build in
      Contender(
        name: build.name, kind: .build, tool: build.tool, commit: build.commit,
        isDirty: build.isDirty, dependencies: build.dependencies)
    }
    overall = comparison.overall
    contamination = comparison.contamination
    onlyInBase = comparison.onlyInBase
    onlyInCandidate = comparison.onlyInCandidate
    let allowed = Set(comparison.allowedCounters ?? [])
    rows = comparison.cases.map {
      Row($0, allowed: allowed, contamination: comparison.contamination.first)
    }
    rows += comparison.onlyInBase.map {
      Row(
        name: $0,
        verdict: Row.Verdict(.caseMissing, reason: "the base has it, the candidate does not"))
    }
    conclude()
    let allowedRises = rows.filter { $0.role == .gated }.flatMap { row in
      row.changedCounters.filter { $0.isRise && allowed.contains($0.name) }
        .map { "\(row.name): \($0), which is allowed" }
    }
    notes =
      allowedRises + comparison.onlyInCandidate.map { "\($0): new, only the candidate has it" }
      + comparison.changedDependencies
  }
}

extension BuildComparison {
  /// Creates the comparison that a result keeps; nil if a part of it is missing.
  init?(_ result: RunResult) {
    guard result.contenders.count == 2, let settings = result.settings.gate,
      let seconds = result.seconds
    else { return nil }
    let builds = result.contenders.map { build in
      Build(
        name: build.name, commit: build.commit, isDirty: build.isDirty, tool: build.tool ?? "",
        dependencies: build.dependencies)
    }
    self.init(
      startedAt: result.startedAt, seconds: seconds, seed: result.seed, settings: settings,
      machine: result.environment.machine, base: builds[0], candidate: builds[1],
      cases: result.rows.compactMap(\.comparison),
      onlyInBase: result.onlyInBase ?? [], onlyInCandidate: result.onlyInCandidate ?? [],
      overall: result.overall, contamination: result.contamination ?? [],
      oneLayout: result.settings.oneLayout, allowedCounters: result.settings.allowedCounters)
  }

  /// The dependencies whose versions differ between the two builds, in sentences.
  fileprivate var changedDependencies: [String] {
    guard let before = base.dependencies, let after = candidate.dependencies else { return [] }
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
    p95Change = one.tails?.p95.map { Row.Ratio($0.ratio) }
    p99Change = one.tails?.p99.map { Row.Ratio($0.ratio) }
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
