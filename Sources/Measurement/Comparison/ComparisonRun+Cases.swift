extension ComparisonRun {
  /// The canary's additional work, per mille: five per cent.
  static let canaryExtra = 50

  struct CaseLists {
    var baseTool: String
    var candidateTool: String
    /// The gated cases to compare, in the order of the base.
    var gated: [String]
    var control: ComparisonRunCase.Plan?
    var canary: ComparisonRunCase.Plan?
    var onlyInBase: [String]
    var onlyInCandidate: [String]
  }

  /// Lists the cases of one worker of each build and matches them.
  func listCases() throws(ComparisonRunError) -> CaseLists {
    let (mine, theirs) = (try listing(of: base), try listing(of: candidate))
    let other = Dictionary(theirs.cases.map { ($0.name, $0.role) }) { first, _ in first }
    let wanted = caseNames.map { Set($0) }
    func names(_ listing: WorkerListing) -> [String] {
      listing.cases.filter { $0.role == .gated }.map(\.name)
    }
    let known = names(mine) + names(theirs).filter { !names(mine).contains($0) }
    if let unknown = caseNames?.filter({ !known.contains($0) }), !unknown.isEmpty {
      throw .unknownCases(unknown, known: known)
    }
    for each in mine.cases where other[each.name].map({ $0 != each.role }) ?? false {
      throw .roleDiffers(case: each.name)
    }
    let chosen = known.filter { wanted?.contains($0) ?? true }
    let gated = chosen.filter { names(mine).contains($0) && other[$0] != nil }
    // Cases that the candidate lacks are a finding; without any case, there is nothing to compare.
    let onlyInBase = chosen.filter { names(mine).contains($0) && other[$0] == nil }
    if gated.isEmpty, onlyInBase.isEmpty {
      throw .noCommonCase(base: names(mine), candidate: names(theirs))
    }
    var frozen: [WorkerListing.Entry] = []
    if let checks { frozen = try listing(of: checks).cases }
    return CaseLists(
      baseTool: mine.tool, candidateTool: theirs.tool, gated: gated,
      control: control(
        mine.cases.first { $0.role == .control && other[$0.name] != nil }, among: frozen),
      canary: canary(mine.cases.first { $0.role == .canary }, among: frozen),
      onlyInBase: onlyInBase,
      onlyInCandidate: chosen.filter { !names(mine).contains($0) })
  }

  /// Plans the control: frozen code of the worker for checks, or else of the builds.
  ///
  /// Frozen code has different addresses in different builds: the same tight loop, linked in 30 orders, took
  /// from 1 % less to 6 % more CPU time. The worker for checks is one executable.
  private func control(
    _ own: WorkerListing.Entry?, among frozen: [WorkerListing.Entry]
  ) -> ComparisonRunCase.Plan? {
    if let checks, let found = frozen.first(where: { $0.role == .control }) {
      return ComparisonRunCase.Plan(found.name, .control, twice: checks)
    }
    return own.map {
      ComparisonRunCase.Plan(
        name: $0.name, workerCase: $0.name, role: .control, base: base, candidate: candidate,
        layouts: layouts)
    }
  }

  /// Plans the canary, more work on one side of one build: of the base, or else of the worker for checks.
  private func canary(
    _ own: WorkerListing.Entry?, among frozen: [WorkerListing.Entry]
  ) -> ComparisonRunCase.Plan? {
    var plan: ComparisonRunCase.Plan
    if let own {
      plan = ComparisonRunCase.Plan(own.name, .canary, twice: base, layouts: layouts.ofBase)
    } else if let checks, let found = frozen.first(where: { $0.role == .canary }) {
      plan = ComparisonRunCase.Plan(found.name, .canary, twice: checks)
    } else {
      return nil
    }
    plan.candidateExtra = Self.canaryExtra
    return plan
  }

  private func listing(of command: WorkerCommand) throws(ComparisonRunError) -> WorkerListing {
    try asking(nil) { () throws(WorkerError) in
      let link = try start(command)
      defer { link.close() }
      return try link.hello()
    }
  }

  /// Opens each case once to choose its number of repeats, and plans cases and checks.
  ///
  /// These launches are not kept. They show which case is the cheapest, and the cost of a launch of each.
  func calibrate(
    _ lists: CaseLists, _ state: inout ComparisonRunState
  ) throws(ComparisonRunError) {
    var plans = lists.gated.map {
      ComparisonRunCase.Plan(
        name: $0, workerCase: $0, role: .gated, base: base, candidate: candidate,
        candidateExtra: plantedExtra, layouts: layouts, clock: decidingClock)
    }
    plans += [lists.control, lists.canary].compactMap(\.self)
    var firstError: ComparisonRunError?
    for (index, plan) in plans.enumerated() {
      guard clock() < state.deadline else {
        state.cases.append(cut(plan, state, "it was not tried"))
        continue
      }
      do throws(ComparisonRunError) {
        let found = try calibration(of: plan)
        plans[index].repeats = found.repeats
        state.cases.append(runCase(plans[index], cost: found.cost))
      } catch  where isOutOfTime(error) {
        state.cases.append(cut(plan, state, "\(error)"))
      } catch {
        guard let failure = try failure(error, of: plan) else { throw firstError ?? error }
        firstError = firstError ?? error
        var failed = runCase(plan, cost: 0)
        failed.fail(failure)
        state.cases.append(failed)
      }
      progress(.calibrating, plan.name, done: index + 1, planned: plans.count, state)
    }
    let gated = state.cases.filter { $0.plan.role == .gated && $0.isUndecided }
    // If no case works and nothing is a finding, the error is the result.
    let isFinding = state.cases.contains {
      $0.plan.role == .gated && $0.failure.map(\.isCandidates) ?? true
    }
    if let firstError, gated.isEmpty, !isFinding { throw firstError }
    if let cheapest = gated.min(by: { $0.launchCost < $1.launchCost }) {
      var plan = ComparisonRunCase.Plan(
        "\(cheapest.plan.name), \(base.label) against itself",
        workerCase: cheapest.plan.workerCase, .sameBuild, twice: base, layouts: layouts.ofBase)
      (plan.repeats, plan.clock) = (cheapest.plan.repeats, decidingClock)
      state.cases.append(runCase(plan, cost: cheapest.launchCost))
    }
  }

  /// Returns a case that was not measured for lack of time.
  private func cut(
    _ plan: ComparisonRunCase.Plan, _ state: ComparisonRunState, _ what: String
  ) -> ComparisonRunCase {
    var cut = runCase(plan, cost: 0)
    cut.stop("\(what): \(shortage(of: cut, state))")
    return cut
  }

  private func runCase(_ plan: ComparisonRunCase.Plan, cost: UInt64) -> ComparisonRunCase {
    ComparisonRunCase(
      plan: plan, launchCost: cost,
      looks: SequentialComparison(settings: plan.role == .gated ? settings : settings.ofChecks))
  }

  /// Doubles the repeats until two consecutive samples take a millisecond in both builds.
  ///
  /// Shorter samples would mostly measure the clock and interrupts.
  private func calibration(
    of plan: ComparisonRunCase.Plan
  ) throws(ComparisonRunError) -> (repeats: Int, cost: UInt64) {
    let began = clock()
    let group = try asking(plan.name) { () throws(WorkerError) in
      try WorkerGroup(
        case: plan.workerCase, [(plan.base, 0), (plan.candidate, 0)], order: [0, 1], start: start)
    }
    defer { group.close() }
    try asking(plan.name) { () throws(WorkerError) in
      for member in group.members { _ = try member.open() }
    }
    let starting = clock().saturatingSubtract(began)
    var repeats = 1
    while repeats <= Self.mostRepeats {
      try checkCancellation()
      let before = clock()
      var shortest = UInt64.max
      try asking(plan.name) { () throws(WorkerError) in
        // The first sample may be slow because it is the first with this number of repeats.
        for member in group.members + group.members {
          let sample = try member.sample(round: 0, repeats: repeats)
          shortest = min(shortest, sample.elapsed.wallNanoseconds)
        }
      }
      if shortest >= Self.shortestSample {
        let ofPair = clock().saturatingSubtract(before) / 2
        return (
          repeats,
          starting.addingSaturating(ofPair.multipliedSaturating(by: settings.pairsPerLaunch))
        )
      }
      repeats *= 2
    }
    throw .tooShort(case: plan.name, repeats: Self.mostRepeats)
  }

  /// The least duration of a sample, in nanoseconds.
  private static let shortestSample: UInt64 = 1_000_000

  /// The most repeats; a millisecond divided by a million is a nanosecond, shorter than any work.
  private static let mostRepeats = 1 << 20
}

extension ComparisonRunCase.Plan {
  /// Plans a check of one build against itself; the second worker has another label.
  fileprivate init(
    _ name: String, workerCase: String? = nil, _ role: CaseComparison.Role,
    twice command: WorkerCommand, layouts: LayoutPair = LayoutPair()
  ) {
    var again = command
    again.label += " again"
    self.init(
      name: name, workerCase: workerCase ?? name, role: role, base: command, candidate: again,
      layouts: layouts)
  }
}
