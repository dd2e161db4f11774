struct ComparisonRunState {
  var cases: [ComparisonRunCase] = []
  let began: UInt64
  let deadline: UInt64
  /// The fewest launches that can decide.
  let fewest: Int

  /// The cases whose measurement continues.
  var undecided: [Int] { cases.indices.filter { cases[$0].isUndecided } }

  /// Returns the nanoseconds of the budget available for more launches of a case.
  ///
  /// Gated cases leave time for whole second measurements. Checks leave only time for the fewest launches
  /// that can decide: a second measurement may be shortened, and verdicts need the checks.
  func remaining(for each: ComparisonRunCase, at now: UInt64) -> UInt64 {
    let most = each.plan.role == .gated ? Int.max : fewest
    return cases.reduce(deadline.saturatingSubtract(now)) {
      $0.saturatingSubtract($1.cost(ofLaunches: min($1.reservedLaunches, most)))
    }
  }
}

extension ComparisonRun {
  /// Measures again all cases that look slower or faster, shuffled, in new processes and other layouts.
  ///
  /// Noise of a process, a layout or a moment is independent in the two measurements: the chance that it
  /// misleads both is the square of the chance that it misleads one. The checks detect noise that affects
  /// both.
  func confirm(_ state: inout ComparisonRunState) throws(ComparisonRunError) {
    for index in state.cases.indices {
      guard let plan = secondPlan(of: state.cases[index], in: state) else { continue }
      state.cases[index].begin(
        ComparisonRunCase.Measurement(looks: SequentialComparison(settings: plan)))
    }
    try measure(.confirming, stream: "confirmation", &state)
  }

  /// Plans the second measurement of a case; nil if none is needed.
  private func secondPlan(
    of each: ComparisonRunCase, in state: ComparisonRunState
  ) -> GateSettings? {
    guard each.awaitsConfirmation(ofSame: confirmsSame), let first = each.first.estimate else {
      return nil
    }
    return settings.confirming(first, among: state.cases.count { $0.plan.role == .gated })
  }

  /// Returns the reason that a case was not measured further: the remaining time, and the time for the next
  /// look.
  ///
  /// A look needs all of its launches, and time is reserved for second measurements, so a case may stop while
  /// there is time left.
  func shortage(of each: ComparisonRunCase, _ state: ComparisonRunState) -> String {
    func seconds(_ nanoseconds: UInt64) -> String {
      "\(Int((Double(nanoseconds) / 1e9).rounded(.up))) s"
    }
    let now = clock()
    let left = state.deadline.saturatingSubtract(now)
    let budget = "the time budget of \(seconds(state.deadline - state.began))"
    let measured = "after \(each.current.launches.count) launches"
    let missing = each.current.missing
    guard left > 0, missing > 0 else { return "\(budget) ran out \(measured)" }
    let kept = left - state.remaining(for: each, at: now)
    return "\(budget) is too short \(measured): \(seconds(left)) are left"
      + (kept > 0 ? ", \(seconds(kept)) of them for second measurements" : "")
      + ", and the next \(missing) launches take about \(seconds(each.cost(ofLaunches: missing)))"
  }

  /// Measures until no look is due or time is up, with the launches of all cases shuffled between looks.
  func measure(
    _ phase: ComparisonRunProgress.Phase, stream: String, _ state: inout ComparisonRunState
  ) throws(ComparisonRunError) {
    var (round, done) = (0, 0)
    while true {
      let chosen = affordable(state, inPart: phase == .confirming)
      if chosen.isEmpty { break }
      let jobs = chosen.flatMap { Array(repeating: $0.index, count: $0.launches) }
      var random = SeededRandom(
        seed: SeededRandom.derivedSeed(from: seed, label: stream), stream: UInt64(round))
      let planned = done + jobs.count
      for index in random.permutation(of: jobs.count).map({ jobs[$0] }) {
        let each = state.cases[index]
        // The case may have failed in this round.
        guard each.isUndecided else { continue }
        guard each.launchCost <= state.remaining(for: each, at: clock()) else { continue }
        let began = clock()
        do throws(ComparisonRunError) {
          let record = try launch(each.plan, number: each.launchCount, began: state.began)
          state.cases[index].add(record, cost: clock().saturatingSubtract(began))
        } catch  where isOutOfTime(error) {
          break
        } catch {
          guard let failure = try failure(error, of: each.plan) else { throw error }
          state.cases[index].fail(failure)
        }
        done += 1
        progress(phase, each.plan.name, done: done, planned: planned, state)
      }
      for (index, _) in chosen
      where state.cases[index].isUndecided && state.cases[index].current.missing == 0 {
        state.cases[index].lookAgain()
        state.cases[index].reservedLaunches =
          secondPlan(of: state.cases[index], in: state)?.looks[0] ?? 0
      }
      round += 1
    }
    for index in state.undecided {
      let shortage = shortage(of: state.cases[index], state)
      let launches = state.cases[index].current.launches.count
      let what = launches == 0 ? "it was not measured again" : "its second measurement was cut"
      state.cases[index].stop(phase == .confirming ? "\(what): \(shortage)" : shortage)
    }
  }

  /// Returns the cases that can reach their next look in the remaining time, with their launches.
  ///
  /// A look needs all of its launches: an incomplete set would be wasted. The checks come first, because
  /// verdicts need them; then the cases whose verdict takes the least time.
  ///
  /// `inPart` is whether a case may have as many launches as there is time for. A second measurement may,
  /// because running out of time does not depend on the ratios, and fewer launches than planned may decide.
  private func affordable(
    _ state: ComparisonRunState, inPart: Bool
  ) -> [(index: Int, launches: Int)] {
    let undecided = state.undecided.sorted {
      let (one, other) = (state.cases[$0], state.cases[$1])
      if (one.plan.role == .gated) != (other.plan.role == .gated) {
        return other.plan.role == .gated
      }
      return one.expectedCost < other.expectedCost
    }
    let now = clock()
    var spent: UInt64 = 0
    return undecided.compactMap { index in
      let each = state.cases[index]
      let left = state.remaining(for: each, at: now).saturatingSubtract(spent)
      var launches = each.current.missing
      if each.cost(ofLaunches: launches) > left {
        launches = min(launches, Int(clamping: left / max(1, each.launchCost)))
        guard inPart, launches >= state.fewest else { return nil }
      }
      spent += each.cost(ofLaunches: launches)
      return (index, launches)
    }.sorted { $0.index < $1.index }
  }

  func progress(
    _ phase: ComparisonRunProgress.Phase, _ name: String, done: Int, planned: Int,
    _ state: ComparisonRunState
  ) {
    report(
      ComparisonRunProgress(
        phase: phase, caseName: name, launches: done, plannedLaunches: planned,
        undecidedCases: state.undecided.count))
  }
}
