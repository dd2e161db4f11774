/// What a run knows so far.
struct ComparisonRunState {
  var cases: [ComparisonRunCase] = []
  let began: UInt64
  let deadline: UInt64

  /// The cases whose measurement goes on.
  var undecided: [Int] { cases.indices.filter { cases[$0].isUndecided } }

  /// Nanoseconds of the budget that are left, kept for confirming apart.
  func remaining(at now: UInt64, confirmingLaunches: Int, ofSame: Bool) -> UInt64 {
    let waiting = cases.filter { $0.awaitsConfirmation(ofSame: ofSame) }
    let reserved = waiting.reduce(0 as UInt64) {
      $0.addingSaturating($1.cost(ofLaunches: confirmingLaunches))
    }
    return deadline.saturatingSubtract(now).saturatingSubtract(reserved)
  }
}

extension ComparisonRun {
  /// Measures until every case is decided, has been looked at as often as allowed, or time is up.
  func measureFirst(_ state: inout ComparisonRunState) throws(ComparisonRunError) {
    try measure(.measuring, stream: "looks", &state)
    for index in state.undecided {
      let launches = state.cases[index].first.launches.count
      state.cases[index].stop(
        "the time budget of \(budgetSeconds) seconds ran out after \(launches) launches")
    }
  }

  /// Measures again what looks slower or faster, in new processes and other layouts, all of them
  /// shuffled.
  ///
  /// The chance of being wrong twice is that of being wrong once, squared, as far as it is noise
  /// of a process, a layout or a moment; the controls detect what affects both.
  func confirm(_ state: inout ComparisonRunState) throws(ComparisonRunError) {
    let gated = state.cases.count { $0.plan.role == .gated }
    for index in state.cases.indices
    where state.cases[index].awaitsConfirmation(ofSame: confirmsSame) {
      guard let first = state.cases[index].first.estimate else { continue }
      let looks = try looks(settings.confirming(first, among: gated))
      state.cases[index].second = ComparisonRunCase.Measurement(looks: looks)
      state.cases[index].lookAgain()
    }
    try measure(.confirming, stream: "confirmation", &state)
    for index in state.undecided {
      state.cases[index].stop(
        "the time budget of \(budgetSeconds) seconds ran out before it was measured again")
    }
  }

  /// Starts the looks of one measurement.
  func looks(_ settings: GateSettings) throws(ComparisonRunError) -> SequentialComparison {
    do { return try SequentialComparison(settings: settings) } catch {
      throw .invalidSettings("\(error)")
    }
  }

  /// Goes from look to look, the launches of all cases in between shuffled.
  private func measure(
    _ phase: ComparisonRunProgress.Phase, stream: String, _ state: inout ComparisonRunState
  ) throws(ComparisonRunError) {
    var (round, done) = (0, 0)
    while true {
      let chosen = affordable(state)
      if chosen.isEmpty { return }
      let jobs = chosen.flatMap { index in
        Array(repeating: index, count: state.cases[index].current.missing)
      }
      var random = SeededRandom(
        seed: SeededRandom.derivedSeed(from: seed, label: stream), stream: UInt64(round))
      let planned = done + jobs.count
      for index in random.permutation(of: jobs.count).map({ jobs[$0] }) {
        let each = state.cases[index]
        guard each.launchCost <= remaining(state) else { break }
        let began = clock()
        let record = try launch(each.plan, number: each.launchCount, began: state.began)
        state.cases[index].add(record, cost: clock().saturatingSubtract(began))
        done += 1
        progress(phase, each.plan.name, done: done, planned: planned, state)
      }
      for index in chosen where state.cases[index].current.missing == 0 {
        state.cases[index].lookAgain()
      }
      round += 1
    }
  }

  private func remaining(_ state: ComparisonRunState) -> UInt64 {
    state.remaining(
      at: clock(), confirmingLaunches: settings.confirmingLaunches, ofSame: confirmsSame)
  }

  /// The cases whose way to their next look fits into the time that is left, each as a whole.
  ///
  /// A look needs all of its launches: an incomplete set would be wasted. The checks go first,
  /// without which no verdict counts; then those whose verdict takes the least time.
  private func affordable(_ state: ComparisonRunState) -> [Int] {
    let undecided = state.undecided.sorted {
      let (one, other) = (state.cases[$0], state.cases[$1])
      if (one.plan.role == .gated) != (other.plan.role == .gated) {
        return other.plan.role == .gated
      }
      return one.expectedCost < other.expectedCost
    }
    var left = remaining(state)
    return undecided.filter { index in
      let cost = state.cases[index].cost(ofLaunches: state.cases[index].current.missing)
      guard cost <= left else { return false }
      left -= cost
      return true
    }.sorted()
  }

  /// Tells how far the run is.
  func progress(
    _ phase: ComparisonRunProgress.Phase, _ name: String, done: Int, planned: Int,
    _ state: ComparisonRunState
  ) {
    report(
      ComparisonRunProgress(
        phase: phase, caseName: name, launches: done, plannedLaunches: planned,
        undecidedCases: state.undecided.count,
        elapsedSeconds: Double(clock().saturatingSubtract(state.began)) / 1e9))
  }
}
