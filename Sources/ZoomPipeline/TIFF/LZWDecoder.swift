/// Decodes the LZW of TIFF (TIFF 6.0, section 13) from a Clear code on.
///
/// Behind a Clear code the table is empty: all that is needed to enter there is the place of a bit. A string of
/// the table is what an earlier code and the byte behind it have put out: so it is copied from the output.
@safe final class LZWDecoder {
  /// Behind a Clear code.
  struct Entry: Sendable, Hashable {
    /// The place of the first bit of the code that follows, from the strip's first byte.
    let bit: Int
    /// Bytes that were put out before.
    let output: Int
  }

  private static let clear = 256
  private static let end = 257
  private static let mostCodes = 1 << 12
  private static let pieceLength = 1 << 16
  /// Room for the output between two Clear codes of a photograph, and for a row; more is taken when needed.
  private static let firstCapacity = 1 << 16
  /// Strings are copied, and codes loaded, eight bytes at a time.
  private static let padding = 8
  /// In front of the output: the strings of the codes below Clear, so that all are copied alike.
  private static let literals = 256

  private let file: any CodedSource
  private let strip: TIFFStrips.Place
  /// Coded bytes from `pieceStart` of the strip on, with zeros behind them.
  private let piece: UnsafeMutablePointer<UInt8>
  private var pieceStart: Int
  private var pieceCount = 0
  /// The byte of the piece that is loaded next; behind the strip's last one there is nothing to load.
  private var next = 0
  /// The next `bitCount` bits, from the highest down; below them stands what is loaded once more.
  private var bits: UInt64 = 0
  private var bitCount = 0
  private(set) var bytesRead = 0

  /// Where in `buffer` the string of each code begins, times 65,536, and its length.
  private let table: UnsafeMutablePointer<Int>
  /// How many codes have a string; the last one's ends with the first byte of the string that comes next.
  private var codeCount = 0
  private var width = 9

  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The output that is held is from here on of all output.
  private(set) var outputStart: Int
  private(set) var outputCount = 0
  /// The last Clear code, and the output in front of it.
  private(set) var entry: Entry

  /// The output that is held.
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

  /// Drops output in front of the last Clear code that is not needed any more.
  func drop(before place: Int) {
    let dropped = min(place, entry.output) - outputStart
    guard dropped > 0 else { return }
    let start = unsafe buffer + Self.literals
    unsafe start.update(from: start + dropped, count: outputCount - dropped)
    for code in Self.end + 1..<codeCount { unsafe table[code] -= dropped << 16 }
    outputStart += dropped
    outputCount -= dropped
  }

  /// Decodes until so much of all output is there, or a Clear code has come; true for the latter.
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

  /// Puts out strings until so much output is held, or all of the piece is loaded; gives the code that ends
  /// this, if one does.
  private func decodeStrings(to wanted: Int) -> Int? {
    // What changes with each code is kept out of memory.
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
      // libtiff goes on behind a full table in a way of its own.
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
      // Only here is the string that lacks its last byte.
      if code == codeCount - 1, code > Self.end {
        unsafe buffer[place + length - 1] = buffer[place]
      }
      unsafe table[codeCount] = place << 16 | (length + 1)
      place += length
      codeCount += 1
      // The width grows one code early (TIFF 6.0, section 13); the last string here is one that an encoder
      // does not have yet.
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

  /// From where eight bytes can be loaded: behind the strip stand zeros, which are not taken for codes.
  private var lastLoad: Int {
    pieceStart + pieceCount < strip.count ? pieceCount - Self.padding : pieceCount
  }

  /// Loads the piece from the next byte on.
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
