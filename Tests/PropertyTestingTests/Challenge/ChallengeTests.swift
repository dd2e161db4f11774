import PropertyTesting
import ShrinkingChallenge
import Testing

@Suite struct ChallengeTests {
  /// The seeds: enough to cover each kind of first failure, few enough for an unoptimised build.
  private static let seeds: Range<UInt64> = 0..<12

  @Test(arguments: ChallengeTask.all.indices)
  func `every failure shrinks to the simplest in at most 1.5 times the runs of Hypothesis`(
    number: Int
  ) async throws {
    let task = ChallengeTask.all[number]
    let reference = try #require(task.reference)
    var runs: [ChallengeTask.Run] = []
    for seed in Self.seeds {
      let run = try #require(await task.run(seed: seed))
      #expect(run.result == task.expected, "\(task.name), seed \(seed)")
      #expect(run.reason == .finished)
      runs.append(run)
    }
    #expect(ChallengeReport(task, runs).mean <= 1.5 * reference.evaluations, "\(task.name)")
    let again = try #require(await task.run(seed: 3))
    #expect(again.evaluations == runs[3].evaluations && again.attempts == runs[3].attempts)
  }

  @Test func `a report counts results and their cost`() throws {
    let task = try #require(ChallengeTask.all.first)
    let runs = [10, 20, 30].map { cost in
      ChallengeTask.Run(
        result: cost == 30 ? "b" : "a", evaluations: cost, attempts: cost, reason: .finished)
    }
    let report = ChallengeReport(task, runs)
    #expect(report.results.map(\.result) == ["a", "b"])
    #expect(report.mean == 20)
    #expect(report.greatest == 30)
    // The standard deviation is 10, so 1.96 * 10 / sqrt(3).
    #expect(abs(report.margin - 11.316) < 0.001)
  }
}
