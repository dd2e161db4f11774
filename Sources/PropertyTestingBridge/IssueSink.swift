internal import PropertyTesting
internal import Synchronization
internal import Testing

/// Takes the issues that one case records, for as long as the case runs.
final class IssueSink: Sendable {
  /// Where the issues of the running case go.
  @TaskLocal static var current: IssueSink?

  private struct State {
    var isOpen = true
    var first: Issue?
  }

  private let state = Mutex(State())
  private let fallback: SourceLocation

  /// A sink; issues that know no place are said to come from this one.
  init(fallback: SourceLocation) { self.fallback = fallback }

  /// Takes an issue; returns false once the case has ended, and the issue is not lost then.
  func take(_ issue: Issue) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      if state.first == nil { state.first = issue }
      return true
    }
  }

  /// Throws what makes the case a failure, if anything does.
  func verify() throws {
    guard let issue = state.withLock({ $0.first }) else { return }
    let place = issue.sourceLocation ?? fallback
    throw PropertyFailure(issue.text, fileID: place.fileID, line: place.line)
  }

  /// Runs a case and throws what makes it a failure: an issue, or else the case's own error.
  ///
  /// An issue comes first, because it knows its place, which tells failures apart.
  func collect(_ body: () async throws -> Void) async throws {
    defer { state.withLock { $0.isOpen = false } }
    do {
      try await Self.$current.withValue(self, operation: body)
    } catch {
      // Names the step as well, when the error is the issue of a step.
      if error is StepFailure { throw error }
      try verify()
      throw error
    }
    try verify()
  }
}

extension Issue {
  /// What went wrong, in the words of the testing library and those of the test.
  fileprivate var text: String {
    ([kind.description] + comments.map(\.rawValue)).joined(separator: ": ")
  }
}
