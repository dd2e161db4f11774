import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct ScanTablesTests {
  /// Table K.3 of ITU-T T.81, for DC differences of luminance.
  private let luminanceCounts: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
  private let luminanceValues: [UInt8] = Array(0...11)

  /// One code of each length 1...16, so that both short and long codes are looked up.
  private let ladderCounts = [UInt8](repeating: 1, count: 16)
  private let ladderValues: [UInt8] = Array(0x10...0x1F)

  @Test func `each code found is the code written, whatever bits follow`() throws {
    for (counts, values) in [(luminanceCounts, luminanceValues), (ladderCounts, ladderValues)] {
      let table = try #require(HuffmanTable(counts: counts, values: values))
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
    let table = try #require(HuffmanTable(counts: ladderCounts, values: ladderValues))
    #expect(table.symbol(atTopOf: .max).codeLength == 0)
    #expect(table.code(of: 0x20) == nil)
  }

  @Test func `counts that form no prefix code are refused`() {
    #expect(HuffmanTable(counts: [3] + [UInt8](repeating: 0, count: 15), values: [1, 2, 3]) == nil)
    #expect(HuffmanTable(counts: luminanceCounts, values: [1, 2]) == nil)
    #expect(HuffmanTable(counts: [1], values: [1]) == nil)
  }

  /// Skips an MCU code by code as the standard describes it; nil for invalid data.
  private func plainWalk(
    _ tables: ScanTables, _ bits: [UInt8], _ start: Int, _ predictors: inout Predictors
  ) -> Int? {
    var position = start
    func word() -> UInt64 {
      (0..<32).reduce(0) { sum, place in
        let at = position + place
        let bit = at < bits.count ? bits[at] : 0
        return sum | UInt64(bit) << UInt64(63 - place)
      }
    }
    for block in tables.blocks {
      let dc = tables.dcTables[block.dc].symbol(atTopOf: word())
      guard dc.codeLength > 0, dc.value <= 11 else { return nil }
      position += dc.codeLength
      let magnitude = Int32(
        truncatingIfNeeded: dc.value == 0 ? 0 : word() >> (64 - UInt64(dc.value)))
      let isNegative = dc.value > 0 && magnitude < 1 << (Int32(dc.value) - 1)
      predictors[block.component] += isNegative ? magnitude - (1 << Int32(dc.value)) + 1 : magnitude
      position += Int(dc.value)
      var coefficient = 1
      while coefficient < 64 {
        let ac = tables.acTables[block.ac].symbol(atTopOf: word())
        guard ac.codeLength > 0 else { return nil }
        position += ac.codeLength
        if ac.value == 0 { break }
        guard ac.value & 15 != 0 || ac.value == 0xF0 else { return nil }
        coefficient += Int(ac.value >> 4) + 1
        position += Int(ac.value & 15)
        guard coefficient <= 64 else { return nil }
      }
    }
    return position
  }

  /// Tries standard and optimised tables and codes of 16 bits, on random and real data.
  @Test(arguments: [50, 98], [JPEGEncoding.Coding.huffman, .optimised])
  func `looking up several codes at a time skips the same bits as one code at a time`(
    quality: Int, coding: JPEGEncoding.Coding
  ) throws {
    let options = JPEGEncoding(quality: quality).with(\.coding, coding)
    let file = MemoryFile(try JPEGBytes(160, 96, options).bytes, madeFrom: "made.jpg")
    let jpeg = try JPEGParser.parse(file)
    let tables = try ScanTables(jpeg, of: file.path)
    var random = SplitMix64(seed: UInt64(quality))
    var (regular, irregular) = (0, 0)
    let rounds = Thoroughness.pick(40, full: 400)
    for round in 0..<rounds {
      var coded = CodedBytes()
      if round % 2 == 0 {
        let noise = (0..<600).map { _ in UInt8.random(in: 0...0xFE, using: &random) }
        coded.load(noise[...], from: 0)
      } else {
        try coded.load(file, at: jpeg.codedStart, most: file.length)
      }
      let bits = coded.all.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
      let start = Int.random(in: 0..<min(coded.bitCount, 2000), using: &random)
      var (position, predictors, expected) = (start, Predictors.zero, Predictors.zero)
      let isRegular = coded.withBytes { data in
        withUnsafeMutableBytes(of: &predictors) { values in
          tables.walk.mcu(data, &position, values.baseAddress!.assumingMemoryBound(to: Int32.self))
        }
      }
      let end = plainWalk(tables, bits, start, &expected)
      #expect(isRegular == (end != nil), "from bit \(start)")
      if let end {
        #expect(position == end && predictors == expected, "from bit \(start)")
        regular += 1
      } else {
        irregular += 1
      }
    }
    #expect(regular > rounds / 8 && irregular > rounds / 20)
  }
}
