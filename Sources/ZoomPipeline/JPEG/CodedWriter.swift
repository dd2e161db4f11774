/// A writer of entropy-coded bits, most significant bit first, with byte stuffing.
struct CodedWriter {
  private var storage: [UInt8]
  private var count: Int
  /// The bits of an incomplete byte, in the lowest `pendingCount` bits; the others are 0.
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// Creates a writer that starts with the headers and expects about `expected` coded bytes.
  init(header: [UInt8], expecting expected: Int) {
    count = header.count
    // In photographs about one byte in 200 is an FF.
    storage = Self.storage(header[...], size: count + expected + expected / 32)
  }

  private static func storage(_ start: ArraySlice<UInt8>, size: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      _ = unsafe buffer.update(fromContentsOf: start)
      // Every bit pattern is a byte, and no byte is read before it is written.
      count = size
    }
  }

  private mutating func makeRoom(for more: Int) {
    guard storage.count - count < more else { return }
    storage = Self.storage(storage[..<count], size: max(count + more, storage.count * 2))
  }

  /// The end of what is written; setting an earlier one drops what was appended since.
  var end: (count: Int, pending: UInt64, pendingCount: Int) {
    get { (count, pending, pendingCount) }
    set { (count, pending, pendingCount) = newValue }
  }

  /// Appends the lowest `bitCount` bits of a number, at most 32.
  mutating func append(_ bits: UInt32, count bitCount: Int) {
    makeRoom(for: 10)
    pending = pending << UInt64(bitCount) | UInt64(bits) & ((1 << UInt64(bitCount)) - 1)
    pendingCount += bitCount
    while pendingCount >= 8 {
      pendingCount -= 8
      appendStuffed(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
    pending &= (1 << UInt64(pendingCount)) - 1
  }

  @inline(__always)
  private mutating func appendStuffed(_ byte: UInt8) {
    storage[count] = byte
    count += 1
    if byte == 0xFF {
      storage[count] = 0
      count += 1
    }
  }

  /// Appends a range of coded bits inside `coded.bitCount`; nearly as fast as a copy.
  mutating func append(_ range: Range<Int>, of coded: borrowing CodedBytes) {
    guard !range.isEmpty else { return }
    precondition(range.lowerBound >= 0 && range.upperBound <= coded.bitCount)
    var position = range.lowerBound
    // Each byte may need a stuffed zero.
    makeRoom(for: range.count / 4 + 16)
    let held = UInt64(pendingCount)
    var (pending, count) = (pending, count)
    _ = unsafe coded.withBytes { source in
      unsafe storage.withUnsafeMutableBytes { target in
        // In bounds: padding follows the data, and there is space for twice the bytes of the range.
        while position + 64 <= range.upperBound {
          let raw = unsafe source.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self)
          let rest = unsafe source.load(fromByteOffset: position >> 3 + 8, as: UInt8.self)
          let shift = UInt64(position & 7)
          let word = UInt64(bigEndian: raw) << shift | UInt64(rest) >> (8 - shift)
          let out = pending << (64 - held) | word >> held
          pending = word & ((1 << held) - 1)
          if Self.holdsFF(out) {
            unsafe Self.store(out, in: target, at: &count)
          } else {
            unsafe target.storeBytes(of: out.bigEndian, toByteOffset: count, as: UInt64.self)
            count += 8
          }
          position += 64
        }
      }
    }
    (self.pending, self.count) = (pending, count)
    while position < range.upperBound {
      let bitCount = min(32, range.upperBound - position)
      // In bounds: the position is in the data, and padding follows the data.
      let word = unsafe coded.withBytes { unsafe $0.word(at: position) } ?? 0
      append(UInt32(truncatingIfNeeded: word >> UInt64(64 - bitCount)), count: bitCount)
      position += bitCount
    }
  }

  private static func store(
    _ word: UInt64, in target: UnsafeMutableRawBufferPointer, at count: inout Int
  ) {
    for place in (0..<8).reversed() {
      let byte = UInt8(truncatingIfNeeded: word >> UInt64(place * 8))
      unsafe target[count] = byte
      count += 1
      if byte == 0xFF {
        unsafe target[count] = 0
        count += 1
      }
    }
  }

  /// Whether a byte is FF: the usual test for a zero byte, applied to the complement.
  @inline(__always)
  private static func holdsFF(_ word: UInt64) -> Bool {
    (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 != 0
  }

  /// Appends a DC difference (T.81, F.1.2.1).
  /// - Returns: False, without appending, if the table lacks the code.
  mutating func appendDifference(_ difference: Int32, _ table: HuffmanTable) -> Bool {
    let size = Int32.bitWidth - difference.magnitude.leadingZeroBitCount
    guard size <= HuffmanTable.mostDifferenceBits, let code = table.code(of: UInt8(size)) else {
      return false
    }
    append(code.bits, count: code.length)
    append(UInt32(bitPattern: difference < 0 ? difference - 1 : difference), count: size)
    return true
  }

  /// Pads the last byte with ones, as encoders do (T.81, F.1.2.3), and appends the end marker.
  consuming func finish() -> [UInt8] {
    let missing = (8 - pendingCount) % 8
    append((1 << UInt32(missing)) - 1, count: missing)
    makeRoom(for: 2)
    storage[count] = 0xFF
    storage[count + 1] = 0xD9
    storage.removeLast(storage.count - count - 2)
    return storage
  }
}
