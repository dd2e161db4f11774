extension [UInt8] {
  /// Appends a number's low bytes in little-endian order.
  mutating func append(_ number: Int, byteCount: Int) {
    for place in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }

  mutating func write(_ number: Int, at offset: Int, byteCount: Int) {
    for place in 0..<byteCount {
      self[offset + place] = UInt8(truncatingIfNeeded: number >> (8 * place))
    }
  }

  func integer(at offset: Int, byteCount: Int) -> Int {
    var number = 0
    for place in 0..<byteCount { number |= Int(self[offset + place]) << (8 * place) }
    return number
  }

  /// Returns the number in four bytes, the highest first.
  func bigEndian(at offset: Int) -> Int {
    Int(UInt32(integer(at: offset, byteCount: 4)).byteSwapped)
  }

  /// Appends a number in some bytes, the highest first.
  mutating func append(bigEndian number: Int, _ byteCount: Int) {
    append(number.byteSwapped >> (Int.bitWidth - 8 * byteCount), byteCount: byteCount)
  }

  /// Creates an array by a function that writes at most `count` bytes and returns their number.
  package init<Failure: Error>(
    writing count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    var failure: Failure?
    self = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      do throws(Failure) { written = try unsafe write(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// A reader of consecutive fields; the caller has checked that the bytes exist.
struct ByteCursor {
  let bytes: [UInt8]
  var position: Int

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads a number, which may be negative if it has eight bytes.
  mutating func integer(_ byteCount: Int) -> Int {
    defer { position += byteCount }
    return bytes.integer(at: position, byteCount: byteCount)
  }
}
