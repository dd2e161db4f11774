extension BaselineJPEG {
  /// A Huffman table as a DHT segment carries it (T.81 B.2.4.2).
  struct HuffmanTable: Sendable, Hashable {
    /// Number of codes of each length 1...16.
    let counts: [Int]
    /// Symbols in order of increasing code.
    let symbols: [UInt8]

    init(counts: [Int], symbols: [UInt8]) {
      self.counts = counts
      self.symbols = symbols
    }

    /// Code and length of each symbol, packed as `code << 5 | length`; 0 for a symbol without code.
    ///
    /// Codes are assigned as in T.81 Figures C.1 and C.2.
    var packedCodes: [UInt32] {
      var packed = [UInt32](repeating: 0, count: 256)
      var code: UInt32 = 0
      var next = symbols.startIndex
      for length in 1...16 {
        for _ in 0..<counts[length - 1] {
          packed[Int(symbols[next])] = code << 5 | UInt32(length)
          code += 1
          next += 1
        }
        code <<= 1
      }
      return packed
    }

    /// The shortest table for symbols with these frequencies, by the procedure of T.81 K.2.
    ///
    /// Symbol 256 takes part with frequency 1, so that no real symbol gets a code of all ones.
    init(frequencies: [Int]) {
      precondition(frequencies.count == 256, "a table has 256 possible symbols")
      let sizes = Self.codeSizes(frequencies + [1])
      var bits = [Int](repeating: 0, count: 258)
      for size in sizes where size > 0 {
        bits[size] += 1
      }
      // Figure K.3: a pair of too long codes gives one bit to its parent, and a shorter code makes
      // room by growing one bit.
      for length in stride(from: 257, to: 16, by: -1) {
        while bits[length] > 0 {
          var shorter = length - 2
          while bits[shorter] == 0 { shorter -= 1 }
          bits[length] -= 2
          bits[length - 1] += 1
          bits[shorter + 1] += 2
          bits[shorter] -= 1
        }
      }
      // The reserved symbol holds one of the longest codes.
      if let longest = (1...16).last(where: { bits[$0] > 0 }) {
        bits[longest] -= 1
      }
      counts = Array(bits[1...16])
      // Figure K.4 sorts by size alone; where shortening splits a size, the frequent go first.
      symbols = (0..<256).filter { sizes[$0] > 0 }
        .sorted { (sizes[$0], -frequencies[$0], $0) < (sizes[$1], -frequencies[$1], $1) }
        .map { UInt8($0) }
    }

    /// T.81 Figure K.1: joins the two rarest trees until one is left.
    private static func codeSizes(_ frequencies: [Int]) -> [Int] {
      var weight = frequencies
      var sizes = [Int](repeating: 0, count: 257)
      var chain = [Int](repeating: -1, count: 257)
      while true {
        var rarest = -1
        var second = -1
        for symbol in 0..<257 where weight[symbol] > 0 {
          if rarest < 0 || weight[symbol] <= weight[rarest] {
            second = rarest
            rarest = symbol
          } else if second < 0 || weight[symbol] <= weight[second] {
            second = symbol
          }
        }
        guard second >= 0 else { return sizes }
        weight[rarest] += weight[second]
        weight[second] = 0
        var last = rarest
        sizes[last] += 1
        while chain[last] >= 0 {
          last = chain[last]
          sizes[last] += 1
        }
        chain[last] = second
        last = second
        sizes[last] += 1
        while chain[last] >= 0 {
          last = chain[last]
          sizes[last] += 1
        }
      }
    }
  }

  /// The tables of a picture: DC and AC for luma-like components, then for chroma.
  struct HuffmanTables: Sendable {
    /// `table * 2` is the DC table of quantisation table number `table`, the next one its AC table.
    var tables: [HuffmanTable]

    /// 256 packed codes a table, one after the other.
    var packedCodes: [UInt32] { tables.flatMap(\.packedCodes) }

    static func annexK(count: Int) -> HuffmanTables {
      let all = [
        HuffmanTable(
          counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: Array(0...11)),
        HuffmanTable(
          counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: luminanceAC),
        HuffmanTable(
          counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: Array(0...11)),
        HuffmanTable(
          counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: chrominanceAC),
      ]
      return HuffmanTables(tables: Array(all.prefix(count * 2)))
    }

    /// T.81 Table K.5.
    private static let luminanceAC: [UInt8] = [
      0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
      0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52,
      0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25,
      0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45,
      0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63, 0x64,
      0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
      0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
      0x9A, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6,
      0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3,
      0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8,
      0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    ]

    /// T.81 Table K.6.
    private static let chrominanceAC: [UInt8] = [
      0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
      0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33,
      0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18,
      0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44,
      0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63,
      0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
      0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
      0x98, 0x99, 0x9A, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4,
      0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA,
      0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7,
      0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    ]
  }
}
