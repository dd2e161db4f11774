import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct BitSpliceTests {
  /// The bits of bytes as text, which is the model that everything here is held against.
  private func text(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 2)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  @Test func `bits come out in the order in which they went in, padded with ones`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      var splice = BitSplice()
      var expected = ""
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let count = Int.random(in: 0...32, using: &random)
        let value = UInt32(truncatingIfNeeded: random.next() & ((1 << UInt64(count)) - 1))
        splice.append(value, count: count)
        let digits = count == 0 ? "" : String(value, radix: 2)
        expected +=
          String(repeating: "0", count: max(0, count - digits.count)) + digits.suffix(count)
      }
      splice.padToByte()
      expected += String(repeating: "1", count: (8 - expected.count % 8) % 8)
      #expect(text(splice.bytes) == expected)
    }
  }

  @Test func `any range of a buffer is copied bit by bit`() {
    var random = SplitMix64(seed: 2)
    let source = (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let bits = text(source)
    for _ in 0..<300 {
      // The last eight bytes are the room that reading needs.
      let start = Int.random(in: 0...56 * 8, using: &random)
      let end = Int.random(in: start...56 * 8, using: &random)
      var splice = BitSplice()
      splice.append(0b101, count: 3)
      splice.append(start..<end, of: source)
      splice.padToByte()
      let wanted =
        "101" + bits.dropFirst(start).prefix(end - start)
      #expect(text(splice.bytes).hasPrefix(wanted))
      #expect(splice.bytes.count == (wanted.count + 7) / 8)
    }
  }
}
