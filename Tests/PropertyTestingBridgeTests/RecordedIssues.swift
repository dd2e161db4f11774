import Synchronization
import Testing

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

/// A counter for concurrent tasks.
final class Counter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func increment() { number.withLock { $0 += 1 } }
}

extension Issue {
  /// The comments of the issue.
  var text: String { comments.map(\.rawValue).joined(separator: "\n") }
}
