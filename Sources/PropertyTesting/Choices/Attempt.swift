/// What came of running a property on a list of choices.
package struct Attempt: Sendable {
  /// How a run ended.
  package enum Outcome: Hashable, Sendable {
    case failed(FailureOrigin)
    case passed
    /// A filter or an assumption turned the case away.
    case discarded
    /// The list was too short for the generator, so the property was not judged.
    case overrun
  }

  /// The choices that were made, which need not be those that were asked for.
  package let choices: [Choice]
  /// The stretches of those choices.
  package let spans: [Span]
  /// How the run ended.
  package let outcome: Outcome

  /// A run of these parts.
  package init(choices: [Choice], spans: [Span], outcome: Outcome) {
    self.choices = choices
    self.spans = spans
    self.outcome = outcome
  }
}

/// What tells one bug from another: two failures of the same origin are taken for one bug.
package struct FailureOrigin: Hashable, Sendable {
  /// The type of the error that was thrown, or of the issue that was recorded.
  package let errorType: String
  /// Where in the source, if that is known.
  package let place: String?

  /// An origin of these parts.
  package init(errorType: String, place: String? = nil) {
    self.errorType = errorType
    self.place = place
  }
}
