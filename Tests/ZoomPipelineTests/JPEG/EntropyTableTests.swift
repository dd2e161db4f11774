import Testing

@testable import ZoomPipeline

@Suite struct EntropyTableTests {
  /// Table K.3 of ITU-T T.81: DC differences of luminance.
  private let luminanceCounts: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
  private let luminanceValues: [UInt8] = Array(0...11)

  /// One code of each length 1...16, so that short and long codes are both looked up.
  private let ladderCounts = [UInt8](repeating: 1, count: 16)
  private let ladderValues: [UInt8] = Array(0x10...0x1F)

  @Test func `the example codes of the standard are found`() throws {
    let table = try #require(EntropyTable(counts: luminanceCounts, values: luminanceValues))
    let codes = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110"]
    for (value, code) in codes.enumerated() {
      let bits = try #require(UInt64(code, radix: 2)) << UInt64(64 - code.count)
      let symbol = table.symbol(atTopOf: bits)
      #expect(symbol.value == UInt8(value) && symbol.codeLength == code.count)
    }
  }

  @Test func `each code found is the code written, whatever bits follow`() throws {
    for (counts, values) in [(luminanceCounts, luminanceValues), (ladderCounts, ladderValues)] {
      let table = try #require(EntropyTable(counts: counts, values: values))
      for value in values {
        let code = try #require(table.code(of: value))
        for tail in [UInt64(0), .max] {
          let top = UInt64(code.bits) << UInt64(64 - code.length)
          let symbol = table.symbol(atTopOf: top | tail >> UInt64(code.length))
          #expect(symbol.value == value && symbol.codeLength == code.length)
        }
      }
    }
  }

  @Test func `bits that begin no code have length zero`() throws {
    let table = try #require(EntropyTable(counts: ladderCounts, values: ladderValues))
    #expect(table.symbol(atTopOf: .max).codeLength == 0)
    #expect(table.code(of: 0x20) == nil)
  }

  @Test func `counts that are no prefix code are refused`() {
    #expect(EntropyTable(counts: [3] + [UInt8](repeating: 0, count: 15), values: [1, 2, 3]) == nil)
    #expect(EntropyTable(counts: luminanceCounts, values: [1, 2]) == nil)
    #expect(EntropyTable(counts: [1], values: [1]) == nil)
  }

  @Test func `steps tell bits and coefficients of an AC code`() throws {
    // "0": end of block; "10": run 2, size 3; "110": sixteen zeros; "1110": run 5, size 0, invalid.
    let table = try #require(
      EntropyTable(
        counts: [1, 1, 1, 1] + [UInt8](repeating: 0, count: 12), values: [0, 0x23, 0xF0, 0x50]))
    let steps = table.steps
    func step(_ prefix: String) throws -> (bits: Int, coefficients: Int) {
      let index = try #require(Int(prefix, radix: 2)) << (EntropyTable.fastBits - prefix.count)
      return (Int(steps[index] & 0xFF), Int(steps[index] >> 8))
    }
    #expect(try step("0") == (1, EntropyTable.endOfBlock))
    #expect(try step("10") == (2 + 3, 3))
    #expect(try step("110") == (3, 16))
    #expect(try step("1110") == (0, 0))
  }
}
