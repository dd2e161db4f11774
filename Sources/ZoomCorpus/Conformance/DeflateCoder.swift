internal import CZlib

/// Codes zlib streams (RFC 1950, RFC 1951).
///
/// zlib's output depends on its version and its maker, and the set's bytes must not. So blocks are
/// stored, or have the fixed codes with the nearest earlier string that has the same three bytes.
enum DeflateCoder {
  /// The plain bytes of a block; rows and matches cross the boundaries between blocks.
  private static let blockLength = 5_000
  /// The lengths of matches whose codes have no extra bits.
  private static let lengths = 3...10
  private static let farthest = 32_768

  /// Returns the stream; with `isMixed`, every third block is stored.
  static func stream(_ plain: [UInt8], isMixed: Bool = false) -> [UInt8] {
    var bits = BitPacker(leastFirst: true)
    // A window of 32 KB, no dictionary; 0x7801 is a multiple of 31.
    bits.append(whole: [0x78, 0x01])
    let earlier = earlierPlaces(plain)
    for start in stride(from: 0, to: max(plain.count, 1), by: blockLength) {
      let block = start..<min(start + blockLength, plain.count)
      bits.append(block.upperBound == plain.count ? 1 : 0, 1)
      if isMixed, start / blockLength % 3 == 2 {
        bits.append(0, 2)
        let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
        bits.append(whole: [low, high, ~low, ~high] + plain[block])
      } else {
        bits.append(1, 2)
        append(plain, block, earlier, to: &bits)
      }
    }
    let sum = plain.withUnsafeBufferPointer { adler32_z(1, $0.baseAddress, $0.count) }
    bits.append(whole: big32(Int(sum)))
    return bits.bytes
  }

  /// Returns the nearest earlier place with the same three bytes as each place; nil without one.
  private static func earlierPlaces(_ plain: [UInt8]) -> [Int?] {
    var latest: [Int: Int] = [:]
    return plain.indices.map { place in
      guard place + 2 < plain.count else { return nil }
      let key = Int(plain[place]) << 16 | Int(plain[place + 1]) << 8 | Int(plain[place + 2])
      return latest.updateValue(place, forKey: key)
    }
  }

  /// Appends a block in the fixed codes of section 3.2.6.
  private static func append(
    _ plain: [UInt8], _ block: Range<Int>, _ earlier: [Int?], to bits: inout BitPacker
  ) {
    var place = block.lowerBound
    while place < block.upperBound {
      let most = min(lengths.upperBound, block.upperBound - place)
      var length = 0
      if let from = earlier[place], place - from <= farthest {
        while length < most, plain[from + length] == plain[place + length] { length += 1 }
      }
      if lengths.contains(length), let from = earlier[place] {
        bits.append(code: length - 2, 7)
        // The code of a power of two or of one and a half, and the rest (section 3.2.5).
        let number = place - from - 1
        let extra = max(0, Int.bitWidth - number.leadingZeroBitCount - 2)
        bits.append(code: 2 * extra + number >> extra, 5)
        bits.append(number, extra)
      } else {
        length = 1
        let byte = Int(plain[place])
        let isShort = byte < 144
        bits.append(code: (isShort ? 0x30 : 0x100) + byte, isShort ? 8 : 9)
      }
      place += length
    }
    // The end of the block.
    bits.append(code: 0, 7)
  }
}
