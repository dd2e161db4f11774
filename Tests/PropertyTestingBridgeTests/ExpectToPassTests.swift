import PropertyTesting
import Synchronization
import Testing

@testable import PropertyTestingBridge

@Suite("A property and its test")
struct ExpectToPassTests {
  @Test func `a property outside of a test is not run and fails`() async throws {
    let place = #_sourceLocation
    let runs = Atomic(0)
    let issues = try await recordedIssues {
      await expectToPass(.bool, nil, [], place, in: nil) { _, _ in runs.add(1, ordering: .relaxed) }
    }
    #expect(runs.load(ordering: .relaxed) == 0)
    #expect(issues.map(\.isFailure) == [true])
    #expect(issues.first?.sourceLocation == place)
  }

  @Test(.property(cases: 1)) func `an issue after its case has ended is not lost`() async throws {
    let issues = try await recordedIssues {
      let (ends, end) = AsyncStream<Void>.makeStream()
      let late = Mutex<Task<Void, Never>?>(nil)
      await expectForAll(.constant(0)) { _ in
        let task = Task {
          for await _ in ends {}
          Issue.record("late")
        }
        late.withLock { $0 = task }
      }
      end.finish()
      await late.withLock { $0 }?.value
    }
    #expect(issues.map(\.text) == ["late"])
  }
}

/// Runs a function and returns the issues that it records, which do not fail the current test.
func recordedIssues(
  _ body: @escaping @Sendable () async throws -> Void
) async throws -> [Issue] {
  let test = try #require(Test.current)
  let issues = Mutex<[Issue]>([])
  let trait = IssueHandlingTrait.compactMapIssues { issue in
    issues.withLock { $0.append(issue) }
    return nil
  }
  try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
  return issues.withLock { $0 }
}

extension Issue {
  var text: String { comments.map(\.rawValue).joined(separator: "\n") }
}
