import PropertyTesting
import PropertyTestingBridge
import Synchronization
import Testing

@Suite("Expectations for all values")
struct ExpectForAllTests {
  private func expectFailure(
    _ parts: String..., from body: @escaping @Sendable () async -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let issues = try await recordedIssues(body)
    #expect(issues.map(\.isFailure) == [true], sourceLocation: sourceLocation)
    for part in parts {
      #expect(issues.first?.text.contains(part) == true, "\(part)", sourceLocation: sourceLocation)
    }
  }

  @Test(.property(cases: 500, parallelism: 2))
  func `an expectation that fails is reported once for the simplest value`() async throws {
    let failures = Atomic(0)
    let line = #line + 2
    let issues = try await recordedIssues {
      await expectForAll(.integer(in: 0...1_000_000)) { number in
        if number >= 1000 { failures.add(1, ordering: .relaxed) }
        #expect(number < 1000, "too much")
      }
    }
    let issue = try #require(issues.first)
    #expect(issues.count == 1)
    #expect(failures.load(ordering: .relaxed) > 1)
    #expect(issue.sourceLocation?.line == line + 2)
    #expect(issue.sourceLocation?.filePath == #filePath)
    #expect(issue.text.contains("counterexample: 1000\n"))
    #expect(issue.text.contains("ExpectForAllTests.swift:\(line + 2): "))
    #expect(issue.text.contains("too much"))
    #expect(issue.text.contains("replay: pt1_"))
  }

  @Test func `a requirement, a thrown error and a miscount fail like an expectation`() async throws
  {
    struct Thrown: Error {}
    let bodies: [@Sendable (Int) async throws -> Void] = [
      { number in try #require(number < 5) },
      { number in if number >= 5 { throw Thrown() } },
      { number in if number >= 5 { Issue.record() } },
      { number in
        await confirmation { confirm in
          if number < 5 { confirm() }
        }
      },
      { number in
        await withTaskGroup { group in group.addTask { #expect(number < 5) } }
      },
    ]
    for body in bodies {
      try await expectFailure("counterexample: 5\n") {
        await expectForAll(.integer(in: 0...100), body: body)
      }
    }
  }

  @Test func `the first failure of a case is the one that is reported`() async throws {
    let issues = try await recordedIssues {
      await expectForAll(.bool) { _ in
        #expect(Bool(false), "alpha")
        try #require(Bool(false), "omega")
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("alpha") == true)
    #expect(issues.first?.text.contains("omega") == false)
  }

  @Test func `a discarded case fails no test, unless an expectation failed before`() async throws {
    await expectForAll(.integer(in: 0...1_000_000)) { number in
      guard number.isMultiple(of: 2) else { throw Discarded() }
      #expect(number.isMultiple(of: 2))
    }
    try await expectFailure("counterexample: 5\n") {
      await expectForAll(.integer(in: 0...100)) { number in
        #expect(number < 5)
        throw Discarded()
      }
    }
  }

  @Test func `a run without valid cases fails`() async throws {
    try await expectFailure("gave up") {
      await expectForAll(.bool) { _ in throw Discarded() }
    }
  }

  @Test func `the values drawn and the notes of a body are shown`() async throws {
    try await expectFailure("counterexample: 3\n", "other = 3") {
      await expectForAll(.integer(in: 1...100)) { number, testCase in
        let other = try testCase.draw(.integer(in: 0...number), as: "other")
        #expect(other < 3)
      }
    }
  }

  @Test func `each failure is shown where it failed`() async throws {
    let issues = try await recordedIssues {
      await expectForAll(.integer(in: -1_000_000...1_000_000)) { number in
        #expect(number < 1000)
        #expect(number > -1000)
      }
    }
    #expect(issues.count == 2)
    #expect(Set(issues.compactMap { $0.sourceLocation?.line }) == [#line - 5, #line - 4])
    #expect(issues.contains { $0.text.contains("for 1000") || $0.text.contains("for -1000") })
  }

  @Test func `a body may take the test case after two to four values`() async throws {
    let sums = Atomic(0)
    let digit = Gen<Int>.integer(in: 0...9)
    await expectForAll(digit, digit) { a, b, testCase in
      let c = try testCase.draw(digit)
      testCase.classify(a + b + c > 0, as: "positive", atLeast: 0.9)
    }
    await expectForAll(digit, digit, digit) { a, b, c, testCase in
      testCase.collect(a + b + c, as: "sum")
      sums.add(1, ordering: .relaxed)
    }
    #expect(sums.load(ordering: .relaxed) > 0)
    try await expectFailure("(9, 9, 9, 9)") {
      await expectForAll(digit, digit, digit, digit, examples: [(9, 9, 9, 9)]) {
        a, b, c, d, testCase in
        testCase.note("the sum is \(a + b + c + d)")
        #expect(a + b + c + d < 36)
      }
    }
  }

  @Test func `warnings and known issues are passed on once per place`() async throws {
    let issues = try await recordedIssues {
      await expectForAll(.integer(in: 0...1_000_000)) { number in
        Issue.record("beware", severity: .warning)
        withKnownIssue { #expect(number < 0) }
      }
    }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { !$0.isFailure })
  }

  @Test func `a failure of an inner property fails the outer one`() async throws {
    try await expectFailure("counterexample: 5\n") {
      await expectForAll(.integer(in: 0...100)) { outer in
        await expectForAll(.integer(in: 0...3)) { inner in
          #expect(inner + outer < 8)
        }
      }
    }
  }
}
