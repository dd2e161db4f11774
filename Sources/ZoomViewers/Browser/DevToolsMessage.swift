internal import Foundation

package typealias JSONObject = [String: JSONValue]

/// A value of a JSON document.
package enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The value of a key; nil if this is not an object or lacks it.
  package subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var number: Double? { if case .number(let number) = self { number } else { nil } }
  package var elements: [JSONValue] { if case .array(let all) = self { all } else { [] } }
  package var isTrue: Bool { self == .boolean(true) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements) { $1 })
  }
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let object = try? value.decode(JSONObject.self) {
      self = .object(object)
    } else if let flag = try? value.decode(Bool.self) {
      self = .boolean(flag)
    } else if value.decodeNil() {
      self = .null
    } else {
      self = .array(try value.decode([JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let flag): try value.encode(flag)
    case .string(let text): try value.encode(text)
    case .array(let elements): try value.encode(elements)
    case .object(let object): try value.encode(object)
    case .number(let number):
      // The browser refuses 1.0 where it wants an integer.
      if let whole = Int(exactly: number) {
        try value.encode(whole)
      } else {
        try value.encode(number)
      }
    }
  }
}

/// A message of the browser: the answer to a command, or an event.
struct DevToolsMessage {
  /// The number of the command that it answers; nil for an event.
  let id: Int?
  /// The event's name.
  let method: String?
  let session: String?
  /// The result of a command or the parameters of an event.
  let body: JSONObject
  /// The reason for which a command was refused.
  let refusal: String?

  /// The key of a screenshot, and the bytes at a message's beginning among which it is found.
  private static let (mark, head) = (Array("\"screenshotData\":\"".utf8), 256)

  /// Reads a message.
  ///
  /// A screenshot of a megabyte is cut out first, because the parser is slow. It is returned apart.
  ///
  /// - Throws: `protocol` for anything but a message.
  static func read(
    _ bytes: [UInt8]
  ) throws(ViewerFailure) -> (message: DevToolsMessage, screenshot: [UInt8]?) {
    guard let start = bytes.prefix(head).firstRange(of: mark)?.upperBound,
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\""))
    else { return (try DevToolsMessage(bytes), nil) }
    guard let png = Data(base64Encoded: Data(bytes[start..<end])) else {
      throw .protocol("a screenshot is not Base64")
    }
    return (try DevToolsMessage(Array(bytes[..<start] + bytes[end...])), Array(png))
  }

  private init(_ bytes: [UInt8]) throws(ViewerFailure) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)),
      case .object(let fields) = value
    else {
      let text = String(decoding: bytes.prefix(80), as: UTF8.self)
      throw .protocol("the message '\(text)' is not a JSON object")
    }
    id = fields["id"]?.number.flatMap { Int(exactly: $0) }
    method = fields["method"]?.text
    session = fields["sessionId"]?.text
    refusal = fields["error"].map { $0["message"]?.text ?? "no reason given" }
    guard id != nil || method != nil else {
      throw .protocol("a message is neither an answer nor an event")
    }
    if case .object(let body) = fields[method == nil ? "result" : "params"] ?? .null {
      self.body = body
    } else {
      body = [:]
    }
  }
}
