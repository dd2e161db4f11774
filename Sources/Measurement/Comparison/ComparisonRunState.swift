/// What a run knows so far.
struct ComparisonRunState {
  var cases: [ComparisonRunCase]
  let began: UInt64
  let deadline: UInt64
  var launchesDone = 0

  /// Nanoseconds of the budget that are left, kept for confirming apart.
  func remaining(at now: UInt64, confirmingLaunches: Int) -> UInt64 {
    let reserved = cases.filter(\.awaitsConfirmation).reduce(0 as UInt64) {
      $0.addingSaturating($1.cost(ofLaunches: confirmingLaunches))
    }
    return deadline.subtractingToZero(now).subtractingToZero(reserved)
  }
}

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
    /// How often the work is done for each sample, in both builds and all launches.
    let repeats: Int
  }

  let plan: Plan
  /// Nanoseconds that one launch is expected to take: the mean so far, or what calibration says.
  var launchCost: UInt64
  var launches: [PairedLaunch] = []
  var confirmation: [PairedLaunch] = []
  var answers = AnswerLedger()
  var counters = CounterLedger()
  var sequence: SequentialComparison
  /// How many launches there have to be at the next look; nil once there is none.
  var target: Int?
  /// What the looks ended with.
  var estimate: ChangeEstimate?
  /// The second measurement of a "slower": its looks, the launches at the next one, its end.
  var confirming: SequentialComparison?
  var confirmingTarget: Int?
  var confirmed: ChangeEstimate?
  /// Why the case is inconclusive whatever its samples say.
  var unsettledReason: String?

  var isUndecided: Bool { target != nil }

  /// Whether it has to be measured again: of a canary a "slower" is what was expected.
  var awaitsConfirmation: Bool {
    plan.role == .gated && estimate?.verdict == .slower && confirmed == nil
  }

  /// Launches that are missing until the next look.
  var missing: Int { max(0, (target ?? 0) - launches.count) }

  func cost(ofLaunches count: Int) -> UInt64 {
    let (cost, overflow) = launchCost.multipliedReportingOverflow(by: UInt64(count))
    return overflow ? .max : cost
  }

  /// Takes note of what a launch cost: a mean that forgets, since machines change their pace.
  mutating func note(cost: UInt64) {
    launchCost = launches.isEmpty ? cost : launchCost / 4 * 3 + cost / 4
  }

  /// Looks at the samples, and decides or asks for more.
  mutating func lookAgain() {
    do throws(SampleError) {
      switch try sequence.next(after: launches) {
      case .measure(let untilLaunches): target = untilLaunches
      case .done(let estimate): end(with: estimate)
      }
    } catch {
      giveUp("the samples cannot be compared: \(error)")
    }
  }

  /// Takes a last look at what there is, because time is up.
  mutating func stop(_ reason: String) {
    do throws(SampleError) {
      end(with: try sequence.stop(after: launches))
      if estimate?.verdict == .inconclusive { unsettledReason = reason }
    } catch {
      // Nothing was measured, or nothing that could be compared.
      giveUp(reason)
    }
  }

  private mutating func end(with estimate: ChangeEstimate) {
    self.estimate = estimate
    target = nil
  }

  /// Ends the case undecided.
  private mutating func giveUp(_ reason: String) {
    target = nil
    unsettledReason = reason
  }
}

extension ComparisonRunCase {
  /// The case as reports read it.
  func comparison(_ settings: GateSettings) -> CaseComparison {
    let cpu = estimate ?? .nothing(launches: launches.count)
    return CaseComparison(
      name: plan.name, role: plan.role, launches: launches, confirmation: confirmation,
      counters: counters.counters, answersCompared: answers.compared,
      differingRounds: answers.differing, cpu: cpu,
      wall: Self.wall(of: launches, settings), confirmed: confirmed,
      verdict: cpu.verdict, reason: unsettledReason)
  }

  /// What the wall clock says: it is shown and decides nothing, so it needs no share of a rate.
  private static func wall(
    of launches: [PairedLaunch], _ settings: GateSettings
  ) -> ChangeEstimate {
    let estimate = try? ChangeEstimate(
      of: launches, clock: .wall, settings: settings, errorRate: settings.errorRate)
    return estimate ?? .nothing(launches: launches.count)
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
