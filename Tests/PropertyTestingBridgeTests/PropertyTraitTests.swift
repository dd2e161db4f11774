import PropertyTesting
import PropertyTestingBridge
import Synchronization
import Testing

@Suite("The trait of a property", .property(cases: 7, parallelism: 3))
struct PropertyTraitTests {
  /// Returns the values drawn within the scope of some traits, in order, from too many values to be exhausted.
  private func drawn(
    _ traits: PropertyTrait...
  ) async throws -> (values: [Int], issues: [Issue]) {
    let values = Mutex<[Int]>([])
    let test = try #require(Test.current)
    let issues = try await recordedIssues {
      var body: @Sendable () async throws -> Void = {
        await expectForAll(.integer(in: 0...Int.max)) { number in
          values.withLock { $0.append(number) }
        }
      }
      for trait in traits.reversed() {
        body = { [body] in
          try await trait.provideScope(for: test, testCase: nil, performing: body)
        }
      }
      try await body()
    }
    return (values.withLock { $0 }, issues)
  }

  @Test func `a suite's number of cases holds for its tests`() async throws {
    #expect(try await drawn().values.count == 7)
  }

  @Test(.property(cases: 11)) func `a test's own number of cases comes first`() async throws {
    #expect(try await drawn().values.count == 11)
  }

  @Test func `what a trait leaves open stays as it was`() async throws {
    let (values, issues) = try await drawn(
      .property(cases: 5), .property(seed: .fixed(7, because: "a test"), parallelism: 1),
      .property { $0.failureLimit = 1 })
    #expect(values.count == 5)
    #expect(issues.isEmpty)
  }

  @Test func `a seed with a reason repeats the cases and passes`() async throws {
    let trait = PropertyTrait.property(
      seed: .fixed(7, because: "the law is about one seed"), parallelism: 1)
    let (first, second) = (try await drawn(trait), try await drawn(trait))
    #expect(first.values == second.values)
    #expect(first.issues.isEmpty)
  }

  @Test func `a seed that was left in place repeats the cases and fails at the trait`() async throws
  {
    let line = #line + 1
    let trait = PropertyTrait.property(seed: 7, parallelism: 1)
    let (values, issues) = try await drawn(trait)
    #expect(values == (try await drawn(trait)).values)
    #expect(issues.map(\.isFailure) == [true])
    #expect(issues.first?.sourceLocation?.line == line)
    #expect(issues.first?.text.contains("The seed 7 was left in place") == true)
  }

  @Test func `a seed whose reason is blank counts as left in place`() async throws {
    let (_, issues) = try await drawn(.property(seed: .fixed(7, because: " ")))
    #expect(issues.map(\.isFailure) == [true])
  }

  @Test func `a random seed undoes a fixed one`() async throws {
    let fixed = PropertyTrait.property(seed: .fixed(7, because: "a test"), parallelism: 1)
    let free = PropertyTrait.property(seed: .random)
    // Seven numbers of 63 bits are equal by chance in fewer than one in 2^60 runs.
    let same = try await drawn(fixed, free).values == drawn(fixed, free).values
    #expect(!same)
  }

  @Test func `a token repeats the case that failed`() async throws {
    let report = await Property.check("a law", .integer(in: 0...Int.max)) { number, _ in
      try Property.require(number < 12345)
    }
    let token = try #require(report.failures.first?.token)
    let values = try await drawn(.reproducing("\(token)"), .property(parallelism: 1)).values
    #expect(values.first == 12345)
  }

  @Test func `a damaged token fails at the trait and runs nothing`() async throws {
    let line = #line + 1
    let (values, issues) = try await drawn(.reproducing("pt1_nonsense"))
    #expect(values.isEmpty)
    #expect(issues.map(\.isFailure) == [true])
    #expect(issues.first?.sourceLocation?.line == line)
  }

  @Test func `a failure is stored under the file and the test, or under a given name`() async throws
  {
    let store = NameStore()
    let test = try #require(Test.current)
    _ = try await recordedIssues {
      let trait = PropertyTrait.property { $0.store = store }
      try await trait.provideScope(for: test, testCase: nil) {
        await expectForAll(.integer(in: 0...9)) { #expect($0 < 0) }
        await expectForAll(.integer(in: 0...9), name: "mine") { #expect($0 < 0) }
      }
    }
    let names = store.names
    #expect(names.contains("mine"))
    #expect(names.contains { $0.hasPrefix("PropertyTestingBridgeTests/PropertyTraitTests.swift/") })
    #expect(names.contains { $0.contains("a failure is stored under") })
  }

  @Test func `settings that make no sense fail`() async throws {
    let (values, issues) = try await drawn(.property(cases: 0))
    #expect(values.isEmpty)
    #expect(issues.map(\.isFailure) == [true])
    #expect(issues.first?.text.contains("cases is 0") == true)
  }
}

/// A store that records the names under which failures are stored.
private final class NameStore: FailureStore {
  private let saved = Mutex<Set<String>>([])
  var names: Set<String> { saved.withLock { $0 } }

  func load(_ property: String) -> StoredFailures { StoredFailures() }
  func save(_ failure: StoredFailure, of property: String) {
    saved.withLock { _ = $0.insert(property) }
  }
  func remove(_ failure: StoredFailure, of property: String) {}
}
