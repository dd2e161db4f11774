extension KeyedDecodingContainer {
  /// Decodes one of an enumeration's names; the error for another lists them all.
  func decodeName<Name: RawRepresentable & CaseIterable>(
    _ type: Name.Type, forKey key: Key
  ) throws -> Name where Name.RawValue == String {
    let text = try decode(String.self, forKey: key)
    guard let name = Name(rawValue: text) else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\"\(text)\" is none of \(names)")
    }
    return name
  }

  /// Decodes a whole number; the error for another says so, and where.
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
