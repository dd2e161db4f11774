import Synchronization
import Testing

/// The issues that something records in the current test, which are kept from failing it.
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

/// Counts from several tasks at once.
final class Counter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func increment() { number.withLock { $0 += 1 } }
}

extension Issue {
  /// What the issue says.
  var text: String { comments.map(\.rawValue).joined(separator: "\n") }
}
