/// One run of a property, from its settings to its report.
final class PropertyRun<Value: Sendable> {
  let name: String
  let examples: [Value]
  let settings: PropertySettings
  let seed: UInt64
  let codec: ValueCodec<Value>?
  let describe: @Sendable (Value) -> String
  let runner: CaseRunner<Value>
  let began: ContinuousClock.Instant
  /// When no more cases are begun, if the time is limited.
  let deadline: ContinuousClock.Instant?
  let log: CaseLog<Value>?

  /// All valid cases so far and what came of them.
  var total = RoundSummary<Value>()
  /// Those drawn by `generate` alone, which are a fair sample.
  var generated = RoundSummary<Value>()
  var isExhaustive = false
  var health: [HealthFinding] = []
  var isHopeless = false
  var storeProblems: [String] = []
  var counterexamples: [Counterexample<Value>] = []
  var unreported: Set<FailureOrigin> = []
  var reused = ReusedFailures()

  init(
    _ name: String, _ generator: Gen<Value>, _ examples: [Value], _ settings: PropertySettings,
    _ codec: ValueCodec<Value>?, _ describe: @escaping @Sendable (Value) -> String,
    _ body: @escaping @Sendable (Value, inout TestCase) async throws -> Void
  ) {
    self.name = name
    self.examples = examples
    self.settings = settings
    self.seed = settings.seed(of: name)
    self.codec = codec
    self.describe = describe
    let began = ContinuousClock.now
    self.began = began
    let limiter = settings.caseTimeLimit.map { CaseLimiter(limit: $0) }
    runner = CaseRunner(generator: generator, body: body, limiter: limiter)
    let budget = settings.timeBudget.map { began.advanced(by: $0) }
    deadline = [budget, settings.end].compactMap(\.self).min()
    log = settings.observer.map {
      CaseLog(property: name, describe: describe, observer: $0)
    }
  }

  /// Runs every phase and says what they found.
  func report() async -> PropertyReport<Value> {
    if settings.phases.contains(.explicit) { await tryExamples() }
    if settings.phases.contains(.reuse) { await reuseFailures() }
    if settings.phases.contains(.generate), total.failures.isEmpty { await generate() }
    await examineFailures()
    await storeFailures()
    return finish()
  }

  /// Whether no more cases should be begun.
  var isOver: Bool {
    // However little time there is, one case is run.
    Task.isCancelled || total.isCutShort
      || total.executed > 0 && deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  /// Whether no case should be run any more, not even to examine a failure.
  var isAtEnd: Bool { settings.end.map { ContinuousClock.now >= $0 } ?? false }

  private func finish() -> PropertyReport<Value> {
    var report = PropertyReport<Value>(name: name, seed: seed)
    report.cases = total.valid
    report.discards = total.discards
    report.oversized = total.oversized
    report.classes = classReports
    report.tables = generated.tables.tables.map { table in
      ValueTable(
        name: table.name, total: generated.valid,
        rows: table.counts.map { .init(value: $0.key, count: $0.value) }
          .sorted { ($1.count, $0.value) < ($0.count, $1.value) }, others: table.others)
    }
    report.failures = counterexamples
    report.unreportedFailures = unreported.count
    report.healthFindings = health
    report.storeProblems = storeProblems
    report.wasExhaustive = isExhaustive
    report.bestScores = total.best.reduce(into: [:]) { $0[$1.name] = $1.score }
    report.engineShare =
      total.sampled > .zero ? min(max(1 - total.testing / total.sampled, 0), 1) : 0
    report.verdict = verdict(report.classes)
    report.elapsed = began.duration(to: .now)
    return report
  }

  private func verdict(_ classes: [ClassReport]) -> PropertyReport<Value>.Verdict {
    if !counterexamples.isEmpty { return .failed }
    if Task.isCancelled { return .gaveUp(.cancelled) }
    if !health.isEmpty { return .gaveUp(.unhealthy) }
    if isHopeless { return .gaveUp(.tooFewValidCases) }
    if total.valid == 0 { return .gaveUp(.nothingRun) }
    let missed = classes.filter { $0.verdict == .missed }.map(\.name)
    if !missed.isEmpty { return .gaveUp(.missedClasses(missed)) }
    let undecided = classes.filter { $0.verdict == .undecided }.map(\.name)
    return undecided.isEmpty ? .passed : .gaveUp(.undecidedClasses(undecided))
  }

  /// The classes as they stand.
  var classReports: [ClassReport] {
    generated.classes.tallies.map { tally in
      ClassReport(
        name: tally.name, count: tally.count, total: generated.valid,
        requiredShare: tally.share, verdict: decide(tally))
    }
  }

  private func decide(_ tally: ClassTallies.Tally) -> ClassReport.Verdict {
    guard let share = tally.share else { return .notRequired }
    guard isExhaustive else {
      return SequentialShare.decide(share: share, count: tally.count, of: generated.valid)
    }
    // Nothing is left to chance when all cases were seen.
    return Double(tally.count) >= share * Double(generated.valid) ? .met : .missed
  }
}
