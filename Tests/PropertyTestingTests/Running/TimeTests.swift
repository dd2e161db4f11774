import Foundation
import Synchronization
import Testing

@testable import PropertyTesting

@Suite struct TimeTests {
  private static let numbers = Gen<Int>.integer(in: 0...1_000_000)

  /// Returns settings with a time limit: long if cases should pass on a busy machine, short if they never end.
  private static func settings(_ limit: Duration) -> PropertySettings {
    var settings = PropertySettings(cases: 100, seed: 1)
    settings.caseTimeLimit = limit
    return settings
  }

  /// Whether numbers from 100 on still hang; false at the end of a test, so that abandoned work ends with it.
  private let hangs = Flag()

  private final class Flag: Sendable {
    private let isSet = Atomic(true)
    func clear() { isSet.store(false, ordering: .relaxed) }
    func wait() { while isSet.load(ordering: .relaxed) { usleep(1000) } }
  }

  @Test func `cases within the time limit give the same report as without it`() async {
    var findings: [Findings<Int>] = []
    for settings in [Self.settings(.seconds(60)), PropertySettings(cases: 100, seed: 1)] {
      findings.append(
        Findings(
          await Property.check("quick", Self.numbers, settings: settings) { number, testCase in
            testCase.classify(number > 1000, as: "large")
            try Property.require(number < 500_000)
          }))
    }
    #expect(findings[0] == findings[1])
  }

  @Test(arguments: [false, true])
  func `a case that never ends fails as timed out`(suspends: Bool) async throws {
    let report = await Property.check(
      "stuck", Self.numbers, settings: Self.settings(.milliseconds(20))
    ) { [hangs] number, _ in
      guard number >= 100 else { return }
      if suspends { try? await Task.sleep(for: .seconds(3600)) } else { hangs.wait() }
    }
    hangs.clear()
    let failure = try #require(report.failures.first)
    #expect(failure.error is CaseTimedOut)
    #expect(failure.message.contains("did not end within"))
    #expect(failure.minimal >= 100)
    #expect(report.verdict == .failed)
  }

  @Test func `a generator that never ends is reported`() async {
    let stuck = Self.numbers.map { [hangs] number in
      if number >= 100 { hangs.wait() }
      return number
    }
    let report = await Property.check("stuck", stuck, settings: Self.settings(.milliseconds(20))) {
      _, _ in
    }
    hangs.clear()
    #expect(report.verdict == .gaveUp(.unhealthy))
    #expect(report.healthFindings.map(\.check) == [.tooSlow])
  }

  enum Part { case generator, property }

  @Test(arguments: [nil, Part.generator, .property])
  func `the examination of a failure ends at its time limit`(hanging: Part?) async throws {
    var settings = PropertySettings(cases: 1, seed: 1)
    settings.shrinkTime = .milliseconds(300)
    settings.caseTimeLimit = .seconds(600)
    let runs = Atomic(0)
    let generator = Self.numbers.map { [hangs] number in
      if runs.load(ordering: .relaxed) >= 5, hanging == .generator { hangs.wait() }
      return number
    }
    // Without the limit, one hanging case takes ten minutes.
    let report = await Property.check("slow", .zip(generator, generator), settings: settings) {
      _, _ in
      let isFirst = runs.add(1, ordering: .relaxed).newValue <= 5
      try await Task.sleep(
        for: isFirst || hanging != .property ? .milliseconds(10) : .seconds(3600))
      throw PropertyFailure("always")
    }
    hangs.clear()
    #expect(report.failures.count == 1)
    #expect(report.elapsed < .seconds(120))
  }

  @Test func `a time budget ends a run`() async {
    var settings = PropertySettings(cases: .max, seed: 1)
    settings.timeBudget = .milliseconds(50)
    let report = await Property.check("long", Self.numbers, settings: settings) { _, _ in }
    #expect(report.verdict == .passed)
    #expect(report.cases > 0 && report.cases < .max)
  }

  @Test(arguments: [1, 3])
  func `a cancelled run ends and reports the cancellation`(_ parallelism: Int) async {
    let ran = Atomic(0)
    let settings = PropertySettings(cases: .max, seed: 1, parallelism: parallelism)
    let task = Task {
      await Property.check("cancelled", Self.numbers, settings: settings) { _, _ in
        ran.add(1, ordering: .relaxed)
        await Task.yield()
      }
    }
    while ran.load(ordering: .relaxed) < 10 { await Task.yield() }
    task.cancel()
    #expect(await task.value.verdict == .gaveUp(.cancelled))
  }

  @Test func `a cancelled body is not a failure`() async {
    let task = Task {
      await Property.check("sleeping", Self.numbers, settings: PropertySettings(seed: 1)) { _, _ in
        try await Task.sleep(for: .seconds(3600))
      }
    }
    task.cancel()
    let report = await task.value
    #expect(report.verdict == .gaveUp(.cancelled))
    #expect(report.failures.isEmpty)
  }
}

/// Tests of runs whose end time also limits shrinking.
@Suite struct RunEndTests {
  private static let numbers = Gen<[Int]>.array(of: .integer(in: -1000...1000))

  @Test func `after the end a failure is reported and runs only once more`() async {
    let runs = Atomic(0)
    var settings = PropertySettings(cases: 100, seed: 3)
    settings.end = .now
    let report = await Property.check("over", Self.numbers, settings: settings) { list, _ in
      runs.add(1, ordering: .relaxed)
      throw PropertyFailure("it always fails")
    }
    #expect(report.failures.count == 1 && report.failures.first?.evaluations == 0)
    // One case always runs; it runs once more to show its failure.
    #expect(runs.load(ordering: .relaxed) == 2)
  }

  struct Interrupted: DiscardingError { let discardsCase: Bool }

  @Test(arguments: [2, 60])
  func `the rate of a flaky failure is estimated from the runs before the end`(
    milliseconds: Int
  ) async throws {
    let runs = Atomic(0)
    var settings = PropertySettings(cases: 1, seed: 3)
    settings.flakiness.estimateRuns = 100_000
    settings.end = .now + .milliseconds(450)
    let report = await Property.check("flaky", Self.numbers, settings: settings) { _, _ in
      let number = runs.add(1, ordering: .relaxed).newValue
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
  func `an error may discard its case`(isDiscard: Bool) async {
    let report = await Property.check(
      "interrupted", Self.numbers, settings: PropertySettings(cases: 10, seed: 3)
    ) { _, _ in throw Interrupted(discardsCase: isDiscard) }
    #expect(report.failures.isEmpty == isDiscard)
    #expect((report.discards > 0) == isDiscard)
  }

  @Test func `a failure that cannot run again is shown with its first error`() async {
    let isFirst = Atomic(true)
    var settings = PropertySettings(cases: 100, seed: 3)
    settings.end = .now
    let report = await Property.check("gone", Self.numbers, settings: settings) { list, _ in
      guard isFirst.exchange(false, ordering: .relaxed) else {
        throw Interrupted(discardsCase: true)
      }
      throw PropertyFailure("once \(list)")
    }
    #expect(report.failures.map(\.message).allSatisfy { $0.contains("once") })
    #expect(report.failures.count == 1 && report.failures.first?.token != nil)
  }
}
