struct ComparisonRunCase {
  struct Plan {
    let name: String
    let workerCase: String
    let role: CaseComparison.Role
    let base: WorkerCommand
    let candidate: WorkerCommand
    /// The candidate's additional work, per mille.
    var candidateExtra = 0
    /// The functions that link both builds in another order for each launch.
    var layouts = LayoutPair()
    /// The number of repeats of the work per sample, in both builds and all launches.
    var repeats = 1
    /// The clock that decides; nil to choose it from the first launches.
    var clock: PairedLaunch.Clock?
  }

  struct Measurement {
    var looks: SequentialComparison
    var launches: [PairedLaunch] = []
    /// The number of launches at the next look; nil after the last look.
    var target: Int?
    var estimate: ChangeEstimate?

    var missing: Int { max(0, (target ?? 0) - launches.count) }
  }

  let plan: Plan
  /// The expected nanoseconds per launch: a moving average, or the estimate of calibration.
  var launchCost: UInt64
  var first: Measurement
  /// The second measurement, which confirms the first in fresh processes.
  private(set) var second: Measurement?
  /// The number of launches of a second measurement for which time is reserved.
  var reservedLaunches = 0
  private var answersCompared = 0
  private var differingRounds: [Int] = []
  private var counters = CounterRanges()
  private(set) var failure: CaseFailure?
  /// The reason that the case is inconclusive whatever its samples show.
  private(set) var unsettledReason: String?

  init(plan: Plan, launchCost: UInt64, looks: SequentialComparison) {
    self.plan = plan
    self.launchCost = launchCost
    first = Measurement(looks: looks)
    lookAgain()
  }

  var current: Measurement {
    get { second ?? first }
    set { if second == nil { first = newValue } else { second = newValue } }
  }

  var isUndecided: Bool { current.target != nil }

  mutating func fail(_ failure: CaseFailure) {
    self.failure = failure
    current.target = nil
    unsettledReason = failure.description
  }

  /// Whether the verdict of a gated case must be confirmed: a change, and on request "same".
  func awaitsConfirmation(ofSame same: Bool) -> Bool {
    guard plan.role == .gated, second == nil, failure == nil else { return false }
    return switch first.estimate?.verdict {
    case .slower, .faster: true
    case .same: same
    case .inconclusive, nil: false
    }
  }

  mutating func begin(_ measurement: Measurement) {
    second = measurement
    second?.looks.clock = first.looks.clock
    reservedLaunches = 0
    lookAgain()
  }

  var launchCount: Int { first.launches.count + (second?.launches.count ?? 0) }

  func cost(ofLaunches count: Int) -> UInt64 { launchCost.multipliedSaturating(by: count) }

  /// The relative time until the verdict: the number of launches for a precision grows with the square of
  /// the spread.
  ///
  /// Before the first look, the spread of a decode's CPU time on a quiet machine is assumed.
  var expectedCost: Double {
    let spread = current.looks.latest?.spread ?? 0.02
    return Double(launchCost) * spread * spread
  }

  /// Adds a launch with its digests and counters.
  ///
  /// Its cost goes into a moving average, since machines change their speed.
  mutating func add(_ record: ComparisonRun.LaunchRecord, cost: UInt64) {
    launchCost = launchCount == 0 ? cost : launchCost / 4 * 3 + cost / 4
    current.launches.append(record.launch)
    counters.add(base: record.baseCounters, candidate: record.candidateCounters)
    for (round, base, candidate) in record.digests {
      guard let base, let candidate else { continue }
      answersCompared += 1
      // Hexadecimal digits may have either case.
      if base.lowercased() != candidate.lowercased() { differingRounds.append(round) }
    }
  }

  /// Chooses the clock that decides, before the first look.
  ///
  /// A program with exact counts does not wait: only a busy machine makes its wall time longer.
  private mutating func chooseClock() {
    guard second == nil, first.looks.latest == nil else { return }
    let isCounted = !counters.counters.exact.isEmpty
    first.looks.clock = plan.clock ?? (isCounted ? .cpu : .deciding(first.launches))
  }

  /// Takes a look, which decides or requests more launches.
  mutating func lookAgain() {
    chooseClock()
    var measurement = current
    measurement.target = nil
    do throws(SampleError) {
      measurement.target = try measurement.looks.next(after: measurement.launches)
      if measurement.target == nil { measurement.estimate = measurement.looks.latest }
    } catch {
      unsettledReason = "the samples cannot be compared: \(error)"
    }
    current = measurement
  }

  /// Takes a last look; if it is undecided, the case gets the given reason.
  mutating func stop(_ reason: String) {
    chooseClock()
    var measurement = current
    measurement.target = nil
    // Samples that cannot be compared have no estimate.
    measurement.estimate = try? measurement.looks.stop(after: measurement.launches)
    current = measurement
    let isSettled =
      second == nil
      ? current.estimate.map { $0.verdict != .inconclusive } ?? false
      : current.estimate?.verdict == first.estimate?.verdict
    if !isSettled { unsettledReason = unsettledReason ?? reason }
  }
}

extension ComparisonRunCase {
  func comparison(_ settings: GateSettings) -> CaseComparison {
    let clock = first.looks.clock
    func estimate(_ shown: PairedLaunch.Clock) -> ChangeEstimate {
      // The other clock is only shown, so it needs no share of the error rate.
      let found =
        shown == clock
        ? first.estimate
        : try? ChangeEstimate(
          of: first.launches, clock: shown, settings: settings, errorRate: settings.errorRate)
      return found
        ?? ChangeEstimate(
          pairs: 0, launches: first.launches.count, ratio: 1, interval: nil, spread: 0,
          detectableChange: nil, chance: 1, verdict: .inconclusive)
    }
    return CaseComparison(
      name: plan.name, role: plan.role, launches: first.launches,
      confirmation: second?.launches ?? [], counters: counters.counters,
      answersCompared: answersCompared, differingRounds: differingRounds,
      cpu: estimate(.cpu), wall: estimate(.wall), confirmed: second?.estimate,
      verdict: estimate(clock).verdict, reason: unsettledReason,
      failure: failure.flatMap { $0.isCandidates ? $0.description : nil }, clock: clock)
  }
}
