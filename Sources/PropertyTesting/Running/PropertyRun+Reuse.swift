extension PropertyRun {
  /// Tries the examples in order.
  func tryExamples() async {
    for example in examples where !isOver {
      _ = await tryGiven(example, .explicit)
    }
  }

  /// Runs the property on a value that was not generated.
  ///
  /// - Returns: The origin of its failure, or nil if the property holds.
  func tryGiven(_ value: Value, _ phase: Phase) async -> FailureOrigin? {
    let lane = CaseLane(
      runner: runner.given(value), phase: phase, deadline: nil, log: log,
      start: Self.startOfGiven(seed))
    var summary = await lane.run(0..<1)
    // Without choices the case can neither be shrunk nor serve as the start of a climb.
    summary.failures = summary.failures.map(\.asGiven)
    summary.best = []
    count(summary)
    return summary.failures.first?.origin
  }

  /// Returns the start of the cases of a given value; values that the property draws are random.
  static func startOfGiven(_ seed: UInt64) -> @Sendable (Int) -> CaseStart {
    { .replay([], tail: .random, seed: seed &+ UInt64($0)) }
  }

  /// Counts the failures of a given value with an origin, in as many runs as the end of the run allows.
  func failures(
    ofGiven value: Value, _ origin: FailureOrigin, runs: Int
  ) async -> FailureCount {
    let (runner, start) = (runner.given(value), Self.startOfGiven(seed))
    var testCase = TestCase()
    return await failures(in: runs) {
      var trace = CaseTrace<Value>()
      let end = await runner.run(start(0), in: &testCase, &trace)
      return if case .failed(let error) = end { FailureOrigin(error) == origin } else { false }
    }
  }
}

extension CaseRunner {
  /// Runs the property on one value.
  func given(_ value: Value) -> CaseRunner {
    CaseRunner(generator: .constant(value), body: body, limiter: limiter)
  }
}

extension FailedCase {
  /// The same failure without its choices.
  var asGiven: FailedCase {
    FailedCase(
      phase: phase, value: value, error: error, origin: origin, attempt: nil, number: number)
  }
}

/// The results of trying stored failures.
struct ReusedFailures: Sendable {
  /// The stored failures that no longer fail.
  var gone: [StoredFailure] = []
  /// The stored failures that still fail, with the origins of their failures.
  var failing: [(StoredFailure, FailureOrigin)] = []
}

extension PropertyRun {
  /// Tries the failures given in the settings, then those in the store.
  func reuseFailures() async {
    for token in settings.reproducing where !isOver {
      if await tryToken(token) == nil {
        storeProblems.append("the case of the token \(token) does not fail")
      }
    }
    guard let store = settings.store else { return }
    let stored: StoredFailures
    do {
      stored = try await store.load(name)
    } catch {
      storeProblems.append("stored failures cannot be read: \(error)")
      return
    }
    storeProblems += stored.problems
    for failure in stored.failures where !isOver {
      switch await tryStored(failure) {
      case .fails(let origin): reused.failing.append((failure, origin))
      case .passes where !isOver: reused.gone.append(failure)
      case .passes, .unreadable: break
      }
    }
  }

  /// Runs the case of a token; returns the origin of its failure, or nil if it does not fail.
  private func tryToken(_ token: ReplayToken) async -> FailureOrigin? {
    for _ in 0..<settings.flakiness.storedReplays {
      let summary = await round(0..<1, .reuse) { _ in .replay(token.choices, tail: .overrun) }
      if let failure = summary.failures.first { return failure.origin }
    }
    return nil
  }

  /// The result of trying one stored failure.
  private enum Reuse {
    case fails(FailureOrigin), passes, unreadable
  }

  /// Runs a stored failure by its choices; if they now yield another value, also by its stored value.
  private func tryStored(_ failure: StoredFailure) async -> Reuse {
    if let token = failure.token, let origin = await tryToken(token) { return .fails(origin) }
    guard let codec, let text = failure.value else {
      return failure.token == nil ? .unreadable : .passes
    }
    if let token = failure.token,
      let drawn = await runner.draw(.replay(token.choices, tail: .overrun)),
      !drawn.record.isOverrun, codec.encode(drawn.value) == text
    {
      return .passes
    }
    let value: Value
    do {
      value = try codec.decode(text)
    } catch {
      storeProblems.append("\(failure.digest): the stored value cannot be read: \(error)")
      return .unreadable
    }
    for _ in 0..<settings.flakiness.storedReplays {
      if let origin = await tryGiven(value, .reuse) { return .fails(origin) }
    }
    return .passes
  }

  /// Saves the failures found, and removes stored ones that no longer fail or that shrank further.
  func storeFailures() async {
    guard let store = settings.store, !Task.isCancelled else { return }
    var kept: Set<String> = []
    do {
      // Removed before the others are saved, because they may fill the store.
      for failure in reused.gone { try await store.remove(failure, of: name) }
      for failure in counterexamples {
        guard let token = failure.token else { continue }
        let value = codec?.encode(failure.minimal) ?? failure.description
        let stored = StoredFailure(digest: token.digest, token: token, value: value)
        try await store.save(stored, of: name)
        kept.insert(stored.digest)
      }
      let simpler = Set(counterexamples.filter { $0.token != nil }.map(\.origin))
      let superseded = reused.failing.filter { _, origin in
        simpler.contains(.init(errorType: origin.errorType, place: origin.place))
      }
      for (failure, _) in superseded where !kept.contains(failure.digest) {
        try await store.remove(failure, of: name)
      }
    } catch {
      storeProblems.append("failures cannot be stored: \(error)")
    }
  }
}

extension ReplayToken {
  /// The name of the token in a store.
  package var digest: String { fnvDigest(description) }
}
