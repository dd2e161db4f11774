internal import PropertyTesting
internal import Synchronization
internal import Testing

/// Runs a property within the current test and reports what comes of it as at most one failure.
func expectToPass<Value>(
  _ name: String?, in test: Test? = .current, at sourceLocation: SourceLocation,
  _ run: @escaping @Sendable (String, PropertySettings) async -> PropertyReport<Value>
) async {
  guard let test else {
    Issue.record(
      "A property outside of a test, or in a detached task, cannot see what #expect finds: use check.",
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
    Issue.record(Comment(rawValue: report.description), sourceLocation: sourceLocation)
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
