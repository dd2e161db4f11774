/// A table that decodes one of deflate's Huffman codes (RFC 1951, 3.2.2) in one or two lookups.
///
/// An entry has 32 bits: the lowest eight are the code word's length, the next four the number of
/// extra bits after it, the next four the flags below. The upper sixteen are a literal, the base of
/// a length or distance, or the index of a second table for longer code words.
@safe final class HuffmanDecoder {
  /// Flags of an entry.
  static let literal: UInt32 = 1 << 15
  /// A second table, the end of a block, or an invalid code word.
  static let special: UInt32 = 1 << 14
  static let secondTable: UInt32 = 1 << 13
  static let endOfBlock: UInt32 = 1 << 12

  /// A kind of symbols, by the number of bits that index the first table.
  enum Meaning: Int {
    case codeLengths = 7
    case distances = 8
    case literalsAndLengths = 11
  }

  /// The number of bits that index the first table.
  let width: Int
  let entries: UnsafeMutablePointer<UInt32>
  private let meaning: Meaning

  /// Enough for the first table and all second ones of a complete code: zlib's `enough` program
  /// finds 2342 entries for 288 symbols with 11 bits, and 402 for 32 with 8.
  private let capacity = 2400

  init(_ meaning: Meaning) {
    self.meaning = meaning
    width = meaning.rawValue
    unsafe entries = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    unsafe entries.initialize(repeating: Self.special, count: capacity)
  }

  deinit { unsafe entries.deallocate() }

  /// Builds the table of a code; throws if zlib would refuse the code.
  ///
  /// A code may be incomplete only if it has a single code word of one bit, or none.
  func build(_ lengths: ArraySlice<UInt8>) throws(InflateFault) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    let longest = counts.lastIndex { $0 > 0 } ?? 0
    var left = 1
    for length in 1...15 {
      left = left * 2 - counts[length]
      guard left >= 0 else { throw .invalid }
    }
    if left > 0, longest > 1 || (meaning == .codeLengths) { throw .invalid }
    unsafe entries.update(repeating: Self.special | 1, count: 1 << width)
    guard longest > 0 else { return }

    var starts = [Int](repeating: 0, count: 17)
    for length in 1...15 { starts[length + 1] = starts[length] + counts[length] }
    var sorted = [Int](repeating: 0, count: starts[16])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      sorted[starts[Int(length)]] = symbol
      starts[Int(length)] += 1
    }
    fill(sorted, &counts, longest)
  }

  /// Writes the entries of a code whose symbols are sorted by the lengths of their code words.
  private func fill(_ sorted: [Int], _ counts: inout [Int], _ longest: Int) {
    let mask = 1 << width - 1
    var (code, length, next) = (0, 0, 1 << width)
    var second = (prefix: -1, start: 0, width: 0)
    for symbol in sorted {
      while counts[length] == 0 {
        length += 1
        code <<= 1
      }
      let reversed = Int(Self.reversed(UInt16(code), length))
      if length <= width {
        let entry = entry(symbol, length)
        for place in stride(from: reversed, to: 1 << width, by: 1 << length) {
          unsafe entries[place] = entry
        }
      } else {
        if reversed & mask != second.prefix {
          // As wide as needed for the code words with this prefix.
          var bits = length - width
          var room = 1 << bits
          while bits + width < longest {
            room -= counts[bits + width]
            if room <= 0 { break }
            bits += 1
            room <<= 1
          }
          second = (reversed & mask, next, bits)
          precondition(next + 1 << bits <= capacity)
          unsafe entries[second.prefix] =
            UInt32(next) << 16 | Self.special | Self.secondTable | UInt32(bits) << 8 | UInt32(width)
          next += 1 << bits
        }
        let entry = entry(symbol, length - width)
        for place in stride(
          from: reversed >> width, to: 1 << second.width, by: 1 << (length - width))
        {
          unsafe entries[second.start + place] = entry
        }
      }
      counts[length] -= 1
      code += 1
    }
  }

  private func entry(_ symbol: Int, _ length: Int) -> UInt32 {
    let bits = UInt32(length)
    switch meaning {
    case .codeLengths: return UInt32(symbol) << 16 | bits
    case .literalsAndLengths:
      if symbol < 256 { return UInt32(symbol) << 16 | Self.literal | bits }
      if symbol == 256 { return Self.special | Self.endOfBlock | bits }
      guard symbol <= 285 else { return Self.special | bits }
      return Self.lengths[symbol - 257] | bits
    case .distances:
      guard symbol < 30 else { return Self.special | bits }
      return Self.distances[symbol] | bits
    }
  }

  /// Base and extra bits of the lengths 257...285 and the distances 0...29 (RFC 1951, 3.2.5).
  private static let lengths: [UInt32] = bases(28, from: 3, symbolsPerBit: 4) + [258 << 16]
  private static let distances = bases(30, from: 1, symbolsPerBit: 2)

  private static func bases(_ count: Int, from first: UInt32, symbolsPerBit: Int) -> [UInt32] {
    var base = first
    return (0..<count).map { symbol in
      let extra = UInt32(max(0, symbol / symbolsPerBit - 1))
      defer { base += 1 << extra }
      return base << 16 | extra << 8
    }
  }

  private static func reversed(_ code: UInt16, _ length: Int) -> UInt16 {
    var (rest, result) = (code, UInt16(0))
    for _ in 0..<length {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }
}

enum InflateFault: Error {
  case invalid
  case cutOff
  case unreadable(PipelineError)
}
