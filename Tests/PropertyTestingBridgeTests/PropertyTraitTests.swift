import Foundation
import PropertyTesting
import PropertyTestingBridge
import Synchronization
import Testing

@Suite("The trait of a property", .property(cases: 7, parallelism: 3))
struct PropertyTraitTests {
  /// Returns the values in the order in which they were drawn within the scope of some traits; the
  /// generator has too many values to try them all.
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

  @Test(.property(cases: 11)) func `a test's case count overrides its suite's`() async throws {
    #expect(try await drawn().values.count == 11)
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
    let folder = URL(filePath: "/tmp/property-trait-\(UInt64.random(in: 0...UInt64.max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FolderFailureStore(folder.path)
    let test = try #require(Test.current)
    _ = try await recordedIssues {
      let trait = PropertyTrait.property { $0.store = store }
      try await trait.provideScope(for: test, testCase: nil) {
        await expectForAll(.integer(in: 0...9)) { #expect($0 < 0) }
        await expectForAll(.integer(in: 0...9), name: "mine") { #expect($0 < 0) }
      }
    }
    #expect(try store.load("mine").failures.count == 1)
    let name = "\(test.sourceLocation.fileID)/\(test.displayName ?? test.name)"
    #expect(try store.load(name).failures.count == 1)
  }

  @Test func `dates stay in their range and shrink to the threshold`() async throws {
    let (low, high) = (Date(timeIntervalSince1970: -1e9), Date(timeIntervalSince1970: 2e9))
    let report = await Property.check("dates", .date(in: low...high)) { date, _ in
      try Property.require((low...high).contains(date))
      try Property.require(date.timeIntervalSince1970 < 86_400)
    }
    #expect(report.failures.map(\.minimal) == [Date(timeIntervalSince1970: 86_400)])
  }
}
