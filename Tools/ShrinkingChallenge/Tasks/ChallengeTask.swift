package import PropertyTesting

/// One task of the shrinking challenge: a property that does not hold, and the results of others.
package struct ChallengeTask: Sendable {
  /// The effort of Hypothesis 6.170.15 on the same task over 30 runs.
  package struct Reference: Sendable {
    /// The number of different results.
    package let results: Int
    /// The mean number of runs of the property.
    package let evaluations: Double
  }

  /// One search for a failure, and its shrinking.
  package struct Run: Sendable {
    /// The shrunk value.
    package let result: String
    /// The number of runs of the property while shrinking.
    package let evaluations: Int
    /// The number of runs of the generator.
    package let attempts: Int
    /// The reason that shrinking stopped.
    package let reason: ShrinkResult.StopReason

    /// Creates a run.
    package init(
      result: String, evaluations: Int, attempts: Int, reason: ShrinkResult.StopReason
    ) {
      self.result = result
      self.evaluations = evaluations
      self.attempts = attempts
      self.reason = reason
    }
  }

  package let name: String
  /// The simplest failure.
  package let expected: String
  package let reference: Reference?
  private let runner: @Sendable (UInt64, ShrinkLimits, Bool) async -> Run?

  /// Creates a task.
  ///
  /// - Parameters:
  ///   - name: as the challenge calls it.
  ///   - expected: the simplest failure.
  ///   - reference: what Hypothesis needed.
  ///   - generator: makes the cases.
  ///   - holds: the property; a case it discards counts as run.
  package init<Value>(
    _ name: String, expected: String, reference: Reference?, _ generator: Gen<Value>,
    holds: @escaping @Sendable (Value) throws(Discarded) -> Bool
  ) {
    self.name = name
    self.expected = expected
    self.reference = reference
    runner = { seed, limits, searches in
      await Self.run(generator, holds, seed: seed, limits: limits, searches: searches)
    }
  }

  /// Looks for a failure in up to 20,000 cases and shrinks it.
  ///
  /// - Parameters:
  ///   - seed: of the cases.
  ///   - limits: when to give up.
  ///   - searches: whether simpler failures far away are looked for, too.
  /// - Returns: The run; nil if no case failed.
  package func run(
    seed: UInt64, limits: ShrinkLimits = ShrinkLimits(), searches: Bool = false
  ) async -> Run? {
    await runner(seed, limits, searches)
  }

  private static func run<Value>(
    _ generator: Gen<Value>, _ holds: @escaping (Value) throws(Discarded) -> Bool,
    seed: UInt64, limits: ShrinkLimits, searches: Bool
  ) async -> Run? {
    var testCase = TestCase()
    for index in 0..<UInt64(20_000) {
      testCase.begin(seed: seed, index: index)
      let start = judge(&testCase, generator, holds)
      guard case .failed = start.outcome else { continue }
      let explore: Explore = { list, tail, seed in
        var testCase = TestCase()
        testCase.begin(replaying: list, tail: tail, seed: seed)
        return judge(&testCase, generator, holds)
      }
      let result = await shrink(start, limits: limits, explore: searches ? explore : nil) {
        await explore($0, .overrun, 0)
      }
      testCase.begin(replaying: result.smallest.choices, tail: .simplest)
      let value = try? generator.body(&testCase)
      return Run(
        result: value.map { "\($0)" } ?? "discarded", evaluations: result.evaluations,
        attempts: result.attempts, reason: result.reason)
    }
    return nil
  }

  private static func judge<Value>(
    _ testCase: inout TestCase, _ generator: Gen<Value>,
    _ holds: (Value) throws(Discarded) -> Bool
  ) -> Attempt {
    var outcome = Attempt.Outcome.discarded
    do {
      let value = try generator.body(&testCase)
      if !testCase.isOverrun {
        outcome = try holds(value) ? .passed : .failed(FailureOrigin(errorType: "broken"))
      }
    } catch {
      outcome = .discarded
    }
    return Attempt(
      choices: testCase.choices, spans: testCase.spans,
      outcome: testCase.isOverrun ? .overrun : outcome)
  }
}
