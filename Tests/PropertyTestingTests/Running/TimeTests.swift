#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import PropertyTesting
import Synchronization
import Testing

@Suite struct TimeTests {
  private static let numbers = Gen<Int>.integer(in: 0...1_000_000)

  /// Returns settings with a time limit: long if cases should pass on a busy machine, short if they never end.
  private static func settings(_ limit: Duration) -> PropertySettings {
    var settings = PropertySettings(cases: 100, seed: 1)
    settings.caseTimeLimit = limit
    return settings
  }

  @Test func `cases within their time pass as they do without a limit`() async {
    let limited = await Property.check("quick", Self.numbers, settings: Self.settings(.seconds(60)))
    {
      number, testCase in
      testCase.classify(number > 1000, as: "large")
      try Property.require(number < 500_000)
    }
    let free = await Property.check(
      "quick", Self.numbers, settings: PropertySettings(cases: 100, seed: 1)
    ) { number, testCase in
      testCase.classify(number > 1000, as: "large")
      try Property.require(number < 500_000)
    }
    #expect(Findings(limited) == Findings(free))
  }

  @Test func `a case that sleeps for ever fails as timed out`() async throws {
    let report = await Property.check(
      "asleep", Self.numbers, settings: Self.settings(.milliseconds(20))
    ) {
      number, _ in
      if number >= 100 { try? await Task.sleep(for: .seconds(3600)) }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.error is CaseTimedOut)
    #expect(failure.minimal >= 100)
    #expect(report.verdict == .failed)
  }

  @Test func `a case that never suspends fails as timed out`() async throws {
    // Released at the end, so that abandoned work ends with the test.
    let isReleased = Atomic(false)
    let report = await Property.check(
      "stuck", Self.numbers, settings: Self.settings(.milliseconds(20))
    ) {
      number, _ in
      while number >= 100, !isReleased.load(ordering: .relaxed) { usleep(1000) }
    }
    isReleased.store(true, ordering: .relaxed)
    let failure = try #require(report.failures.first)
    #expect(failure.error is CaseTimedOut)
    #expect(failure.minimal >= 100)
  }

  @Test func `a generator that never ends is told of`() async {
    let isReleased = Atomic(false)
    let stuck = Self.numbers.map { number in
      while number >= 100, !isReleased.load(ordering: .relaxed) { usleep(1000) }
      return number
    }
    let report = await Property.check("stuck", stuck, settings: Self.settings(.milliseconds(20))) {
      _, _ in
    }
    isReleased.store(true, ordering: .relaxed)
    #expect(report.verdict == .gaveUp(.unhealthy))
    #expect(report.healthFindings.map(\.check) == [.tooSlow])
  }

  @Test func `cases have a time limit unless it is taken away`() {
    #expect(PropertySettings().caseTimeLimit == .seconds(60))
    var settings = PropertySettings()
    settings.caseTimeLimit = nil
    #expect(settings.caseTimeLimit == nil)
  }

  @Test func `of many cases the one that takes too long is named`() async throws {
    let report = await Property.check(
      "one of many", .integer(in: 0...99), settings: Self.settings(.milliseconds(50))
    ) { number, _ in
      if number == 20 { try? await Task.sleep(for: .seconds(3600)) }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.minimal == 20)
    #expect(failure.message.contains("did not end within"))
  }

  @Test func `a time budget ends a run that would go on`() async {
    var settings = PropertySettings(cases: .max, seed: 1)
    settings.timeBudget = .milliseconds(50)
    let report = await Property.check("long", Self.numbers, settings: settings) { _, _ in }
    #expect(report.verdict == .passed)
    #expect(report.cases > 0 && report.cases < .max)
  }

  @Test(arguments: [1, 3])
  func `a cancelled run ends and says so`(_ parallelism: Int) async {
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

  @Test func `a cancelled body is no failure`() async {
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
