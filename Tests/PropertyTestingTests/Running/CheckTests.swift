import PropertyTesting
import Synchronization
import Testing

/// The parts of a report that must be equal in all runs with the same seed.
struct Findings<Value: Sendable & Equatable>: Equatable {
  let originals, minimals: [Value]
  let tokens: [ReplayToken?]
  let classes: [ClassReport]
  let counts: [Int]
  let verdict: PropertyReport<Value>.Verdict

  init(_ report: PropertyReport<Value>) {
    originals = report.failures.map(\.original)
    minimals = report.failures.map(\.minimal)
    tokens = report.failures.map(\.token)
    classes = report.classes
    counts = [report.cases, report.discards, report.oversized]
    verdict = report.verdict
  }
}

@Suite struct CheckTests {
  private static let numbers = Gen<[Int]>.array(of: .integer(in: -1000...1000))

  private static func busy(seed: UInt64, parallelism: Int, cases: Int) async -> Findings<[Int]> {
    let settings = PropertySettings(cases: cases, seed: seed, parallelism: parallelism)
    return Findings(
      await Property.check("busy", numbers, settings: settings) { list, testCase in
        try testCase.assume(list.count != 3)
        testCase.classify(list.isEmpty, as: "empty", atLeast: 0.01)
        testCase.classify(list.count > 5, as: "long")
        try Property.require(!list.contains(977), "holds 977")
        try Property.require(list.reduce(0, +) < 4000, "adds up")
      })
  }

  @Test(arguments: 0..<2 as Range<UInt64>, [2, 8])
  func `the report does not depend on the parallelism`(
    _ seed: UInt64, _ parallelism: Int
  ) async {
    for cases in [7, 1000] {
      let alone = await Self.busy(seed: seed, parallelism: 1, cases: cases)
      let together = await Self.busy(seed: seed, parallelism: parallelism, cases: cases)
      #expect(alone == together)
    }
  }

  @Test func `a failure shrinks and its token replays it`() async throws {
    let report = await Property.check(
      "small", Gen<Int>.integer(in: 0...1_000_000), settings: PropertySettings(seed: 3)
    ) { number, testCase in
      testCase.note("seen \(number)")
      try Property.require(number < 1234, "too large")
    }
    let failure = try #require(report.failures.first)
    #expect(failure.minimal == 1234)
    #expect(failure.original >= 1234)
    #expect(failure.notes == ["seen 1234"])
    #expect(failure.message.hasSuffix("too large"))
    #expect(failure.failureRate == nil)

    var settings = PropertySettings(seed: 4)
    settings.phases = [.reuse]
    settings.reproducing = [try #require(failure.token)]
    let again = await Property.check("small", .int(in: 0...1_000_000), settings: settings) {
      number, _ in try Property.require(number < 1234, "too large")
    }
    #expect(again.failures.map(\.original) == [1234])
    #expect(again.cases == 1)
  }

  @Test func `failures beyond the limit are only counted`() async {
    var settings = PropertySettings(cases: 500, seed: 6)
    settings.failureLimit = 2
    let report = await Property.check("many bugs", .int(in: 0...999), settings: settings) {
      number, _ in throw PropertyFailure("all", fileID: "here", line: number / 250)
    }
    #expect(report.failures.count == 2)
    #expect(report.unreportedFailures >= 1)
  }

  @Test func `a failure found while another shrinks is kept`() async {
    // The few cases never draw 0, but shrinking from above reaches it.
    let report = await Property.check(
      "slip", Gen<Int>.integer(in: 0...1_000_000_000),
      settings: PropertySettings(cases: 10, seed: 7)
    ) { number, _ in
      if number == 0 { throw PropertyFailure("zero", fileID: "zero", line: 1) }
      try Property.require(number < 10, "large")
    }
    #expect(Set(report.failures.map(\.minimal)) == [0, 10])
  }

  @Test func `examples are tried first, and a failing one prevents generation`() async {
    let report = await Property.check(
      "examples", Gen<Int>.integer(in: 0...9), examples: [3, 77, 5],
      settings: PropertySettings(seed: 1)
    ) { number, _ in try Property.require(number < 50) }
    #expect(report.cases == 3)
    #expect(report.failures.map(\.minimal) == [77])
    #expect(report.failures.map(\.phase) == [.explicit])
    #expect(report.failures.allSatisfy { $0.token == nil })
  }

  @Test func `an omitted phase does not run`() async {
    var settings = PropertySettings(cases: 50, seed: 2)
    settings.phases = [.generate]
    let report = await Property.check(
      "raw", Gen<Int>.integer(in: 0...1_000_000), examples: [-1], settings: settings
    ) { number, _ in try Property.require((0..<1000).contains(number)) }
    #expect(report.failures.first.map { $0.original == $0.minimal } == true)
    #expect(report.failures.first?.evaluations == 0)
    settings.phases = [.explicit]
    let explicit = await Property.check("raw", .int(in: 0...9), settings: settings) { _, _ in }
    #expect(explicit.verdict == .gaveUp(.nothingRun))
  }

  @Test func `invalid settings are refused`() async {
    for change: @Sendable (inout PropertySettings) -> Void in [
      { $0.cases = 0 }, { $0.parallelism = 0 }, { $0.failureLimit = 0 },
      { $0.caseTimeLimit = .zero }, { $0.timeBudget = .zero },
      { $0.flakiness.replays = -1 }, { $0.flakiness.estimateRuns = 0 },
    ] {
      var settings = PropertySettings()
      change(&settings)
      let report = await Property.check("refused", .bool, settings: settings) { _, _ in }
      let isRefused = if case .gaveUp(.invalidSettings) = report.verdict { true } else { false }
      #expect(isRefused, "\(report)")
    }
  }
}

@Suite struct SeedTests {
  private func drawn(
    _ name: String, _ change: (inout PropertySettings) -> Void
  ) async -> (numbers: [Int], seed: UInt64) {
    let numbers = Mutex<[Int]>([])
    var settings = PropertySettings(cases: 5)
    change(&settings)
    let report = await Property.check(name, .integer(in: 0...Int.max), settings: settings) {
      number, _ in
      numbers.withLock { $0.append(number) }
    }
    return (numbers.withLock { $0 }, report.seed)
  }

  @Test func `a run without a seed derives it from its name only if it is derandomized`() async {
    let derandomized = { (settings: inout PropertySettings) in settings.isDerandomized = true }
    let first = await drawn("one", derandomized)
    #expect(await drawn("one", derandomized) == first)
    // FNV-1a gives the same seed in other processes and on other machines.
    #expect(first.seed == 0x1A08_AA19_21CA_5CAF)
    #expect(await drawn("two", derandomized).numbers != first.numbers)
    #expect(await drawn("one") { ($0.isDerandomized, $0.seed) = (true, 7) }.seed == 7)
    let free = { (settings: inout PropertySettings) in settings.isDerandomized = false }
    let random = await drawn("one", free)
    #expect(await drawn("one", free).seed != random.seed)
    #expect(await drawn("one") { $0.seed = random.seed } == random)
  }
}
