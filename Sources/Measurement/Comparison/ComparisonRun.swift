/// Compares two builds by sampling a worker of each in turn.
///
/// Launch by launch, a fresh process of each build does the same work on the same inputs, one
/// sample at a time, in an order that is random and balanced. The launches of all cases are
/// shuffled, so that a slow spell of the machine hits all of them. Everything but the times is
/// determined by the seed.
package struct ComparisonRun {
  /// What a run found.
  package struct Outcome: Sendable {
    /// The gated cases in the order of the base's list, then the checks.
    package var cases: [CaseComparison]
    /// Why the run cannot be trusted, each a sentence without a full stop.
    package var contamination: [String]
    /// Gated cases that were asked for and that only one of the builds has.
    package var onlyInBase: [String]
    package var onlyInCandidate: [String]
    /// The workers' programs, as they name themselves.
    package var baseTool: String
    package var candidateTool: String
    /// How long it took.
    package var seconds: Double
  }

  package var base: WorkerCommand
  package var candidate: WorkerCommand
  /// A worker of frozen code that offers a control and a canary where the builds have none; nil to
  /// do without.
  package var checks: WorkerCommand?
  package var settings: GateSettings
  /// The gated cases to compare; nil for all that both builds have.
  package var caseNames: [String]?
  package var seed: UInt64
  /// Wall time for everything; what is undecided when it ends is inconclusive.
  package var budgetSeconds: Double
  /// By how much, in thousandths, the candidate is slowed down on purpose in the gated cases.
  package var plantedExtra: Int
  /// The processor cores of which each launch is kept on one; empty to leave workers free.
  package var cores: [Int]
  /// The clock that the budget is on.
  package var clock: NanosecondClock
  /// Starts a worker.
  package var start: WorkerPair.Starter
  /// Asked before each pair of samples whether to stop.
  package var isCancelled: () -> Bool
  /// Told after each launch how far the run is.
  package var report: (ComparisonRunProgress) -> Void

  /// Describes a run.
  ///
  /// - Parameters:
  ///   - base: How to start a worker of the build to compare with.
  ///   - candidate: How to start a worker of the build to judge.
  ///   - settings: What counts as slower, and how hard to look.
  ///   - caseNames: The gated cases to compare; nil for all that both builds have.
  ///   - seed: Chooses orders.
  ///   - budgetSeconds: Wall time for everything.
  ///   - plantedExtra: By how much to slow the candidate down on purpose, in thousandths.
  package init(
    base: WorkerCommand, candidate: WorkerCommand, settings: GateSettings = GateSettings(),
    caseNames: [String]? = nil, seed: UInt64, budgetSeconds: Double, plantedExtra: Int = 0
  ) {
    self.base = base
    self.candidate = candidate
    self.settings = settings
    self.caseNames = caseNames
    self.seed = seed
    self.budgetSeconds = budgetSeconds
    self.plantedExtra = plantedExtra
    checks = nil
    cores = CoreAffinity.allowed()
    clock = Timestamps.monotonic
    start = { (command) throws(WorkerError) in try WorkerProcess(command) }
    isCancelled = { Task.isCancelled }
    report = { _ in }
  }

  /// Measures, confirms and judges; blocks the thread until that is done.
  ///
  /// - Returns: Every case with its samples and verdict.
  /// - Throws: `ComparisonRunError`; all workers have then been ended.
  package func measure() throws(ComparisonRunError) -> Outcome {
    try checkSettings()
    let began = clock()
    let lists = try listCases()
    var state = ComparisonRunState(
      cases: [], began: began,
      deadline: began.addingSaturating(UInt64(exactly: (budgetSeconds * 1e9).rounded()) ?? .max))
    try calibrate(lists, &state)
    try look(&state)
    try confirm(&state)
    var cases: [CaseComparison] = []
    for each in state.cases { cases.append(each.comparison(settings)) }
    let judged = ComparisonVerdicts.judge(cases, settings: settings)
    return Outcome(
      cases: zip(judged.cases, state.cases).map { $0.0.unsettled(for: $0.1.unsettledReason) },
      contamination: judged.contamination, onlyInBase: lists.onlyInBase,
      onlyInCandidate: lists.onlyInCandidate, baseTool: lists.baseTool,
      candidateTool: lists.candidateTool,
      seconds: Double(clock().subtractingToZero(began)) / 1e9)
  }

  private func checkSettings() throws(ComparisonRunError) {
    do {
      try settings.validate()
    } catch {
      throw .invalidSettings("\(error)")
    }
    let reason: String? =
      if settings.pairsPerLaunch < 2 {
        "\(settings.pairsPerLaunch) pairs in a launch are fewer than 2"
      } else if !(budgetSeconds > 0) {
        "a budget of \(budgetSeconds) seconds is no time"
      } else if plantedExtra < 0 {
        "extra work of \(plantedExtra) thousandths cannot be done"
      } else {
        nil
      }
    if let reason { throw .invalidSettings(reason) }
  }

  /// Stops between samples if the run is no longer wanted.
  func checkCancellation() throws(ComparisonRunError) {
    if isCancelled() { throw .cancelled }
  }
}

extension CaseComparison {
  /// The same case, inconclusive for a reason; unchanged without one.
  fileprivate func unsettled(for reason: String?) -> CaseComparison {
    guard let reason else { return self }
    var result = self
    result.verdict = .inconclusive
    result.reason = reason
    return result
  }
}
