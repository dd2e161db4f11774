final class PropertyRun<Value: Sendable> {
  let examples: [Value]
  let settings: PropertySettings
  let codec: ValueCodec<Value>?
  let describe: @Sendable (Value) -> String
  let runner: CaseRunner<Value>
  let began: ContinuousClock.Instant
  /// The time from which no more cases begin; nil if unlimited.
  let deadline: ContinuousClock.Instant?

  var total = RoundSummary<Value>()
  /// The results of only those cases that `generate` drew, which are a fair sample.
  var generated = RoundSummary<Value>()
  var isHopeless = false
  var report: PropertyReport<Value>
  /// The stored failures that no longer fail.
  var gone: [StoredFailure] = []
  /// The stored failures that still fail, with the origins of their failures.
  var failing: [(StoredFailure, FailureOrigin)] = []

  init(
    _ name: String, _ generator: Gen<Value>, _ examples: [Value], _ settings: PropertySettings,
    _ codec: ValueCodec<Value>?, _ describe: @escaping @Sendable (Value) -> String,
    _ body: @escaping @Sendable (Value, inout TestCase) async throws -> Void
  ) {
    self.examples = examples
    self.settings = settings
    report = PropertyReport(name: name, seed: settings.seed(of: name))
    self.codec = codec
    self.describe = describe
    let began = ContinuousClock.now
    self.began = began
    let limiter = settings.caseTimeLimit.map { CaseLimiter(limit: $0) }
    runner = CaseRunner(generator: generator, body: body, limiter: limiter)
    let budget = settings.timeBudget.map { began.advanced(by: $0) }
    deadline = [budget, settings.end].compactMap(\.self).min()
  }

  func run() async -> PropertyReport<Value> {
    if settings.phases.contains(.explicit) { await tryExamples() }
    if settings.phases.contains(.reuse) { await reuseFailures() }
    if settings.phases.contains(.generate), total.failures.isEmpty { await generate() }
    await examineFailures()
    storeFailures()
    finish()
    return report
  }

  var name: String { report.name }
  var seed: UInt64 { report.seed }

  var isOver: Bool {
    // One case runs even after the deadline.
    Task.isCancelled || total.isCutShort
      || total.executed > 0 && deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  private func finish() {
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
    report.bestScores = total.best.reduce(into: [:]) { $0[$1.name] = $1.score }
    report.engineShare =
      total.sampled > .zero ? min(max(1 - total.testing / total.sampled, 0), 1) : 0
    report.verdict = verdict
    report.elapsed = began.duration(to: .now)
  }

  private var verdict: PropertyReport<Value>.Verdict {
    if !report.failures.isEmpty { return .failed }
    if Task.isCancelled { return .gaveUp(.cancelled) }
    if !report.healthFindings.isEmpty { return .gaveUp(.unhealthy) }
    if isHopeless { return .gaveUp(.tooFewValidCases) }
    if total.valid == 0 { return .gaveUp(.nothingRun) }
    let missed = report.classes.filter { $0.verdict == .missed }.map(\.name)
    if !missed.isEmpty { return .gaveUp(.missedClasses(missed)) }
    let undecided = report.classes.filter { $0.verdict == .undecided }.map(\.name)
    return undecided.isEmpty ? .passed : .gaveUp(.undecidedClasses(undecided))
  }

  var classReports: [ClassReport] {
    generated.classes.tallies.map { tally in
      ClassReport(
        name: tally.name, count: tally.count, total: generated.valid,
        requiredShare: tally.share, verdict: decide(tally))
    }
  }

  private func decide(_ tally: ClassTallies.Tally) -> ClassReport.Verdict {
    guard let share = tally.share else { return .notRequired }
    guard report.wasExhaustive else {
      return SequentialShare.decide(
        share: share, count: tally.count, of: generated.valid, isEarly: settings.decidesEarly)
    }
    // After all cases were tried, the share is exact.
    return Double(tally.count) >= share * Double(generated.valid) ? .met : .missed
  }
}

extension PropertyRun {
  func tryExamples() async {
    for example in examples where !isOver {
      _ = await tryGiven(example, .explicit)
    }
  }

  /// Runs the property on a value that was not generated; returns the origin of its failure, or nil if it holds.
  private func tryGiven(_ value: Value, _ phase: Phase) async -> FailureOrigin? {
    let seed = seed
    let lane = CaseLane(
      runner: runner.given(value), phase: phase, deadline: nil,
      // Values that the property draws are random.
      start: { _ in .replay([], tail: .random, seed: seed) })
    var summary = await lane.run(0..<1)
    // Without choices the case can neither be shrunk nor serve as the start of a climb.
    for index in summary.failures.indices { summary.failures[index].attempt = nil }
    summary.best = []
    total.add(summary)
    return summary.failures.first?.origin
  }

  func reuseFailures() async {
    for token in settings.reproducing where !isOver {
      if await tryToken(token) == nil {
        report.storeProblems.append("the case of the token \(token) does not fail")
      }
    }
    guard let store = settings.store else { return }
    let stored: (failures: [StoredFailure], problems: [String])
    do {
      stored = try store.load(name)
    } catch {
      report.storeProblems.append("stored failures cannot be read: \(error)")
      return
    }
    report.storeProblems += stored.problems
    for failure in stored.failures where !isOver {
      switch await tryStored(failure) {
      case .fails(let origin): failing.append((failure, origin))
      case .passes where !isOver: gone.append(failure)
      case .passes, .unreadable: break
      }
    }
  }

  /// Runs the case of a token; returns the origin of its failure, or nil if it does not fail.
  private func tryToken(_ token: ReplayToken) async -> FailureOrigin? {
    await round(0..<1, .reuse) { _ in .replay(token.choices, tail: .overrun) }.failures.first?
      .origin
  }

  private enum Reuse {
    case fails(FailureOrigin), passes, unreadable
  }

  /// Runs the stored choices of a failure; if they now yield another value, also runs the stored value.
  private func tryStored(_ failure: StoredFailure) async -> Reuse {
    if let token = failure.token, let origin = await tryToken(token) { return .fails(origin) }
    guard let codec, let text = failure.value else {
      return failure.token == nil ? .unreadable : .passes
    }
    if let token = failure.token,
      let drawn = await runner.draw(.replay(token.choices, tail: .overrun)),
      !drawn.record.isOverrun, codec.encode(drawn.value) == text
    {
      return .passes
    }
    do {
      return await tryGiven(try codec.decode(text), .reuse).map { .fails($0) } ?? .passes
    } catch {
      report.storeProblems.append("\(failure.digest): the stored value cannot be read: \(error)")
      return .unreadable
    }
  }

  /// Saves the failures of the run; removes stored failures that no longer fail or that shrank further.
  func storeFailures() {
    guard let store = settings.store, !Task.isCancelled else { return }
    var kept: Set<String> = []
    do {
      // Failures that are gone are removed first, because they may fill the store.
      for failure in gone { try store.remove(failure, of: name) }
      for failure in report.failures {
        guard let token = failure.token else { continue }
        let value = codec?.encode(failure.minimal) ?? failure.description
        let stored = StoredFailure(digest: token.digest, token: token, value: value)
        try store.save(stored, of: name)
        kept.insert(stored.digest)
      }
      let simpler = Set(report.failures.filter { $0.token != nil }.map(\.origin))
      for (failure, origin) in failing
      where simpler.contains(origin) && !kept.contains(failure.digest) {
        try store.remove(failure, of: name)
      }
    } catch {
      report.storeProblems.append("failures cannot be stored: \(error)")
    }
  }
}
