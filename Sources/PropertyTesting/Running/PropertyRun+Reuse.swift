extension PropertyRun {
  /// Tries the examples, in their order.
  func tryExamples() async {
    for example in examples where !isOver {
      _ = await tryGiven(example, .explicit)
    }
  }

  /// Runs the property on a value that was not generated.
  ///
  /// - Returns: The origin of its failure, or nil when it does not fail.
  func tryGiven(_ value: Value, _ phase: Phase) async -> FailureOrigin? {
    let lane = CaseLane(
      runner: runner.given(value), phase: phase, deadline: nil, log: log,
      start: Self.startOfGiven(seed))
    var summary = await lane.run(0..<1)
    // It has no choices to go by, neither for shrinking nor for climbing.
    summary.failures = summary.failures.map(\.asGiven)
    summary.best = []
    count(summary)
    return summary.failures.first?.origin
  }

  /// What the property draws beside a given value is random.
  static func startOfGiven(_ seed: UInt64) -> @Sendable (Int) -> CaseStart {
    { .replay([], tail: .random, seed: seed &+ UInt64($0)) }
  }

  /// Counts how often a given value fails in the same way, in as many runs as the end of the run allows.
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
  /// The failure of a value alone.
  var asGiven: FailedCase {
    FailedCase(
      phase: phase, value: value, error: error, origin: origin, attempt: nil, number: number)
  }
}

/// What became of the failures that were kept.
struct ReusedFailures: Sendable {
  /// Those that fail no more.
  var gone: [StoredFailure] = []
  /// Those that still fail, with the origins of their failures.
  var failing: [(StoredFailure, FailureOrigin)] = []
}

extension PropertyRun {
  /// Tries the failures named in the settings and those of the store.
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

  /// Runs the case of a token; gives the origin of its failure, or nil when it does not fail.
  private func tryToken(_ token: ReplayToken) async -> FailureOrigin? {
    for _ in 0..<settings.flakiness.storedReplays {
      let summary = await round(0..<1, .reuse) { _ in .replay(token.choices, tail: .overrun) }
      if let failure = summary.failures.first { return failure.origin }
    }
    return nil
  }

  /// What became of one stored failure.
  private enum Reuse {
    case fails(FailureOrigin), passes, unreadable
  }

  /// Runs a stored failure: by its choices, and by its value where these mean another value now.
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

  /// Keeps the failures found and forgets those that are gone or were made simpler.
  func storeFailures() async {
    guard let store = settings.store, !Task.isCancelled else { return }
    var kept: Set<String> = []
    do {
      // First, because a store may be full of them.
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
  /// What names the token in a store.
  package var digest: String { fnvDigest(description) }
}
