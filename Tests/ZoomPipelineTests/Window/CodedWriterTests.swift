import PropertyTesting
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct CodedWriterTests {
  /// Returns bits as text: a slow, plain implementation.
  private func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 2)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  @Test func `what is written is what was appended, filled with ones and stuffed`() {
    var random = SplitMix64(seed: 5)
    for round in 0..<200 {
      // FF is frequent, so that words with and without it occur.
      let source = (0..<Int.random(in: 1...300, using: &random)).map { _ in
        round % 2 == 0 || Int.random(in: 0..<30, using: &random) == 0
          ? UInt8.random(in: 0xF0...0xFF, using: &random) : UInt8.random(in: 0...9, using: &random)
      }
      var coded = CodedBytes()
      coded.load(source.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }[...], from: 0)
      let bits = Array(text(source))
      var expected = ""
      var writer = CodedWriter(header: [7, 8], expecting: 0)
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        if Bool.random(using: &random) {
          let count = Int.random(in: 0...32, using: &random)
          let value = UInt32.random(in: 0...UInt32.max, using: &random)
          writer.append(value, count: count)
          expected += String(text(withUnsafeBytes(of: value.bigEndian) { Array($0) }).suffix(count))
        } else {
          let ends = [0, 1].map { _ in Int.random(in: 0...bits.count, using: &random) }.sorted()
          writer.append(ends[0]..<ends[1], of: coded)
          expected += String(bits[ends[0]..<ends[1]])
        }
      }
      expected += String(repeating: "1", count: (8 - expected.count % 8) % 8)
      let written = writer.finish()
      #expect(Array(written.prefix(2)) == [7, 8] && Array(written.suffix(2)) == [0xFF, 0xD9])
      let body = written.dropFirst(2).dropLast(2)
      #expect(!zip(body, body.dropFirst() + [0]).contains { $0 == 0xFF && $1 != 0 })
      var back = CodedBytes()
      back.load(body, from: 0)
      #expect(text(back.all.prefix(back.count)) == expected)
    }
  }
}
