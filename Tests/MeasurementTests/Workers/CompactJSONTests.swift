import Measurement
import Testing

@Suite struct CompactJSONTests {
  /// A value drawn at random, no deeper than the text may be.
  static func value(_ random: inout SeededRandom, depth: Int = 0) -> CompactJSON {
    let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{0}", "é", "😀", "/", "\u{7F}"]
    func text(_ random: inout SeededRandom) -> String {
      var result = ""
      for _ in 0..<random.index(below: 5) {
        result.unicodeScalars.append(scalars[random.index(below: scalars.count)])
      }
      return result
    }
    switch random.index(below: depth < 5 ? 7 : 5) {
    case 0: return .null
    case 1: return .bool(random.index(below: 2) == 0)
    case 2: return .integer(Int(truncatingIfNeeded: random.next()))
    case 3: return .number((random.unit() - 0.5) * 1e-3)
    case 4: return .string(text(&random))
    case 5:
      let count = random.index(below: 4)
      return .array((0..<count).map { _ in value(&random, depth: depth + 1) })
    default:
      var members: [String: CompactJSON] = [:]
      for _ in 0..<random.index(below: 4) {
        members[text(&random)] = value(&random, depth: depth + 1)
      }
      return .object(members)
    }
  }

  @Test func `a text is read as it was written`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<500 {
      let value = Self.value(&random)
      #expect(CompactJSON(text: value.description) == value, "\(value)")
      #expect(CompactJSON(text: " \t\n\r" + value.description + " ") == value, "\(value)")
    }
  }

  @Test func `no beginning of an object is a text, nor does anything trap`() {
    var random = SeededRandom(seed: 2)
    for _ in 0..<200 {
      let text = CompactJSON.object(["a": Self.value(&random)]).description
      for end in 0..<text.utf8.count {
        let beginning = String(decoding: text.utf8.prefix(end), as: UTF8.self)
        #expect(CompactJSON(text: beginning) == nil, "\(beginning)")
      }
      // A byte replaced: any answer will do, as long as there is one.
      var bytes = Array(text.utf8)
      bytes[random.index(below: bytes.count)] = UInt8(random.index(below: 128))
      _ = CompactJSON(text: String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: [
    "", "nul", "tru", "+1", "01", "-", "1.", ".5", "1.e3", "--1", "1e999", "NaN", "[1,]", "[,1]",
    "{\"a\"}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}", "\"", "\"\\x\"", "\"\\u12g4\"",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "1 2", "[1}",
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(CompactJSON(text: text) == nil)
  }

  @Test func `nesting ends somewhere`() {
    let limit = CompactJSON.depthLimit
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(CompactJSON(text: nested(limit)) != nil)
    #expect(CompactJSON(text: nested(limit + 1)) == nil)
    #expect(CompactJSON(text: nested(1_000_000)) == nil)
  }

  @Test func `escapes are understood`() {
    #expect(
      CompactJSON(text: #""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#)
        == .string("é😀/\u{8}\u{C}\n\r\t\"\\"))
  }
}
