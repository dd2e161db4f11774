import Testing

@testable import PropertyTesting

@Suite struct ShrinkLawsTests {
  @Test(arguments: ShrinkProblem.all.indices)
  func `shrinking keeps its laws for any generator and property, with and without tight limits`(
    number: Int
  ) async throws {
    let problem = ShrinkProblem.all[number]
    let starts = (0..<UInt64(4)).compactMap { problem.firstFailure(seed: $0) }
    let first = try #require(starts.first, "\(problem.name) never fails")
    for start in starts { await expectLaws(of: problem, from: start, ShrinkLimits()) }
    for most in [0, 1, 2, 7, 30] {
      var limits = ShrinkLimits()
      limits.evaluations = most
      await expectLaws(of: problem, from: first, limits)
    }
  }

  private func expectLaws(
    of problem: ShrinkProblem, from start: Attempt, _ limits: ShrinkLimits
  ) async {
    var asked: Set<[Choice]> = []
    var (runs, calls) = (0, 0)
    let result = await shrink(
      start, limits: limits,
      evaluate: { list in
        #expect(asked.insert(list).inserted, "\(problem.name): a list is run twice")
        let attempt = problem.evaluate(list)
        calls += 1
        if attempt.outcome != .overrun { runs += 1 }
        return attempt
      })
    let smallest = result.smallest
    let again = problem.evaluate(smallest.choices)
    #expect(again.outcome == start.outcome && again.choices == smallest.choices, "\(problem.name)")
    #expect(!start.choices.isSimpler(than: smallest.choices), "\(problem.name)")
    #expect(runs <= limits.evaluations, "\(problem.name)")
    #expect(runs == result.evaluations && calls == result.attempts, "\(problem.name)")
    guard result.reason == .finished else { return }
    let second = await shrink(smallest, limits: limits) { problem.evaluate($0) }
    #expect(second.smallest.choices == smallest.choices, "\(problem.name): not a minimum")
  }
}

@Suite struct ShrinkLimitsTests {
  /// A problem that takes some hundred runs to shrink.
  private let problem = ShrinkProblem.failing(
    Gen<[Int]>.array(of: .integer(in: 0...1_000_000), count: 5...40)
  ) { $0.filter { $0 > 1000 }.count >= 5 }

  private static let changes: [(ShrinkResult.StopReason, @Sendable (inout ShrinkLimits) -> Void)] =
    [
      (.finished, { _ in }), (.evaluations, { $0.evaluations = 10 }),
      (.evaluations, { $0.improvements = 2 }), (.stalled, { $0.stalledEvaluations = 2 }),
      (.deadline, { $0.deadline = .now }),
    ]

  @Test(arguments: changes.indices) func `a limit ends shrinking`(number: Int) async throws {
    let (reason, change) = Self.changes[number]
    let start = try #require(problem.firstFailure(seed: 2))
    var limits = ShrinkLimits()
    change(&limits)
    let result = await shrink(start, limits: limits) { [problem] in problem.evaluate($0) }
    #expect(result.reason == reason)
    #expect(reason != .deadline || result.attempts == 0)
  }

  @Test func `limits hold for lists with a known result, too`() async throws {
    let start = try #require(problem.firstFailure(seed: 2))
    guard case .failed(let origin) = start.outcome else { return #expect(Bool(false)) }
    var limits = ShrinkLimits()
    limits.deadline = .now
    let shrinker = Shrinker(start, origin: origin, limits: limits) { _ in start }
    let trial = await shrinker.attempt(start.choices)
    #expect(trial.attempt == nil && shrinker.isStopped && shrinker.result.reason == .deadline)
  }

  @Test func `the search has a separate limit`() async throws {
    let start = try #require(problem.firstFailure(seed: 2))
    var limits = ShrinkLimits()
    (limits.evaluations, limits.searchEvaluations) = (20, 30)
    let explore: Explore = { [problem] list, tail, seed in
      var testCase = TestCase()
      testCase.begin(replaying: list, tail: tail, seed: seed)
      return problem.replay(&testCase)
    }
    let result = await shrink(start, limits: limits, explore: explore) { [problem] in
      problem.evaluate($0)
    }
    #expect((40...50).contains(result.evaluations))
  }

  @Test func `a cancelled task stops shrinking`() async throws {
    let start = try #require(problem.firstFailure(seed: 2))
    let task = Task { [problem] in
      while !Task.isCancelled { await Task.yield() }
      return await shrink(start) { problem.evaluate($0) }
    }
    task.cancel()
    #expect(await task.value.reason == .cancelled)
  }
}
