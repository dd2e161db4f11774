#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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

/// The zero byte after each 0xFF in coded data, which keeps it apart from a marker.
enum ByteStuffing {
  /// The data without stuffing, with `padding` zeros behind.
  static func removed(from coded: ArraySlice<UInt8>, padding: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: coded.count + padding) { target, count in
      unsafe coded.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        var position = 0
        while position < source.count {
          // Up to and with the next FF, which memchr finds many bytes at a time.
          let found = unsafe memchr(from + position, 0xFF, source.count - position)
          let end =
            unsafe found.map { unsafe UnsafeRawPointer($0) - from + 1 } ?? source.count
          unsafe memcpy(to + count, from + position, end - position)
          count += end - position
          position = end
          if unsafe found != nil, position < source.count, unsafe source[position] == 0 {
            position += 1
          }
        }
      }
      if let base = target.baseAddress {
        unsafe (base + count).update(repeating: 0, count: padding)
      }
      count += padding
    }
  }

  /// Appends data to coded data, stuffing it.
  static func append(_ clean: [UInt8], to coded: inout [UInt8]) {
    for byte in clean {
      coded.append(byte)
      if byte == 0xFF { coded.append(0) }
    }
  }
}
