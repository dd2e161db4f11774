/// Keeps failures from one run to the next.
public protocol FailureStore: Sendable {
  /// The failures of a property, and what could not be read of them.
  func load(_ property: String) async throws -> StoredFailures
  /// Keeps a failure; one that is kept already is written again.
  func save(_ failure: StoredFailure, of property: String) async throws
  /// Forgets a failure; one that is not kept is no error.
  func remove(_ failure: StoredFailure, of property: String) async throws
}

/// A failure as it is kept.
public struct StoredFailure: Hashable, Sendable {
  /// What names it within its property: letters and digits.
  public let digest: String
  /// Its choices; nil when they could not be read.
  public let token: ReplayToken?
  /// Its value as text: as the codec writes it, or as it is described.
  public let value: String?

  /// A failure as it is kept.
  public init(digest: String, token: ReplayToken?, value: String?) {
    self.digest = digest
    self.token = token
    self.value = value
  }
}

/// What a store holds of one property.
public struct StoredFailures: Sendable {
  /// The failures, in an order that does not change.
  public var failures: [StoredFailure]
  /// What could not be read, one sentence each.
  public var problems: [String]

  /// What a store holds.
  public init(failures: [StoredFailure] = [], problems: [String] = []) {
    self.failures = failures
    self.problems = problems
  }
}
