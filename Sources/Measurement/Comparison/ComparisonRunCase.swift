/// One case, or one check, while it is measured.
struct ComparisonRunCase {
  /// What is launched for it.
  struct Plan {
    /// What reports call it.
    let name: String
    /// What both workers call it.
    let workerCase: String
    let role: CaseComparison.Role
    let base: WorkerCommand
    let candidate: WorkerCommand
    let candidateExtra: Int
    /// Where the code of the two builds may lie otherwise, launch by launch.
    var layouts = LayoutPair()
    /// How often the work is done for each sample, in both builds and all launches.
    var repeats = 1
  }

  /// One measurement: its launches, and what the looks at them say.
  struct Measurement {
    var looks: SequentialComparison
    var launches: [PairedLaunch] = []
    /// How many launches there have to be at the next look; nil once there is none.
    var target: Int?
    /// What the looks ended with.
    var estimate: ChangeEstimate?

    /// Launches that are missing until the next look.
    var missing: Int { max(0, (target ?? 0) - launches.count) }

    /// Looks at the samples, and decides or asks for more.
    mutating func lookAgain() throws(SampleError) {
      target = nil
      switch try looks.next(after: launches) {
      case .measure(let untilLaunches): target = untilLaunches
      case .done(let estimate): self.estimate = estimate
      }
    }

    /// Takes a last look at what there is, because time is up.
    mutating func stop() throws(SampleError) {
      target = nil
      estimate = try looks.stop(after: launches)
    }
  }

  let plan: Plan
  /// Nanoseconds that one launch is expected to take: the mean so far, or what calibration says.
  var launchCost: UInt64
  var first: Measurement
  /// The second measurement of a "slower", in fresh processes.
  private(set) var second: Measurement?
  /// The launches of a second measurement that time is kept for.
  var reservedLaunches = 0
  private var answersCompared = 0
  private var differingRounds: [Int] = []
  private var counters = CounterRanges()
  /// How it failed, where it was not measured to the end for that.
  private(set) var failure: CaseFailure?
  /// Why the case is inconclusive whatever its samples say.
  private(set) var unsettledReason: String?

  /// Plans a case of which nothing was measured yet.
  init(plan: Plan, launchCost: UInt64, looks: SequentialComparison) {
    self.plan = plan
    self.launchCost = launchCost
    first = Measurement(looks: looks)
    lookAgain()
  }

  /// The measurement that goes on.
  var current: Measurement {
    get { second ?? first }
    set { if second == nil { first = newValue } else { second = newValue } }
  }

  var isUndecided: Bool { current.target != nil }

  var hasFailed: Bool { failure != nil }

  /// Ends the measurement, because a build does not do the case.
  mutating func fail(_ failure: CaseFailure) {
    self.failure = failure
    current.target = nil
    unsettledReason = failure.description
  }

  /// Whether it has to be measured again before its verdict counts; a check's does as it is.
  ///
  /// - Parameter same: Whether "same" has to be, too.
  /// - Returns: Not once it was begun.
  func awaitsConfirmation(ofSame same: Bool) -> Bool {
    guard plan.role == .gated, second == nil, !hasFailed else { return false }
    return switch first.estimate?.verdict {
    case .slower, .faster: true
    case .same: same
    case .inconclusive, nil: false
    }
  }

  /// Begins the second measurement.
  mutating func begin(_ measurement: Measurement) {
    second = measurement
    reservedLaunches = 0
    lookAgain()
  }

  /// How many launches there were in both measurements.
  var launchCount: Int { first.launches.count + (second?.launches.count ?? 0) }

  func cost(ofLaunches count: Int) -> UInt64 { launchCost.multipliedSaturating(by: count) }

  /// How long its verdict takes: the launches to a given precision grow with the spread squared.
  ///
  /// Of a case that was not looked at yet the spread is that of the CPU time of a decode on a quiet
  /// machine.
  var expectedCost: Double {
    let spread = current.looks.latest?.spread ?? 0.02
    return Double(launchCost) * spread * spread
  }

  /// Keeps a launch, with what it says apart from its samples.
  ///
  /// Its cost goes into a mean that forgets, since machines change their pace.
  mutating func add(_ record: ComparisonRun.LaunchRecord, cost: UInt64) {
    launchCost = launchCount == 0 ? cost : launchCost / 4 * 3 + cost / 4
    current.launches.append(record.launch)
    counters.add(base: record.baseCounters, candidate: record.candidateCounters)
    for (round, base, candidate) in record.digests {
      guard let base, let candidate else { continue }
      answersCompared += 1
      // Hexadecimal digits are the same number in either case.
      if base.lowercased() != candidate.lowercased() { differingRounds.append(round) }
    }
  }

  /// Looks at the samples, and decides or asks for more.
  mutating func lookAgain() {
    do throws(SampleError) {
      try current.lookAgain()
    } catch {
      unsettledReason = "the samples cannot be compared: \(error)"
    }
  }

  /// Takes a last look at what there is; without a verdict by then, the reason says why.
  mutating func stop(_ reason: String) {
    // What fails was not measured, or cannot be compared.
    try? current.stop()
    let isSettled =
      second == nil
      ? current.estimate.map { $0.verdict != .inconclusive } ?? false
      : current.estimate?.verdict == first.estimate?.verdict
    if !isSettled { unsettledReason = unsettledReason ?? reason }
  }
}

extension ComparisonRunCase {
  /// The case as reports read it.
  func comparison(_ settings: GateSettings) -> CaseComparison {
    let cpu = first.estimate ?? .nothing(launches: first.launches.count)
    // The wall clock is shown and decides nothing, so it needs no share of a rate.
    let wall = try? ChangeEstimate(
      of: first.launches, clock: .wall, settings: settings, errorRate: settings.errorRate)
    return CaseComparison(
      name: plan.name, role: plan.role, launches: first.launches,
      confirmation: second?.launches ?? [], counters: counters.counters,
      answersCompared: answersCompared, differingRounds: differingRounds, cpu: cpu,
      wall: wall ?? .nothing(launches: first.launches.count), confirmed: second?.estimate,
      verdict: cpu.verdict, reason: unsettledReason,
      failure: failure.flatMap { $0.isCandidates ? $0.description : nil })
  }
}

extension ChangeEstimate {
  /// An estimate that says nothing, where there is nothing to estimate from.
  fileprivate static func nothing(launches: Int) -> ChangeEstimate {
    ChangeEstimate(
      pairs: 0, launches: launches, ratio: 1, interval: nil, unit: .pair, spread: 0,
      detectableChange: nil, chance: 1, verdict: .inconclusive)
  }
}
