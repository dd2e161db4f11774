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

  /// "0": end of block; "10": run 2, size 3; "110": sixteen zeros; "1110": run 5, size 0, invalid.
  private let shortCounts: [UInt8] = [1, 1, 1, 1] + [UInt8](repeating: 0, count: 12)
  private let shortValues: [UInt8] = [0, 0x23, 0xF0, 0x50]

  @Test func `steps take as many codes as stand in the prefix whole`() throws {
    let table = try #require(EntropyTable(counts: shortCounts, values: shortValues))
    func step(_ prefix: String) throws -> EntropyStep {
      let index = try #require(Int(prefix, radix: 2)) << (EntropyTable.fastBits - prefix.count)
      return table.steps[index]
    }
    // Zeros fill the prefix: an end of block follows whatever else there is room for.
    let end = try step("0")
    #expect(end.bits == 1 && end.coefficients == 0 && end.endsBlock && end.mostCoefficients == 63)
    let two = try step("10111" + "0")
    #expect(two.bits == 6 && two.coefficients == 3 && two.endsBlock)
    let zeros = try step("110" + "110" + "110" + "11")
    #expect(zeros.bits == 9 && zeros.coefficients == 48 && !zeros.endsBlock)
    #expect(zeros.mostCoefficients == 64)
    #expect(try step("1110") == .none)
    // The magnitude of the last may reach beyond: 2 + 3 + 2 + 3 + "1|0" needs the twelfth bit.
    let beyond = try step("10111" + "10111" + "1")
    #expect(beyond.bits == 10 && beyond.coefficients == 6)
    #expect(try step("10111" + "0").bits == 6)
  }

  @Test func `differences tell length and size, but not of what no baseline picture has`() throws {
    let table = try #require(
      EntropyTable(counts: [1, 1] + [UInt8](repeating: 0, count: 14), values: [11, 12]))
    #expect(table.differences[0] == 1 << 8 | 11)
    #expect(table.differences[0b10 << (EntropyTable.fastBits - 2)] == 0)
    #expect(table.differences[0b11 << (EntropyTable.fastBits - 2)] == 0)
  }

  @Test func `the complete table has a code for every difference of a baseline picture`() {
    for size in 0...11 { #expect(EntropyTable.completeDifferences.code(of: UInt8(size)) != nil) }
    let segment = EntropyTable.completeSegment(for: [0, 1])
    #expect(segment.count == 2 * (2 + 2 + 1 + 16 + 12))
    #expect(Array(segment.prefix(5)) == [0xFF, 0xC4, 0, 31, 0])
  }
}
