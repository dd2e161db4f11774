/// Decodes the LZW of TIFF (TIFF 6.0, section 13) from a Clear code on.
///
/// After a Clear code the table is empty, so a bit's position is enough to start there. A string of
/// the table, an earlier code's output and the byte after it, is copied from the output.
@safe final class LZWDecoder {
  /// The position after a Clear code.
  struct Entry: Sendable {
    /// The position of the next code.
    let place: StreamPlace
    /// The number of bytes of output before it.
    let output: Int
  }

  private static let clear = 256
  private static let end = 257
  private static let mostCodes = 1 << 12
  /// Enough for a row and the output between two Clear codes of a photograph; grows if needed.
  private static let firstCapacity = 1 << 16
  private static let padding = 8
  /// The bytes before the output: the strings of the codes below Clear, copied like others.
  private static let literals = 256

  private let stream: PieceStream
  /// The index in the stream's buffer of the byte to load next; at the strip's end there is none.
  private var next = 0
  /// The next `bitCount` bits, from the highest down; the bits below them are loaded again.
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// For each code, the index of its string in `buffer` times 65,536, plus the string's length.
  private let table: UnsafeMutablePointer<Int>
  /// The number of codes with a string; the last string ends with the first byte of the next one.
  private var codeCount = 0
  private var width = 9

  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The position in the whole output at which the output in memory starts.
  private(set) var outputStart: Int
  private(set) var outputCount = 0
  private(set) var entry: Entry

  var output: UnsafePointer<UInt8> { unsafe UnsafePointer(buffer + Self.literals) }

  init(_ file: any CodedSource, at entry: Entry) throws(InflateFault) {
    self.entry = entry
    stream = PieceStream(file, at: entry.place, isInChunks: false)
    outputStart = entry.output
    capacity = Self.firstCapacity
    unsafe buffer = .allocate(capacity: Self.literals + capacity + Self.padding)
    unsafe table = .allocate(capacity: Self.mostCodes)
    for literal in 0..<Self.literals {
      unsafe buffer[literal] = UInt8(literal)
      unsafe table[literal] = literal << 16 | 1
    }
    startTable()
    try stream.refill(from: 0)
    unsafe bits = Self.word(stream.bytes, at: 0) << UInt64(entry.place.bit)
    (next, bitCount) = (7, 56 - entry.place.bit)
  }

  deinit {
    unsafe buffer.deallocate()
    unsafe table.deallocate()
  }

  var bytesRead: Int { stream.bytesRead }

  /// Drops output before the last Clear code that is no longer needed.
  func drop(before place: Int) {
    let dropped = min(place, entry.output) - outputStart
    guard dropped > 0 else { return }
    let start = unsafe buffer + Self.literals
    unsafe start.update(from: start + dropped, count: outputCount - dropped)
    for code in Self.end + 1..<codeCount { unsafe table[code] -= dropped << 16 }
    outputStart += dropped
    outputCount -= dropped
  }

  /// Decodes up to a length of the whole output or a Clear code; returns whether that code came.
  func decode(to wanted: Int) throws(InflateFault) -> Bool {
    while outputStart + outputCount < wanted {
      if outputCount + Self.mostCodes > capacity { makeRoom() }
      if bitCount < width, next > lastLoad { try refill() }
      let other = decodeStrings(to: min(wanted - outputStart, capacity - Self.mostCodes + 1))
      let bit = next * 8 - bitCount
      // Zeros after the strip's end may have been decoded.
      guard bit <= stream.count * 8 else { throw .cutOff }
      switch other {
      case nil: continue
      case Self.clear:
        startTable()
        entry = Entry(place: stream.place(ofBit: bit), output: outputStart + outputCount)
        return true
      case Self.end: throw .cutOff
      default: throw .invalid
      }
    }
    return false
  }

  private func startTable() { (codeCount, width) = (Self.end + 1, 9) }

  /// Decodes strings until the buffer holds `wanted` bytes or the stream's buffer is decoded.
  /// - Returns: the code that ends the decoding, if one does.
  private func decodeStrings(to wanted: Int) -> Int? {
    // Local copies of what changes with each code stay in registers.
    var (bits, bitCount, next, width) = (self.bits, self.bitCount, self.next, self.width)
    var (codeCount, place) = (self.codeCount, Self.literals + outputCount)
    let (buffer, table) = unsafe (self.buffer, self.table)
    let (coded, lastLoad) = unsafe (stream.bytes, self.lastLoad)
    defer {
      (self.bits, self.bitCount, self.next, self.width) = (bits, bitCount, next, width)
      (self.codeCount, outputCount) = (codeCount, place - Self.literals)
    }
    while place < Self.literals + wanted {
      if bitCount < width {
        guard next <= lastLoad else { return nil }
        unsafe bits |= Self.word(coded, at: next) >> UInt64(bitCount)
        next += (63 - bitCount) >> 3
        bitCount |= 56
      }
      let code = Int(truncatingIfNeeded: bits >> UInt64(64 - width))
      bits <<= UInt64(width)
      bitCount -= width
      if code | 1 == Self.end { return code }
      // libtiff decodes in its own way after the table is full.
      guard code < codeCount, codeCount < Self.mostCodes else { return Self.mostCodes }
      let string = unsafe table[code]
      let (source, length) = (string >> 16, string & 0xFFFF)
      var copied = 0
      repeat {
        unsafe UnsafeMutableRawPointer(buffer + place + copied).storeBytes(
          of: UnsafeRawPointer(buffer + source + copied).loadUnaligned(as: UInt64.self),
          as: UInt64.self)
        copied += 8
      } while copied < length
      // Only this string lacks its last byte.
      if code == codeCount - 1, code > Self.end {
        unsafe buffer[place + length - 1] = buffer[place]
      }
      unsafe table[codeCount] = place << 16 | (length + 1)
      place += length
      codeCount += 1
      // The width grows one code early (TIFF 6.0, section 13); the decoder's last string is one
      // that the encoder does not have yet.
      if codeCount == 1 << width, width < 12 { width += 1 }
    }
    return nil
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeMutablePointer<UInt8>, at place: Int) -> UInt64 {
    unsafe UInt64(bigEndian: UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self))
  }

  private func makeRoom() {
    let larger: UnsafeMutablePointer<UInt8> = .allocate(
      capacity: Self.literals + 2 * capacity + Self.padding)
    unsafe larger.update(from: buffer, count: Self.literals + outputCount)
    unsafe buffer.deallocate()
    unsafe buffer = larger
    capacity *= 2
  }

  /// The last index at which eight bytes can be loaded; zeros follow the end of the strip.
  private var lastLoad: Int { stream.isAtEnd ? stream.count : stream.count - 8 }

  /// Reads more data and keeps the bytes with bits that are not decoded.
  private func refill() throws(InflateFault) {
    guard !stream.isAtEnd else { throw .cutOff }
    let kept = next - (bitCount + 7) >> 3
    try stream.refill(from: kept)
    next -= kept
  }
}
