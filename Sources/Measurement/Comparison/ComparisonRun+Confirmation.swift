extension ComparisonRun {
  /// Measures everything that was slower again, in fresh processes, all of them shuffled.
  ///
  /// The chance of being wrong twice is that of being wrong once, squared, as far as it is noise
  /// of a process or a moment; what moves both measurements alike is the controls' part.
  func confirm(_ state: inout ComparisonRunState) throws(ComparisonRunError) {
    for index in state.cases.indices where state.cases[index].awaitsConfirmation {
      try startConfirming(&state.cases[index])
    }
    var lookNumber = 0
    while true {
      let chosen = confirmable(state)
      if chosen.isEmpty { break }
      let jobs = chosen.flatMap { index in
        Array(repeating: index, count: state.cases[index].missingConfirmation)
      }
      var random = SeededRandom(
        seed: SeededRandom.derivedSeed(from: seed, label: "confirmation"),
        stream: UInt64(lookNumber))
      let order = random.permutation(of: jobs.count).map { jobs[$0] }
      for (done, index) in order.enumerated() {
        let each = state.cases[index]
        let record = try launch(
          each.plan, number: each.launches.count + each.confirmation.count, began: state.began)
        state.cases[index].note(record)
        state.cases[index].confirmation.append(record.launch)
        progress(.confirming, each.plan.name, done: done + 1, planned: order.count, state)
      }
      for index in chosen { state.cases[index].confirmAgain() }
      lookNumber += 1
    }
    for index in state.cases.indices where state.cases[index].awaitsConfirmation {
      state.cases[index].stopConfirming(
        "the time budget of \(budgetSeconds) seconds ran out before it was measured again")
    }
  }

  private func startConfirming(_ each: inout ComparisonRunCase) throws(ComparisonRunError) {
    guard let first = each.estimate else { return }
    do {
      each.confirming = try SequentialComparison(settings: settings.confirming(first))
    } catch {
      throw .invalidSettings("\(error)")
    }
    each.confirmAgain()
  }

  /// The cases whose way to their next confirming look fits into the time that is left.
  private func confirmable(_ state: ComparisonRunState) -> [Int] {
    var left = state.deadline.subtractingToZero(clock())
    return state.cases.indices.filter { index in
      let each = state.cases[index]
      let cost = each.cost(ofLaunches: each.missingConfirmation)
      guard each.confirmingTarget != nil, cost <= left else { return false }
      left -= cost
      return true
    }
  }
}

extension ComparisonRunCase {
  /// Confirming launches that are missing until the next look.
  fileprivate var missingConfirmation: Int {
    max(0, (confirmingTarget ?? 0) - confirmation.count)
  }

  /// Looks at the second measurement, and decides or asks for more.
  fileprivate mutating func confirmAgain() {
    do throws(SampleError) {
      switch try confirming?.next(after: confirmation) {
      case .measure(let untilLaunches): confirmingTarget = untilLaunches
      case .done(let estimate):
        confirmed = estimate
        confirmingTarget = nil
      case nil: break
      }
    } catch {
      confirmingTarget = nil
      unsettledReason = "the samples cannot be compared: \(error)"
    }
  }

  /// Takes a last look at the second measurement, because time is up.
  fileprivate mutating func stopConfirming(_ reason: String) {
    confirmingTarget = nil
    do throws(SampleError) {
      confirmed = try confirming?.stop(after: confirmation)
    } catch {
      // Nothing was measured a second time.
    }
    if confirmed?.verdict != .slower { unsettledReason = unsettledReason ?? reason }
  }
}
