// Decoding of files that people write by hand: a misspelt key is an error, not a default.

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Returns the container of the keys, having seen that it holds no others.
  func strictContainer<Key: CodingKey & CaseIterable>(
    keyedBy keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath,
          debugDescription:
            "there is no key \"\(key.stringValue)\" here (use \(known.joined(separator: ", ")))"))
    }
    return try container(keyedBy: keys)
  }

  /// Runs a checked initialiser and names the place in the file when it throws.
  func checked<Value>(_ make: () throws(GeometryError) -> Value) throws -> Value {
    do {
      return try make()
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(error)"))
    }
  }
}
