internal import PropertyTesting
internal import Synchronization
internal import Testing

/// Runs a property within a test and reports each failure at its source position.
func expectToPass<Value: Sendable>(
  _ generator: Gen<Value>, _ name: String?, _ examples: [Value], _ sourceLocation: SourceLocation,
  in test: Test? = .current,
  _ body: @escaping @Sendable (Value, inout TestCase) async throws -> Void
) async {
  guard let test else {
    Issue.record(
      "A property outside of a test, or in a detached task, cannot receive the issues of #expect: use Property.check.",
      sourceLocation: sourceLocation)
    return
  }
  let name = name ?? "\(test.sourceLocation.fileID)/\(test.displayName ?? test.name)"
  let settings = PropertyTrait.settings
  let result = Mutex<PropertyReport<Value>?>(nil)
  do {
    try await holdingIssues(of: test) {
      let report = await Property.check(name, generator, examples: examples, settings: settings) {
        value, testCase in
        try await IssueSink().collect { try await body(value, &testCase) }
      }
      result.withLock { $0 = report }
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  guard let report = result.withLock({ $0 }) else { return }
  if report.verdict != .passed {
    // The full report is recorded at the first failure, and each other failure at its own position.
    let places = report.failures.map { FailedIssue.place(of: $0.error) ?? sourceLocation }
    Issue.record(
      Comment(rawValue: report.description), sourceLocation: places.first ?? sourceLocation)
    for (failure, place) in zip(report.failures, places).dropFirst() where place != places.first {
      Issue.record(
        "\(report.name): \(failure.message), for \(failure.description)", sourceLocation: place)
    }
  } else if !report.healthFindings.isEmpty || !report.storeProblems.isEmpty {
    Issue.record(
      Comment(rawValue: report.description), severity: .warning, sourceLocation: sourceLocation)
  }
}

/// Runs a function and passes each failure to the sink of the case that records it; reports other issues once per
/// source position.
private func holdingIssues(
  of test: Test, _ body: @escaping @Sendable () async throws -> Void
) async throws {
  let seen = Mutex<Set<SourceLocation?>>([])
  let trait = IssueHandlingTrait.compactMapIssues { issue in
    guard let sink = IssueSink.current else { return issue }
    guard !issue.isFailure else { return sink.take(issue) ? nil : issue }
    return seen.withLock { $0.insert(issue.sourceLocation).inserted } ? issue : nil
  }
  try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
}

/// A collector of the issues that one case records.
final class IssueSink: Sendable {
  @TaskLocal static var current: IssueSink?

  private let state = Mutex<(isOpen: Bool, first: Issue?)>((true, nil))

  /// Accepts an issue; returns false after the end of the case, when the issue belongs to the test.
  func take(_ issue: Issue) -> Bool {
    state.withLock { state in
      if state.isOpen { state.first = state.first ?? issue }
      return state.isOpen
    }
  }

  /// Runs a case and throws its failure: its first issue, which has a source position, or else its error.
  func collect(_ body: () async throws -> Void) async throws {
    defer { state.withLock { $0.isOpen = false } }
    var thrown: (any Error)?
    do { try await Self.$current.withValue(self, operation: body) } catch { thrown = error }
    if let issue = state.withLock({ $0.first }) {
      throw FailedIssue(text: issue.text, place: issue.sourceLocation)
    }
    if let thrown { throw thrown }
  }
}

struct FailedIssue: Error, PlacedError, CustomStringConvertible {
  let text: String
  let place: SourceLocation?

  var failurePlace: String? { place.map { "\($0.fileID):\($0.line)" } }
  var description: String { (failurePlace.map { "\($0): " } ?? "") + text }

  /// The source position of an error that failed a case, if known.
  static func place(of error: any Error) -> SourceLocation? {
    switch error {
    case let issue as FailedIssue: issue.place
    case let failure as PropertyFailure:
      // The failure lacks the file's path; a report shows only its name.
      SourceLocation(
        fileID: failure.fileID, filePath: failure.fileID, line: failure.line, column: 1)
    default: nil
    }
  }
}

extension Issue {
  /// The text of the issue: the description of its kind, then the comments of the test.
  fileprivate var text: String {
    ([kind.description] + comments.map(\.rawValue)).joined(separator: ": ")
  }
}
