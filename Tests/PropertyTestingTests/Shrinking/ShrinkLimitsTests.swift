import Testing

@testable import PropertyTesting

@Suite struct ShrinkLimitsTests {
  /// A problem that takes some hundred runs to shrink.
  private let problem = ShrinkProblem.failing(
    Gen<[Int]>.array(of: .integer(in: 0...1_000_000), count: 5...40)
  ) { $0.filter { $0 > 1000 }.count >= 5 }

  private func result(_ change: (inout ShrinkLimits) -> Void) async throws -> ShrinkResult {
    let start = try #require(problem.firstFailure(seed: 2))
    var limits = ShrinkLimits()
    change(&limits)
    let problem = problem
    return await shrink(start, limits: limits) { problem.evaluate($0) }
  }

  @Test func `without need no limit is reached`() async throws {
    #expect(try await result { _ in }.reason == .finished)
  }

  @Test(arguments: [0, 1, 10]) func `runs are limited`(most: Int) async throws {
    let result = try await result { $0.evaluations = most }
    #expect(result.reason == .evaluations)
    #expect(result.evaluations <= most)
  }

  @Test func `improvements are limited`() async throws {
    #expect(try await result { $0.improvements = 2 }.reason == .evaluations)
  }

  @Test func `runs without improvement are limited`() async throws {
    #expect(try await result { $0.stalledEvaluations = 2 }.reason == .stalled)
  }

  @Test func `a deadline that has passed ends it before a run`() async throws {
    let result = try await result { $0.deadline = .now }
    #expect(result.reason == .deadline)
    #expect(result.attempts == 0)
  }

  @Test func `limits hold for lists that are known, too`() async throws {
    let start = try #require(problem.firstFailure(seed: 2))
    guard case .failed(let origin) = start.outcome else { return #expect(Bool(false)) }
    var limits = ShrinkLimits()
    limits.deadline = .now
    let shrinker = Shrinker(start, origin: origin, limits: limits, onSlip: nil) { _ in start }
    let trial = await shrinker.attempt(start.choices)
    #expect(trial.attempt == nil && shrinker.isStopped && shrinker.result.reason == .deadline)
  }

  @Test func `a cancelled task shrinks no more`() async throws {
    let start = try #require(problem.firstFailure(seed: 2))
    let problem = problem
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await shrink(start) { problem.evaluate($0) }
    }
    task.cancel()
    #expect(await task.value.reason == .cancelled)
  }
}
