// Decoding of files that people write by hand: a misspelt key is an error, not a default.

/// The keys that a JSON document may have.
indirect enum DocumentKeys: Sendable, ExpressibleByDictionaryLiteral {
  /// A value without keys, or one that checks its own keys.
  case value
  case object([String: DocumentKeys])
  case list(of: DocumentKeys)

  init(dictionaryLiteral elements: (String, DocumentKeys)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }

  /// Returns an object whose keys have plain values.
  static func values(_ keys: String...) -> DocumentKeys {
    .object(Dictionary(uniqueKeysWithValues: keys.map { ($0, .value) }))
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Throws if a document has other keys, at any depth.
  func check(_ keys: DocumentKeys) throws {
    guard case .object(let known) = keys else { return }
    try container(keyedBy: AnyKey.self).check(known)
  }

  /// Runs a checked initialiser and adds the position in the file to its error.
  func checked<Value>(_ make: () throws -> Value) throws -> Value {
    do {
      return try make()
    } catch let error as GeometryError {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(error)"))
    }
  }
}

extension KeyedDecodingContainer<AnyKey> {
  fileprivate func check(_ known: [String: DocumentKeys]) throws {
    for key in allKeys {
      switch known[key.stringValue] {
      case nil:
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: codingPath,
            debugDescription: "unknown key \"\(key.stringValue)\""
              + " (use \(known.keys.sorted().joined(separator: ", ")))"))
      case .value: break
      case .object(let inner) where try !decodeNil(forKey: key):
        try nestedContainer(keyedBy: AnyKey.self, forKey: key).check(inner)
      case .list(.object(let inner)) where try !decodeNil(forKey: key):
        var list = try nestedUnkeyedContainer(forKey: key)
        while !list.isAtEnd { try list.nestedContainer(keyedBy: AnyKey.self).check(inner) }
      case .object, .list: break
      }
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes the raw value of an enumeration; the error for any other text lists all of them.
  func decodeName<Name: RawRepresentable<String> & CaseIterable>(
    _ type: Name.Type = Name.self, forKey key: Key
  ) throws -> Name {
    let text = try decode(String.self, forKey: key)
    guard let name = Name(rawValue: text) else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\"\(text)\" is none of \(names)")
    }
    return name
  }

  /// Decodes a raw value if the key is present; null is an error, unlike with `decodeIfPresent`.
  func decodeName<Name: RawRepresentable<String> & CaseIterable>(
    forKey key: Key, default usual: Name
  ) throws -> Name {
    contains(key) ? try decodeName(forKey: key) : usual
  }

  /// Decodes a whole number, written with or without decimals.
  func decodeWhole(forKey key: Key) throws -> Int {
    if let whole = try? decode(Int.self, forKey: key) { return whole }
    let number = try decode(Double.self, forKey: key)
    // From 2^53 on several whole numbers are read as one double.
    guard let whole = Int(exactly: number), number.magnitude < 0x1p53 else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(number) is not a whole number")
    }
    return whole
  }
}
