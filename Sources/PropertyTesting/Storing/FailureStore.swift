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

/// Writes values as text and reads them again, so that a stored failure outlives its generator.
public struct ValueCodec<Value>: Sendable {
  /// Writes a value.
  public let encode: @Sendable (Value) -> String
  /// Reads it again; throws at a text that is none.
  public let decode: @Sendable (String) throws -> Value

  /// A codec of two functions; reading what was written must give the value.
  public init(
    encode: @escaping @Sendable (Value) -> String,
    decode: @escaping @Sendable (String) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension ValueCodec where Value: LosslessStringConvertible & SendableMetatype {
  /// The type's own text.
  public static var lossless: ValueCodec {
    ValueCodec(encode: { $0.description }) { text in
      guard let value = Value(text) else { throw UnreadableValue(text: text) }
      return value
    }
  }
}

/// Says that a text is no value of the type wanted.
public struct UnreadableValue: Error, Hashable, Sendable {
  /// The text.
  public let text: String

  /// A text that cannot be read.
  public init(text: String) { self.text = text }
}
