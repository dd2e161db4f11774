internal import Foundation
package import PropertyTesting

/// A JSON tree that can hold what no encoder writes: a duplicate key, NaN, huge numbers.
package indirect enum JSONTree: Sendable {
  case object([(key: String, value: JSONTree)])
  case array([JSONTree])
  /// A number, a string with its quotes, `true`, `null`, or text that is not valid JSON.
  case token(String)

  /// Parses JSON; keys of objects are sorted.
  /// - Throws: Foundation's error for text that is not JSON.
  package init(parsing text: String) throws {
    self.init(
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    case let object as [String: Any]:
      self = .object(object.sorted { $0.key < $1.key }.map { ($0.key, JSONTree($0.value)) })
    case let array as [Any]: self = .array(array.map { JSONTree($0) })
    default:
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes])
      self = .token(String(decoding: data ?? Data("null".utf8), as: UTF8.self))
    }
  }

  package var text: String {
    switch self {
    case .object(let members):
      "{" + members.map { JSONTree($0.key).text + ":" + $0.value.text }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .token(let text): text
    }
  }

  /// The value of a key; nil if this is not an object or lacks the key.
  package subscript(_ key: String) -> JSONTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.key == key }
      if let newValue, let place { members[place].value = newValue }
      if let newValue, place == nil { members.append((key, newValue)) }
      if newValue == nil { members.removeAll { $0.key == key } }
      self = .object(members)
    }
  }

  /// The members of an object; the elements of an array, with empty keys.
  private var children: [(key: String, value: JSONTree)] {
    get {
      switch self {
      case .object(let members): members
      case .array(let elements): elements.map { ("", $0) }
      case .token: []
      }
    }
    set {
      switch self {
      case .object: self = .object(newValue)
      case .array: self = .array(newValue.map(\.value))
      case .token: break
      }
    }
  }

  private var count: Int { children.reduce(1) { $0 + $1.value.count } }

  /// Replacements for numbers, texts and structures.
  private static let strange = [
    "-1", "0", "1", "-0.0", "1.5", "2147483648", "4294967296", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
    "1e18", "1e19", "1e308", "1e400", "-1e308", "5e-324", "NaN", "Infinity", "null", "true",
    "\"\"", "\"x\"", "\"-1\"", "\"\\u0000\"", "\"\\u001b[2J\"", "\"../../x\"", "[]", "{}", "[[]]",
    String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
    "\"" + String(repeating: "9", count: 10_000) + "\"",
  ]

  /// Replaces, removes or duplicates one value at random; `more` are further replacements.
  package mutating func mutate(_ random: inout SplitMix64, among more: [String] = []) {
    var place = Int.random(in: 0..<count, using: &random)
    change(&place, Self.strange + more, &random)
  }

  @discardableResult
  private mutating func change(
    _ place: inout Int, _ strange: [String], _ random: inout SplitMix64
  ) -> Bool {
    if place == 0 {
      self = .token(strange.randomElement(using: &random) ?? "null")
      return true
    }
    place -= 1
    for index in children.indices {
      if place == 0, Bool.random(using: &random) {
        var copy = children[index]
        if Bool.random(using: &random) {
          children.remove(at: index)
        } else if case .object = self {
          var here = 0
          copy.value.change(&here, strange, &random)
          children.insert(copy, at: index + Int.random(in: 0...1, using: &random))
        } else {
          children.insert(copy, at: index)
        }
        return true
      }
      if children[index].value.change(&place, strange, &random) { return true }
    }
    return false
  }
}
