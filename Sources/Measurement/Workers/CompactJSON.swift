/// As much JSON (RFC 8259) as the worker protocol needs, without Foundation in the worker.
package enum CompactJSON: Sendable, Hashable {
  case object([String: CompactJSON])
  case array([CompactJSON])
  case string(String)
  case integer(Int)
  /// A number with a fraction, an exponent, or beyond 64 bits.
  case number(Double)
  case bool(Bool)
  case null

  /// How deep arrays and objects may stand in each other; the protocol needs three.
  package static let depthLimit = 16

  /// Reads a whole text; nil for what is not JSON, is nested too deeply, or names a member twice.
  ///
  /// - Parameter text: One value, with blanks around it or not.
  package init?(text: String) {
    var parser = Parser(bytes: Array(text.utf8))
    guard let value = parser.value(depth: 0), parser.isAtEnd else { return nil }
    self = value
  }
}

extension CompactJSON: CustomStringConvertible {
  /// The text in one line without blanks, members in the order of their names.
  package var description: String {
    switch self {
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { "\(Self.quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .string(let text): Self.quoted(text)
    case .integer(let number): "\(number)"
    case .number(let number): number.isFinite ? "\(number)" : "null"
    case .bool(let flag): "\(flag)"
    case .null: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension CompactJSON {
  private struct Parser {
    let bytes: [UInt8]
    var place = 0

    var isAtEnd: Bool {
      mutating get {
        skipBlanks()
        return place == bytes.count
      }
    }

    private mutating func skipBlanks() {
      while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ text: StaticString) -> Bool {
      let end = place + text.utf8CodeUnitCount
      guard end <= bytes.count,
        text.withUTF8Buffer({ $0.elementsEqual(bytes[place..<end]) })
      else { return false }
      place = end
      return true
    }

    mutating func value(depth: Int) -> CompactJSON? {
      guard depth < CompactJSON.depthLimit else { return nil }
      skipBlanks()
      guard place < bytes.count else { return nil }
      switch bytes[place] {
      case UInt8(ascii: "{"): return object(depth: depth)
      case UInt8(ascii: "["): return array(depth: depth)
      case UInt8(ascii: "\""): return string().map { .string($0) }
      default: break
      }
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      if take("null") { return .null }
      return number()
    }

    private mutating func object(depth: Int) -> CompactJSON? {
      var members: [String: CompactJSON] = [:]
      place += 1
      skipBlanks()
      if take("}") { return .object(members) }
      while true {
        skipBlanks()
        guard let name = string() else { return nil }
        skipBlanks()
        guard take(":"), let value = value(depth: depth + 1), members[name] == nil else {
          return nil
        }
        members[name] = value
        skipBlanks()
        if take("}") { return .object(members) }
        guard take(",") else { return nil }
      }
    }

    private mutating func array(depth: Int) -> CompactJSON? {
      var elements: [CompactJSON] = []
      place += 1
      skipBlanks()
      if take("]") { return .array(elements) }
      while true {
        guard let value = value(depth: depth + 1) else { return nil }
        elements.append(value)
        skipBlanks()
        if take("]") { return .array(elements) }
        guard take(",") else { return nil }
      }
    }

    private mutating func number() -> CompactJSON? {
      let start = place
      while place < bytes.count, "+-.eE0123456789".utf8.contains(bytes[place]) { place += 1 }
      let text = String(decoding: bytes[start..<place], as: UTF8.self)
      let digits = text.drop { $0 == "-" }
      // What Swift reads and JSON does not: a plus or a point in front, and zeros before digits.
      guard let first = digits.utf8.first, Self.isDigit(first), text.count - digits.count <= 1,
        first != 0x30 || digits.utf8.count == 1 || !Self.isDigit(digits.utf8.dropFirst().first),
        text.utf8.last != UInt8(ascii: "."), !text.contains(".e"), !text.contains(".E")
      else { return nil }
      if let integer = Int(text) { return .integer(integer) }
      return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
      byte.map { (0x30...0x39).contains($0) } ?? false
    }

    private mutating func string() -> String? {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
      place += 1
      var units: [UInt8] = []
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
        case UInt8(ascii: "\\"):
          guard let scalar = escape() else { return nil }
          units += Array(String(scalar).utf8)
        case 0..<0x20: return nil
        default: units.append(byte)
        }
      }
      return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
      guard place < bytes.count else { return nil }
      place += 1
      switch bytes[place - 1] {
      case UInt8(ascii: "\""): return "\""
      case UInt8(ascii: "\\"): return "\\"
      case UInt8(ascii: "/"): return "/"
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "f"): return "\u{C}"
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "u"): break
      default: return nil
      }
      guard let high = unit() else { return nil }
      guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
      guard take("\\u"), let low = unit(), (0xDC00..<0xE000).contains(low) else { return nil }
      return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func unit() -> UInt32? {
      let end = place + 4
      guard end <= bytes.count,
        bytes[place..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else { return nil }
      defer { place = end }
      return UInt32(String(decoding: bytes[place..<end], as: UTF8.self), radix: 16)
    }
  }
}
