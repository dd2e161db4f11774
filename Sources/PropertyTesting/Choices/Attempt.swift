/// The result of running a property on a list of choices.
package struct Attempt: Sendable {
  /// The outcome of a run.
  package enum Outcome: Hashable, Sendable {
    case failed(FailureOrigin)
    case passed
    /// A filter or an assumption rejected the case.
    case discarded
    /// The list was too short for the generator, so the run gives no verdict on the property.
    case overrun
  }

  /// The choices that the run made, which may differ from the list that it replayed.
  package let choices: [Choice]
  /// The spans of those choices.
  package let spans: [Span]
  /// The outcome of the run.
  package let outcome: Outcome

  /// Creates an attempt.
  package init(choices: [Choice], spans: [Span], outcome: Outcome) {
    self.choices = choices
    self.spans = spans
    self.outcome = outcome
  }
}

/// The identity of a bug: two failures with equal origins count as one bug.
package struct FailureOrigin: Hashable, Sendable {
  /// The type of the thrown error or of the recorded issue.
  package let errorType: String
  /// The position in the source, if known.
  package let place: String?

  /// Creates an origin.
  package init(errorType: String, place: String? = nil) {
    self.errorType = errorType
    self.place = place
  }
}
