extension ReplayToken: LosslessStringConvertible {
  private static let prefix = "pt1_"
  /// A choice takes at most 10 bytes: one of 66 bits in groups of 7, or one byte and a double.
  private static let mostBytes = TestCase.mostChoices * 10 + 8

  /// The token in one line: its version, then its choices and their checksum in base64url.
  public var description: String {
    var bytes = encoded
    let checksum = Self.checksum(bytes)
    bytes.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) })
    return Self.prefix + Base64URL.encode(bytes)
  }

  /// The token that a text names, or nil; `init(parsing:)` says why.
  public init?(_ description: String) {
    guard let token = try? ReplayToken(parsing: description) else { return nil }
    self = token
  }

  /// The token that a text names.
  ///
  /// - Parameter text: one line as `description` writes it.
  /// - Throws: `DamagedToken`, which says what is wrong with the text.
  public init(parsing text: String) throws(DamagedToken) {
    guard text.hasPrefix(Self.prefix) else {
      guard text.hasPrefix("pt"), let end = text.firstIndex(of: "_"),
        case let version = text[..<end].dropFirst(2), version.count < 10, !version.isEmpty,
        version.allSatisfy(\.isNumber)
      else { throw .notAToken }
      throw .unknownVersion(String(version))
    }
    let encoded = text.utf8.dropFirst(Self.prefix.utf8.count)
    guard encoded.count <= Self.mostBytes * 4 / 3 + 4 else { throw .tooLong }
    let bytes = try Base64URL.decode(encoded)
    guard bytes.count >= 4 else { throw .checksum }
    let (content, ending) = (bytes.dropLast(4), bytes.suffix(4))
    let checksum = ending.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard Self.checksum(content) == checksum else { throw .checksum }
    try self.init(encoded: content)
  }

  /// CRC-32 (ISO 3309), which finds every change of up to 32 bits in a row.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { register, byte in
      (0..<8).reduce(register ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }
}

/// The base64 of RFC 4648 with `-` and `_`, without padding.
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for place in 0...group.count {
        text.append(alphabet[Int(word >> (18 - 6 * UInt32(place)) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: some Sequence<UInt8>) throws(DamagedToken) -> [UInt8] {
    var bytes: [UInt8] = []
    var (register, bits) = (UInt32(0), 0)
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else {
        throw .invalidCharacter(Character(Unicode.Scalar(character)))
      }
      register = (register << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: register >> UInt32(bits)))
      }
    }
    // What is left over is less than a character and zero, or another text would mean the same.
    guard bits < 6, register & (1 << UInt32(bits) - 1) == 0 else { throw .malformed }
    return bytes
  }
}
