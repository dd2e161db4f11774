import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGBitWriterTests {
  /// Runs a writer whose symbol n has the code n of length n, for n below 17.
  private func written(
    fillBytes: Int = 0, _ body: (inout BaselineJPEG.BitWriter) -> Void
  ) -> [UInt8] {
    let codes = ScratchBuffer<UInt32>(count: 256, repeating: 0)
    for length in 1...16 { codes.base[length] = UInt32(length) << 5 | UInt32(length) }
    let output = ScratchBuffer<UInt8>(count: 4096, repeating: 0xAA)
    var writer = BaselineJPEG.BitWriter(
      codes: codes.base, output: output.base, fillBytes: fillBytes)
    body(&writer)
    return (0..<writer.count).map { output.base[$0] }
  }

  @Test func `codes and extra bits follow each other, most significant bit first`() {
    let bytes = written {
      $0.symbol(4, extra: 0b101, extraLength: 3)
      $0.symbol(2, extra: 0b0111111, extraLength: 7)
      $0.flush()
    }
    // 0100 101 10 0111111
    #expect(bytes == [0b0100_1011, 0b0011_1111])
  }

  @Test func `padding is ones`() {
    let bytes = written {
      $0.symbol(3, extra: 0, extraLength: 0)
      $0.flush()
    }
    #expect(bytes == [0b0111_1111])
    #expect(written { $0.flush() } == [])
  }

  @Test(arguments: 1...40)
  func `a zero follows every 0xFF, wherever it falls`(zeros: Int) {
    let bytes = written {
      for _ in 0..<zeros { $0.symbol(1, extra: 0, extraLength: 1) }
      for _ in 0..<9 { $0.symbol(1, extra: 0x7FF, extraLength: 11) }
      $0.flush()
    }
    var bits: [UInt8] = []
    var index = 0
    while index < bytes.count {
      bits += (0..<8).map { bytes[index] >> (7 - UInt8($0)) & 1 }
      if bytes[index] == 0xFF {
        #expect(index + 1 < bytes.count && bytes[index + 1] == 0)
        index += 1
      }
      index += 1
    }
    var expected: [UInt8] = []
    for _ in 0..<zeros { expected += [1, 0] }
    expected += [UInt8](repeating: 1, count: 9 * 12)
    #expect(Array(bits.prefix(expected.count)) == expected)
    #expect(bits.dropFirst(expected.count).allSatisfy { $0 == 1 })
    #expect(bits.count - expected.count < 8)
  }

  @Test func `a restart marker stands on a byte boundary behind its fill bytes`() {
    let bytes = written(fillBytes: 2) {
      $0.symbol(1, extra: 0, extraLength: 3)
      $0.restart(5)
      $0.symbol(8, extra: 0, extraLength: 0)
      $0.flush()
    }
    #expect(bytes == [0b1000_1111, 0xFF, 0xFF, 0xFF, 0xD5, 8])
  }

  @Test func `rewinding keeps the bits that are not yet a byte`() {
    let bytes = written {
      $0.symbol(1, extra: 0, extraLength: 3)
      $0.rewind()
      $0.symbol(4, extra: 0, extraLength: 0)
      $0.flush()
    }
    #expect(bytes == [0b1000_0100])
  }

  @Test func `a counter counts each symbol of each table`() {
    var counter = BaselineJPEG.SymbolCounter(tableCount: 2)
    counter.symbol(3, extra: 1, extraLength: 2)
    counter.symbol(256 + 3, extra: 0, extraLength: 0)
    counter.symbol(256 + 3, extra: 0, extraLength: 0)
    counter.restart(0)
    #expect(counter.counts.count == 512)
    #expect(counter.counts[3] == 1 && counter.counts[259] == 2)
    #expect(counter.counts.reduce(0, +) == 3)
  }
}
