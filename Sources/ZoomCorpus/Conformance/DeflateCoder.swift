/// Codes zlib streams (RFC 1950, RFC 1951).
///
/// zlib's output depends on its version and its maker, and the set's bytes must not. So blocks are
/// stored, or have the fixed codes with the nearest earlier string that has the same three bytes.
enum DeflateCoder {
  /// The plain bytes of a block; rows and matches cross the boundaries between blocks.
  private static let blockLength = 5_000
  private static let shortest = 3
  private static let longest = 258
  private static let farthest = 32_768

  /// Returns the stream; with `isMixed`, every third block is stored.
  static func stream(_ plain: [UInt8], isMixed: Bool = false) -> [UInt8] {
    var bits = BitPacker(leastFirst: true)
    // A window of 32 KB, no dictionary; 0x7801 is a multiple of 31.
    bits.append(whole: [0x78, 0x01])
    var latest: [Int: Int] = [:]
    let starts = Array(stride(from: 0, to: max(plain.count, 1), by: blockLength))
    for (number, start) in starts.enumerated() {
      let block = start..<min(start + blockLength, plain.count)
      bits.append(number == starts.count - 1 ? 1 : 0, 1)
      if isMixed, number % 3 == 2 {
        bits.append(0, 2)
        let low = UInt8(truncatingIfNeeded: block.count)
        let high = UInt8(truncatingIfNeeded: block.count >> 8)
        bits.append(whole: [low, high, ~low, ~high] + plain[block])
        block.forEach { remember(plain, $0, &latest) }
      } else {
        bits.append(1, 2)
        appendFixed(plain, block, &latest, to: &bits)
      }
    }
    let sum = adler(plain)
    bits.append(whole: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) })
    return bits.bytes
  }

  /// The Adler-32 of RFC 1950, section 8.2.
  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func key(_ plain: [UInt8], _ place: Int) -> Int? {
    guard place + shortest <= plain.count else { return nil }
    return Int(plain[place]) << 16 | Int(plain[place + 1]) << 8 | Int(plain[place + 2])
  }

  private static func remember(_ plain: [UInt8], _ place: Int, _ latest: inout [Int: Int]) {
    if let key = key(plain, place) { latest[key] = place }
  }

  private static func appendFixed(
    _ plain: [UInt8], _ block: Range<Int>, _ latest: inout [Int: Int], to bits: inout BitPacker
  ) {
    var place = block.lowerBound
    while place < block.upperBound {
      var length = 0
      if let from = key(plain, place).flatMap({ latest[$0] }), place - from <= farthest {
        let most = min(longest, block.upperBound - place)
        while length < most, plain[from + length] == plain[place + length] { length += 1 }
        if length >= shortest { append(length, distance: place - from, to: &bits) }
      }
      if length < shortest {
        append(symbol: Int(plain[place]), to: &bits)
        length = 1
      }
      for next in place..<place + length { remember(plain, next, &latest) }
      place += length
    }
    append(symbol: 256, to: &bits)
  }

  /// Appends a literal, a length or the end of the block, in the fixed code of section 3.2.6.
  private static func append(symbol: Int, to bits: inout BitPacker) {
    switch symbol {
    case ..<144: bits.append(code: 0x30 + symbol, 8)
    case ..<256: bits.append(code: 0x190 + symbol - 144, 9)
    case ..<280: bits.append(code: symbol - 256, 7)
    default: bits.append(code: 0xC0 + symbol - 280, 8)
    }
  }

  private static func append(_ length: Int, distance: Int, to bits: inout BitPacker) {
    let (symbol, rest, extra) = place(of: length, in: lengths)
    append(symbol: 257 + symbol, to: &bits)
    bits.append(rest, extra)
    let (code, more, bitCount) = place(of: distance, in: distances)
    bits.append(code: code, 5)
    bits.append(more, bitCount)
  }

  private static func place(
    of number: Int, in table: [(first: Int, extra: Int)]
  ) -> (symbol: Int, rest: Int, extra: Int) {
    let symbol = table.lastIndex { $0.first <= number } ?? 0
    return (symbol, number - table[symbol].first, table[symbol].extra)
  }

  /// The first length of each symbol from 257 and its extra bits (section 3.2.5).
  private static let lengths: [(first: Int, extra: Int)] =
    starting(at: 3, extras: [0, 0, 0, 0] + (0...5).flatMap { [Int](repeating: $0, count: 4) })
    // The length 258 has a separate symbol.
    + [(258, 0)]

  private static let distances: [(first: Int, extra: Int)] =
    starting(at: 1, extras: [0, 0] + (0...13).flatMap { [$0, $0] })

  private static func starting(at first: Int, extras: [Int]) -> [(first: Int, extra: Int)] {
    var next = first
    return extras.map { extra in
      defer { next += 1 << extra }
      return (next, extra)
    }
  }
}
