/// A store that keeps failures from one run to the next.
public protocol FailureStore: Sendable {
  /// Returns the failures of a property, and the problems of those that could not be read.
  func load(_ property: String) async throws -> StoredFailures
  /// Saves a failure, or writes it again if it is already stored.
  func save(_ failure: StoredFailure, of property: String) async throws
  /// Removes a failure; does nothing if it is not stored.
  func remove(_ failure: StoredFailure, of property: String) async throws
}

/// A stored failure.
public struct StoredFailure: Hashable, Sendable {
  /// The name of the failure within its property: letters and digits.
  public let digest: String
  /// The choices; nil if they could not be read.
  public let token: ReplayToken?
  /// The value as text, from the codec or from its description.
  public let value: String?

  /// Creates a stored failure.
  public init(digest: String, token: ReplayToken?, value: String?) {
    self.digest = digest
    self.token = token
    self.value = value
  }
}

/// The stored failures of one property.
public struct StoredFailures: Sendable {
  /// The failures, in a stable order.
  public var failures: [StoredFailure]
  /// The problems of failures that could not be read, one sentence each.
  public var problems: [String]

  /// Creates the result of a load.
  public init(failures: [StoredFailure] = [], problems: [String] = []) {
    self.failures = failures
    self.problems = problems
  }
}

/// A codec between values and text, so that a stored failure survives a change of its generator.
public struct ValueCodec<Value>: Sendable {
  /// Returns the text of a value.
  public let encode: @Sendable (Value) -> String
  /// Returns the value of a text; throws if the text is invalid.
  public let decode: @Sendable (String) throws -> Value

  /// Creates a codec of two functions; decoding an encoded value must return the value.
  public init(
    encode: @escaping @Sendable (Value) -> String,
    decode: @escaping @Sendable (String) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension ValueCodec where Value: LosslessStringConvertible & SendableMetatype {
  /// The codec that uses the text form of the type.
  public static var lossless: ValueCodec {
    ValueCodec(encode: { $0.description }) { text in
      guard let value = Value(text) else { throw UnreadableValue(text: text) }
      return value
    }
  }
}

/// The error of a text that is not a value of the required type.
public struct UnreadableValue: Error, Hashable, Sendable {
  /// The text.
  public let text: String

  /// Creates the error for a text.
  public init(text: String) { self.text = text }
}
