import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGHuffmanTableTests {
  typealias HuffmanTable = BaselineJPEG.HuffmanTable

  /// Length and bits of each symbol that has a code.
  private func codes(_ table: HuffmanTable) -> [(length: Int, bits: Int)] {
    table.symbols.map { symbol in
      let packed = table.packedCodes[Int(symbol)]
      return (Int(packed & 31), Int(packed >> 5))
    }
  }

  private func isPrefixFree(_ table: HuffmanTable) -> Bool {
    let codes = codes(table)
    return codes.indices.allSatisfy { one in
      codes.indices.allSatisfy { other in
        guard one != other, codes[one].length <= codes[other].length else { return true }
        return codes[other].bits >> (codes[other].length - codes[one].length) != codes[one].bits
      }
    }
  }

  @Test func `the tables of Annex K hold every 8-bit symbol once`() {
    let tables = BaselineJPEG.HuffmanTables.annexK(count: 2).tables
    let acSymbols = Set(
      (0...15).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } } + [0, 0xF0])
    for (index, table) in tables.enumerated() {
      #expect(table.counts.reduce(0, +) == table.symbols.count)
      #expect(Set(table.symbols) == (index % 2 == 0 ? Set(0...11) : acSymbols))
      #expect(table.symbols.count == (index % 2 == 0 ? 12 : 162))
      #expect(isPrefixFree(table))
    }
    // T.81 Tables K.3 and K.5: category 0 is 00, end of block is 1010, run 15 is 11111111001.
    #expect(tables[0].packedCodes[0] == 2)
    #expect(tables[1].packedCodes[0] == 0b1010 << 5 | 4)
    #expect(tables[1].packedCodes[0xF0] == 0b111_1111_1001 << 5 | 11)
  }

  @Test func `an optimised table follows the frequencies`() {
    var frequencies = [Int](repeating: 0, count: 256)
    for (symbol, count) in [(7, 100), (1, 50), (200, 20), (3, 1)] { frequencies[symbol] = count }
    let table = HuffmanTable(frequencies: frequencies)
    #expect(Set(table.symbols) == [7, 1, 200, 3])
    #expect(codes(table).map(\.length) == [1, 2, 3, 4])
    #expect(isPrefixFree(table))
  }

  @Test func `one symbol alone gets a code of one bit that is not all ones`() {
    var frequencies = [Int](repeating: 0, count: 256)
    frequencies[5] = 9
    let table = HuffmanTable(frequencies: frequencies)
    #expect(table.symbols == [5])
    #expect(table.packedCodes[5] == 1)
  }

  @Test(arguments: 0..<20)
  func `optimised tables have at most 16 bits, no code of all ones, short codes for the frequent`(
    seed: UInt64
  ) {
    // Powers of two up to 2^39 need codes far over 16 bits before they are cut.
    var frequencies = [Int](repeating: 0, count: 256)
    for symbol in 0..<256 where LatticeHash.below(3, seed, symbol, 0) > 0 {
      frequencies[symbol] = 1 << LatticeHash.below(40, seed, symbol, 1)
    }
    let table = HuffmanTable(frequencies: frequencies)
    let codes = codes(table)
    #expect(Set(table.symbols) == Set((0..<256).filter { frequencies[$0] > 0 }.map { UInt8($0) }))
    #expect(codes.allSatisfy { (1...16).contains($0.length) && $0.bits != 1 << $0.length - 1 })
    #expect(isPrefixFree(table))
    #expect(table.counts.reduce(0, +) == table.symbols.count)
    // A longer code never belongs to a more frequent symbol.
    for (one, other) in zip(table.symbols, table.symbols.dropFirst())
    where table.packedCodes[Int(one)] & 31 < table.packedCodes[Int(other)] & 31 {
      #expect(frequencies[Int(one)] >= frequencies[Int(other)])
    }
  }
}
