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
