import Synchronization
import Testing

@testable import PropertyTesting

/// Tests of a run with an end time for everything, including shrinking.
@Suite struct RunEndTests {
  private static let numbers = Gen<[Int]>.array(of: .integer(in: -1000...1000))

  @Test func `after the end a failure is told and no more is run than to show it`() async {
    let runs = Mutex(0)
    var settings = PropertySettings(cases: 100, seed: 3)
    settings.end = .now
    let report = await Property.check("over", Self.numbers, settings: settings) { list, _ in
      runs.withLock { $0 += 1 }
      throw PropertyFailure("it always fails")
    }
    #expect(report.failures.count == 1 && report.failures.first?.evaluations == 0)
    // One case always runs, and once more to show its failure.
    #expect(runs.withLock { $0 } == 2)
  }

  struct Interrupted: DiscardingError { let discardsCase: Bool }

  @Test(arguments: [2, 60])
  func `the rate of a flaky failure is that of the runs that the end leaves time for`(
    milliseconds: Int
  ) async throws {
    let runs = Mutex(0)
    var settings = PropertySettings(cases: 1, seed: 3)
    settings.flakiness.estimateRuns = 100_000
    settings.end = .now + .milliseconds(450)
    let report = await Property.check("flaky", Self.numbers, settings: settings) { _, _ in
      let number = runs.withLock {
        $0 += 1
        return $0
      }
      try await Task.sleep(for: .milliseconds(milliseconds))
      // Only the second run passes.
      try Property.require(number == 2)
    }
    let failure = try #require(report.failures.first)
    // With 60 ms per run, there is time for fewer than eight runs.
    #expect(milliseconds < 60 || failure.failureRate == nil)
    #expect((failure.failureRate?.lowerBound ?? 1) > 0.5)
  }

  @Test(arguments: [false, true])
  func `an error that says nothing about the property discards its case`(isDiscard: Bool) async {
    let report = await Property.check(
      "interrupted", Self.numbers, settings: PropertySettings(cases: 10, seed: 3)
    ) { _, _ in throw Interrupted(discardsCase: isDiscard) }
    #expect(report.failures.isEmpty == isDiscard)
    #expect((report.discards > 0) == isDiscard)
  }

  @Test func `where the last case cannot be run again the first is shown with its own error`() async
  {
    let runs = Mutex(0)
    var settings = PropertySettings(cases: 100, seed: 3)
    settings.end = .now
    let report = await Property.check("gone", Self.numbers, settings: settings) { list, _ in
      guard
        runs.withLock({
          $0 += 1; return $0
        }) == 1
      else { throw Interrupted(discardsCase: true) }
      throw PropertyFailure("once \(list)")
    }
    #expect(report.failures.map(\.message).allSatisfy { $0.contains("once") })
    #expect(report.failures.count == 1 && report.failures.first?.token != nil)
  }
}
