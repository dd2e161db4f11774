/// Decodes the LZW of TIFF (TIFF 6.0, section 13) from a Clear code on.
///
/// After a Clear code the table is empty, so a bit's position is enough to start there. A string of
/// the table, an earlier code's output and the byte after it, is copied from the output.
@safe final class LZWDecoder {
  /// The position after a Clear code.
  struct Entry: Sendable, Hashable {
    /// The first bit of the next code, counted from the strip's first byte.
    let bit: Int
    /// The number of bytes of output before it.
    let output: Int
  }

  private static let clear = 256
  private static let end = 257
  private static let mostCodes = 1 << 12
  private static let pieceLength = 1 << 16
  /// Enough for a row and the output between two Clear codes of a photograph; grows if needed.
  private static let firstCapacity = 1 << 16
  private static let padding = 8
  /// The bytes before the output: the strings of the codes below Clear, copied like others.
  private static let literals = 256

  private let file: any CodedSource
  private let strip: TIFFStrips.Place
  /// The coded bytes from `pieceStart` of the strip on, followed by zeros.
  private let piece: UnsafeMutablePointer<UInt8>
  private var pieceStart: Int
  private var pieceCount = 0
  /// The index in the piece of the byte to load next; at the strip's end there is none.
  private var next = 0
  /// The next `bitCount` bits, from the highest down; the bits below them are loaded again.
  private var bits: UInt64 = 0
  private var bitCount = 0
  private(set) var bytesRead = 0

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

  init(_ file: any CodedSource, _ strip: TIFFStrips.Place, at entry: Entry) throws(InflateFault) {
    (self.file, self.strip, self.entry) = (file, strip, entry)
    (pieceStart, outputStart) = (entry.bit >> 3, entry.output)
    capacity = Self.firstCapacity
    unsafe buffer = .allocate(capacity: Self.literals + capacity + Self.padding)
    unsafe piece = .allocate(capacity: Self.pieceLength + Self.padding)
    unsafe table = .allocate(capacity: Self.mostCodes)
    for literal in 0..<Self.literals {
      unsafe buffer[literal] = UInt8(literal)
      unsafe table[literal] = literal << 16 | 1
    }
    startTable()
    try loadPiece()
    bits = word(at: 0) << UInt64(entry.bit & 7)
    (next, bitCount) = (7, 56 - entry.bit & 7)
  }

  deinit {
    unsafe buffer.deallocate()
    unsafe piece.deallocate()
    unsafe table.deallocate()
  }

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

  /// Decodes until the whole output reaches a length, or to a Clear code; returns true for that.
  func decode(to wanted: Int) throws(InflateFault) -> Bool {
    while outputStart + outputCount < wanted {
      if outputCount + Self.mostCodes > capacity { makeRoom() }
      if bitCount < width, next > lastLoad { try loadPiece() }
      let other = decodeStrings(to: min(wanted - outputStart, capacity - Self.mostCodes + 1))
      let bit = (pieceStart + next) * 8 - bitCount
      guard bit <= strip.count * 8 else { throw .cutOff }
      switch other {
      case nil: continue
      case Self.clear:
        startTable()
        entry = Entry(bit: bit, output: outputStart + outputCount)
        return true
      case Self.end: throw .cutOff
      default: throw .invalid
      }
    }
    return false
  }

  private func startTable() { (codeCount, width) = (Self.end + 1, 9) }

  /// Decodes strings until the buffer holds `wanted` bytes or the piece is loaded.
  /// - Returns: the code that ends the decoding, if one does.
  private func decodeStrings(to wanted: Int) -> Int? {
    // Local copies of what changes with each code stay in registers.
    var (bits, bitCount, next, width) = (self.bits, self.bitCount, self.next, self.width)
    var (codeCount, place) = (self.codeCount, Self.literals + outputCount)
    let (buffer, table, lastLoad) = unsafe (self.buffer, self.table, self.lastLoad)
    defer {
      (self.bits, self.bitCount, self.next, self.width) = (bits, bitCount, next, width)
      (self.codeCount, outputCount) = (codeCount, place - Self.literals)
    }
    while place < Self.literals + wanted {
      if bitCount < width {
        guard next <= lastLoad else { return nil }
        bits |= word(at: next) >> UInt64(bitCount)
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
  private func word(at place: Int) -> UInt64 {
    UInt64(bigEndian: unsafe UnsafeRawPointer(piece + place).loadUnaligned(as: UInt64.self))
  }

  private func makeRoom() {
    let larger: UnsafeMutablePointer<UInt8> = .allocate(
      capacity: Self.literals + 2 * capacity + Self.padding)
    unsafe larger.update(from: buffer, count: Self.literals + outputCount)
    unsafe buffer.deallocate()
    unsafe buffer = larger
    capacity *= 2
  }

  /// The last index at which eight bytes can be loaded; after the strip, zeros can be loaded.
  private var lastLoad: Int {
    pieceStart + pieceCount < strip.count ? pieceCount - Self.padding : pieceCount
  }

  private func loadPiece() throws(InflateFault) {
    let start = pieceStart + next
    guard start < strip.count else { throw .cutOff }
    let count = min(Self.pieceLength, strip.count - start)
    let found: [UInt8]
    do throws(PipelineError) {
      found = try file.bytes(at: strip.offset + start, count: count)
    } catch {
      throw .unreadable(error)
    }
    guard found.count == count else { throw .cutOff }
    unsafe found.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      unsafe piece.update(from: first, count: count)
    }
    unsafe (piece + count).update(repeating: 0, count: Self.padding)
    (pieceStart, next, pieceCount) = (start, 0, count)
    bytesRead += count
  }
}
