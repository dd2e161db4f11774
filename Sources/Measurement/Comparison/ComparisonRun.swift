/// Compares two builds by sampling a worker of each in turn.
///
/// Each launch starts a fresh process of each build. They do the same work on the same inputs, one
/// sample at a time, in a random, balanced order. The launches of all cases are shuffled, so that a slow
/// period of the machine affects all of them. The seed determines everything except the times, and the
/// numbers of launches that depend on them.
///
///     let run = ComparisonRun(
///       base: WorkerCommand(label: "base", executable: "before/sorting"),
///       candidate: WorkerCommand(label: "candidate", executable: "after/sorting"),
///       seed: 1, budgetSeconds: 120)
///     for each in try run.measure().cases where each.role == .gated {
///       print(each.name, each.verdict, each.cpu.ratio)  // sort 20,000 numbers slower 1.052
///     }
///
/// Both programs are workers, made with `BenchmarkWorker` in Swift, or in any language with a few lines
/// that speak the worker protocol. The run always ends them. It blocks its thread and calls `isCancelled`
/// before each pair of samples.
public struct ComparisonRun {
  /// The findings of a run.
  public struct Outcome: Sendable {
    /// The gated cases in the order of the base's list, then the checks.
    public var cases: [CaseComparison]
    /// The reasons that the run cannot be trusted, each a sentence without a full stop.
    public var contamination: [String]
    /// Requested gated cases that only the base has.
    public var onlyInBase: [String]
    /// Requested gated cases that only the candidate has.
    public var onlyInCandidate: [String]
    /// The base's program, as it names itself.
    public var baseTool: String
    /// The candidate's program, as it names itself.
    public var candidateTool: String
    /// The duration in seconds of wall time.
    public var seconds: Double
  }

  /// The command that starts a worker of the build to compare with.
  public var base: WorkerCommand
  /// The command that starts a worker of the build to judge.
  public var candidate: WorkerCommand
  /// A worker of frozen code, with a control and a canary for builds that have none; nil for no such worker.
  public var checks: WorkerCommand?
  /// The margins, the error rate and the numbers of launches.
  public var settings: GateSettings
  /// The gated cases to compare; nil for all that both builds have.
  public var caseNames: [String]?
  /// The seed that chooses orders, cores and environments.
  public var seed: UInt64
  /// Wall time for the whole run, in seconds; a case that is undecided at its end is inconclusive.
  public var budgetSeconds: Double
  /// Whether a "same" is also confirmed by a second measurement, as "slower" and "faster" always are.
  package var confirmsSame = false
  /// The functions that link both builds in another order for each launch.
  package var layouts = LayoutPair()
  /// The clock that decides in gated cases; nil for wall time if a program waits, and CPU time otherwise.
  package var decidingClock: PairedLaunch.Clock?
  /// The deliberate slow-down of the candidate in the gated cases, per mille.
  package var plantedExtra: Int
  /// The processor cores, to one of which each launch is pinned; empty for no pinning.
  package var cores: [Int]
  package var clock: NanosecondClock
  package var start: WorkerGroup.Starter
  /// Called before each pair of samples; returns whether to stop.
  public var isCancelled: () -> Bool
  /// Called after each launch with the progress of the run.
  public var report: (ComparisonRunProgress) -> Void

  /// Creates a run.
  public init(
    base: WorkerCommand, candidate: WorkerCommand, settings: GateSettings = GateSettings(),
    caseNames: [String]? = nil, seed: UInt64, budgetSeconds: Double
  ) {
    (self.base, self.candidate, self.settings) = (base, candidate, settings)
    (self.caseNames, self.seed, self.budgetSeconds) = (caseNames, seed, budgetSeconds)
    plantedExtra = 0
    checks = nil
    cores = CoreAffinity.allowed()
    clock = Timestamps.monotonic
    start = { (command) throws(WorkerError) in try WorkerProcess(command) }
    isCancelled = { Task.isCancelled }
    report = { _ in }
  }

  /// Measures, confirms and judges; blocks the thread until that is done.
  ///
  /// - Returns: Every case with its samples and verdict. If the run cannot be trusted, `contamination` has
  ///   the reasons, and all of its verdicts are inconclusive.
  /// - Throws: `ComparisonRunError`; all workers have then been ended.
  public func measure() throws(ComparisonRunError) -> Outcome {
    if let settingsProblem { throw .invalidSettings(settingsProblem) }
    let began = clock()
    let deadline = began.addingSaturating(UInt64(exactly: (budgetSeconds * 1e9).rounded()) ?? .max)
    var run = self
    run.base.deadline = deadline
    run.candidate.deadline = deadline
    run.checks?.deadline = deadline
    // Errors name the failed build by its label.
    if run.candidate.label == run.base.label { run.candidate.label += " (candidate)" }
    return try run.measure(
      ComparisonRunState(began: began, deadline: deadline, fewest: settings.looks.first ?? 1))
  }

  private func measure(_ start: ComparisonRunState) throws(ComparisonRunError) -> Outcome {
    var state = start
    let lists = try listCases()
    // A candidate that lacks every case is a finding without a measurement.
    if !lists.gated.isEmpty {
      try calibrate(lists, &state)
      try measure(.measuring, stream: "looks", &state)
      try confirm(&state)
    }
    var cases: [CaseComparison] = []
    for each in state.cases { cases.append(each.comparison(settings)) }
    let judged = ComparisonVerdicts.judge(cases, settings: settings)
    return Outcome(
      cases: zip(judged.cases, state.cases).map { one, measured in
        measured.unsettledReason.map { one.judged(.inconclusive, $0) } ?? one
      },
      contamination: judged.contamination, onlyInBase: lists.onlyInBase,
      onlyInCandidate: lists.onlyInCandidate, baseTool: lists.baseTool,
      candidateTool: lists.candidateTool,
      seconds: Double(clock().saturatingSubtract(state.began)) / 1e9)
  }

  /// The reason that the settings cannot be used, in a clause without a full stop; nil if they can.
  private var settingsProblem: String? {
    if let problem = settings.problem { return problem }
    if !(budgetSeconds > 0) { return "a budget of \(budgetSeconds) seconds is not above 0" }
    if plantedExtra < 0 { return "extra work of \(plantedExtra) thousandths cannot be done" }
    return nil
  }

  /// Whether to stop the run: it was cancelled, or a signal is ending its workers.
  var isStopped: Bool { LiveWorkers.isEnding || isCancelled() }

  func checkCancellation() throws(ComparisonRunError) {
    if isStopped { throw .cancelled }
  }
}
