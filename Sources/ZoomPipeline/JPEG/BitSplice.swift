/// Bits put one behind the other, most significant first, as JPEG has them.
struct BitSplice {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// The 64 bits from a position on; at least 57 of them are the buffer's.
  /// - Precondition: eight bytes from the position's byte on are in the buffer.
  @inline(__always)
  static func word(at position: Int, of bytes: [UInt8]) -> UInt64 {
    precondition(position >= 0 && position >> 3 <= bytes.count - 8)
    let raw = unsafe bytes.withUnsafeBytes { buffer in
      // In bounds by the precondition above.
      unsafe buffer.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self)
    }
    return UInt64(bigEndian: raw) << UInt64(position & 7)
  }

  /// Appends the lowest `count` bits of a number, at most 32.
  mutating func append(_ bits: UInt32, count: Int) {
    pending = pending << UInt64(count) | UInt64(bits)
    pendingCount += count
    while pendingCount >= 8 {
      pendingCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
  }

  /// Appends bits of a buffer with eight bytes of room behind the range.
  mutating func append(_ range: Range<Int>, of source: [UInt8]) {
    var position = range.lowerBound
    while position < range.upperBound {
      let count = min(32, range.upperBound - position)
      let bits = Self.word(at: position, of: source) >> UInt64(64 - count)
      append(UInt32(truncatingIfNeeded: bits), count: count)
      position += count
    }
  }

  /// Fills the last byte with ones, as an encoder does before a marker (T.81, F.1.2.3).
  mutating func padToByte() {
    let missing = (8 - pendingCount) % 8
    append((1 << UInt32(missing)) - 1, count: missing)
  }
}
