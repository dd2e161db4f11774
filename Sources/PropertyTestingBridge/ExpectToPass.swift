internal import PropertyTesting
internal import Synchronization
internal import Testing

/// Runs a property within the current test and reports each failure at the place that failed.
func expectToPass<Value>(
  _ name: String?, in test: Test? = .current, at sourceLocation: SourceLocation,
  _ run: @escaping @Sendable (String, PropertySettings) async -> PropertyReport<Value>
) async {
  guard let test else {
    Issue.record(
      "A property outside of a test, or in a detached task, cannot see what #expect finds: use Property.check.",
      sourceLocation: sourceLocation)
    return
  }
  let name = name ?? "\(test.sourceLocation.fileID)/\(test.displayName ?? test.name)"
  let settings = PropertyTrait.settings
  let result = Mutex<PropertyReport<Value>?>(nil)
  do {
    try await holdingIssues(of: test) {
      let report = await run(name, settings)
      result.withLock { $0 = report }
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  guard let report = result.withLock({ $0 }) else { return }
  if report.verdict != .passed {
    // The report is at the place of the first failure, and the others each at its own.
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

/// Runs something while failures go to the sink of the case that records them.
///
/// What fails no case is passed on, once for each place, for a property records it in every case.
private func holdingIssues(
  of test: Test, _ body: @escaping @Sendable () async throws -> Void
) async throws {
  let seen = SeenPlaces()
  let trait = IssueHandlingTrait.compactMapIssues { issue in
    guard let sink = IssueSink.current else { return issue }
    guard issue.isFailure else { return seen.isNew(issue.sourceLocation) ? issue : nil }
    return sink.take(issue) ? nil : issue
  }
  try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
}

/// The places that have reported something.
private final class SeenPlaces: Sendable {
  private let places = Mutex<Set<SourceLocation?>>([])

  /// Whether a place reports for the first time.
  func isNew(_ place: SourceLocation?) -> Bool {
    places.withLock { $0.insert(place).inserted }
  }
}

/// Takes the issues that one case records, for as long as the case runs.
final class IssueSink: Sendable {
  /// Where the issues of the running case go.
  @TaskLocal static var current: IssueSink?

  private struct State {
    var isOpen = true
    var first: Issue?
  }

  private let state = Mutex(State())

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
    throw FailedIssue(text: issue.text, place: issue.sourceLocation)
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

/// An issue that fails a case.
struct FailedIssue: Error, PlacedError, CustomStringConvertible {
  let text: String
  let place: SourceLocation?

  var failurePlace: String? { place.map { "\($0.fileID):\($0.line)" } }
  var description: String { (failurePlace.map { "\($0): " } ?? "") + text }

  /// Where an error that failed a case comes from, if it knows.
  static func place(of error: any Error) -> SourceLocation? {
    switch (error as? StepFailure)?.underlying ?? error {
    case let issue as FailedIssue: issue.place
    case let failure as PropertyFailure:
      // A file's path is not kept; its name is all that people are shown.
      SourceLocation(
        fileID: failure.fileID, filePath: failure.fileID, line: failure.line, column: 1)
    default: nil
    }
  }
}

extension Issue {
  /// What went wrong, in the words of the testing library and those of the test.
  fileprivate var text: String {
    ([kind.description] + comments.map(\.rawValue)).joined(separator: ": ")
  }
}
