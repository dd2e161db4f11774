internal import Foundation

/// Values as JSON on one line, keys in order: the same value always gives the same text.
enum JSONText {
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<Value: Decodable>(of text: String) throws -> Value {
    try value(of: Data(text.utf8))
  }

  static func value<Value: Decodable>(of data: Data) throws -> Value {
    try JSONDecoder().decode(Value.self, from: data)
  }
}
