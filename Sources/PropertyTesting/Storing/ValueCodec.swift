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
