extension ComparisonRun {
  /// Measures until every case is decided, has been looked at as often as allowed, or time is up.
  func look(_ state: inout ComparisonRunState) throws(ComparisonRunError) {
    var lookNumber = 0
    while state.cases.contains(where: \.isUndecided) {
      let chosen = affordable(state)
      if chosen.isEmpty {
        for index in state.cases.indices where state.cases[index].isUndecided {
          let launches = state.cases[index].launches.count
          state.cases[index].stop(
            "the time budget of \(budgetSeconds) seconds ran out after \(launches) launches")
        }
        return
      }
      var jobs: [Int] = []
      for index in chosen {
        jobs += Array(repeating: index, count: state.cases[index].missing)
      }
      var random = SeededRandom(
        seed: SeededRandom.derivedSeed(from: seed, label: "looks"), stream: UInt64(lookNumber))
      let order = random.permutation(of: jobs.count).map { jobs[$0] }
      let planned = state.launchesDone + order.count
      for index in order {
        guard fits(state.cases[index].cost(ofLaunches: 1), state) else { break }
        let began = clock()
        let record = try launch(
          state.cases[index].plan, number: state.cases[index].launches.count, began: state.began)
        state.cases[index].note(cost: clock().subtractingToZero(began))
        state.cases[index].note(record)
        state.cases[index].launches.append(record.launch)
        state.launchesDone += 1
        progress(
          .measuring, state.cases[index].plan.name, done: state.launchesDone, planned: planned,
          state)
      }
      for index in chosen where state.cases[index].missing == 0 { state.cases[index].lookAgain() }
      lookNumber += 1
    }
  }

  private func fits(_ cost: UInt64, _ state: ComparisonRunState) -> Bool {
    cost
      <= state.remaining(at: clock(), confirmingLaunches: settings.confirmingLaunches)
  }

  /// The cases whose way to their next look fits into the time that is left, each as a whole.
  ///
  /// A look takes all of its launches, so half a way would be time lost. The checks go first,
  /// without which no verdict counts; then the cases to which the division of the time gives their
  /// way; then, cheapest first, whichever still fit.
  private func affordable(_ state: ComparisonRunState) -> [Int] {
    let undecided = state.cases.indices.filter { state.cases[$0].isUndecided }
    var left = state.remaining(at: clock(), confirmingLaunches: settings.confirmingLaunches)
    func cost(_ index: Int) -> UInt64 {
      state.cases[index].cost(ofLaunches: state.cases[index].missing)
    }
    var chosen: [Int] = []
    func take(_ candidates: [Int]) {
      for index in candidates where !chosen.contains(index) && cost(index) <= left {
        left -= cost(index)
        chosen.append(index)
      }
    }
    take(undecided.filter { state.cases[$0].plan.role != .gated })
    let gated = undecided.filter { state.cases[$0].plan.role == .gated }
    let division = BudgetDivision(
      seconds: Double(left) / 1e9, among: gated.map { state.cases[$0].known(settings) },
      settings: settings)
    take(
      zip(gated, division.launches).filter { $1 >= state.cases[$0].missing }.map { $0.0 })
    take(gated.sorted { cost($0) < cost($1) })
    return chosen.sorted()
  }

  /// Tells how far the run is.
  func progress(
    _ phase: ComparisonRunProgress.Phase, _ name: String, done: Int, planned: Int,
    _ state: ComparisonRunState
  ) {
    report(
      ComparisonRunProgress(
        phase: phase, caseName: name, launches: done, plannedLaunches: planned,
        undecidedCases: state.cases.count(where: \.isUndecided),
        elapsedSeconds: Double(clock().subtractingToZero(state.began)) / 1e9))
  }
}

extension ComparisonRunCase {
  /// Takes note of what a launch says apart from its samples.
  mutating func note(_ record: ComparisonRun.LaunchRecord) {
    for pair in record.digests {
      answers.compare(round: pair.round, base: pair.base, candidate: pair.candidate)
    }
    counters.add(base: record.baseCounters, candidate: record.candidateCounters)
  }

  /// What the division of the time has to know.
  fileprivate func known(_ settings: GateSettings) -> BudgetDivision.Case {
    BudgetDivision.Case(
      spread: sequence.latest?.spread ?? Self.usualSpread,
      launchSeconds: Double(launchCost) / 1e9, launchesDone: launches.count)
  }

  /// Of a case that was not looked at yet: what CPU time of a decode shows on a quiet machine.
  private static let usualSpread = 0.02
}
