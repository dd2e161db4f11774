/// An entry point of a deflate stream: a symbol, and the header of its block.
struct InflateEntry: Sendable, Hashable {
  let block: StreamPlace
  /// The first bit to decode; equal to `block` at the start of a block.
  let symbol: StreamPlace
  /// The bytes that remain of a stored block; 0 in other blocks.
  let stored: Int
}

/// Decodes a deflate stream (RFC 1951) from any symbol on.
///
/// zlib can start only at a block, and an encoder may put the whole picture into one block. Nor
/// does zlib report which bytes of its window are used; unused bytes are most of an index.
@safe final class Inflater {
  private enum Block {
    case header, stored(Int), coded, none
  }

  /// The largest distance of a match in bytes (RFC 1951, 2).
  static let windowLength = 1 << 15
  /// The most bytes written after a limit: two literals, and a match of 258 bytes copied by eights.
  static let excess = 272

  private var stream: PieceStream
  private let literals = HuffmanDecoder(.literalsAndLengths)
  private let distances = HuffmanDecoder(.distances)
  private var block = Block.header
  private var isLast = false
  private var blockPlace: StreamPlace
  /// The next byte of the stream's buffer; `bits` holds earlier bits that are not decoded yet.
  private var next = 0
  private var bits: UInt64 = 0
  private var bitCount = 0
  /// The largest distance of a match, by the zlib header.
  private let reach: Int

  /// The output: bytes that matches may refer to, and the bytes decoded last.
  let output: UnsafeMutablePointer<UInt8>
  let capacity: Int
  private(set) var end = 0

  /// The end in `output` of the window whose used bytes are marked; 0 for none.
  private var markedEnd = 0
  private let marks: UnsafeMutablePointer<UInt8>
  /// The bytes read of the file for the header of the first block.
  private var headerBytes = 0

  /// Enters a stream whose preceding output is `window`; the output keeps `room` more bytes.
  ///
  /// `crc` is the CRC of the chunk so far; without it, CRCs are not checked.
  init(
    _ file: any CodedSource, _ rows: DeflatedRows, at entry: InflateEntry, window: [UInt8],
    room: Int, crc: UInt? = nil
  ) throws(InflateFault) {
    reach = rows.reach
    blockPlace = entry.block
    capacity = Self.windowLength + room
    unsafe output = .allocate(capacity: capacity + Self.excess)
    unsafe output.initialize(repeating: 0, count: capacity + Self.excess)
    unsafe marks = .allocate(capacity: Self.windowLength)
    unsafe marks.initialize(repeating: 0, count: Self.windowLength)
    end = window.count
    for (place, byte) in window.enumerated() { unsafe output[place] = byte }
    stream = PieceStream(file, at: entry.symbol, isInChunks: rows.isInChunks, crc: crc)
    guard entry.symbol != entry.block else {
      try enter(at: entry.symbol)
      return
    }
    let own = stream
    stream = PieceStream(
      file, at: entry.block, isInChunks: rows.isInChunks, pieceLength: 1 << 10)
    try enter(at: entry.block)
    try readHeader()
    headerBytes = stream.bytesRead
    stream = own
    (next, bits, bitCount) = (0, 0, 0)
    try enter(at: entry.symbol)
    if case .stored = block { block = entry.stored > 0 ? .stored(entry.stored) : afterBlock }
  }

  deinit {
    unsafe output.deallocate()
    unsafe marks.deallocate()
  }

  var bytesRead: Int { stream.bytesRead + headerBytes }

  var isDone: Bool { if case .none = block { true } else { false } }

  /// Decodes until `output` holds `limit` bytes, or up to `excess` more, or the stream ends.
  func inflate(to limit: Int) throws(InflateFault) {
    precondition(limit <= capacity)
    while end < limit {
      switch block {
      case .none: return
      case .header: try readHeader()
      case .stored(let left): try copyStored(left, limit)
      case .coded: try decode(to: limit)
      }
    }
  }

  /// The entry point at the next symbol.
  var entry: InflateEntry {
    let symbol = stream.place(ofBit: next * 8 - bitCount)
    switch block {
    case .header, .none: return InflateEntry(block: symbol, symbol: symbol, stored: 0)
    case .stored(let left): return InflateEntry(block: blockPlace, symbol: symbol, stored: left)
    case .coded: return InflateEntry(block: blockPlace, symbol: symbol, stored: 0)
    }
  }

  /// Returns the CRC of the chunk up to the byte that holds the entry.
  func crc() throws(InflateFault) -> UInt? {
    try stream.crc(at: (next * 8 - bitCount) >> 3)
  }

  /// Reads the four bytes after the last block: the Adler-32 of all output (RFC 1950).
  func adler() throws(InflateFault) -> UInt {
    bits >>= UInt64(bitCount & 7)
    bitCount &= ~7
    var sum: UInt = 0
    for _ in 0..<4 { sum = sum << 8 | UInt(try take(8)) }
    return sum
  }

  /// Drops output before an index and moves the rest to the front.
  func slide(from start: Int) {
    precondition(start <= max(0, end - Self.windowLength))
    unsafe output.update(from: output + start, count: end - start)
    end -= start
    markedEnd = max(0, markedEnd - start)
  }

  // MARK: Marking the used bytes of a window

  /// Starts to mark the bytes of the output so far that later matches refer to.
  func beginMarking() {
    markedEnd = end
    unsafe marks.update(repeating: 0, count: Self.windowLength)
  }

  /// Whether later matches can no longer refer to the marked window.
  var isMarkingDone: Bool { isDone || end - markedEnd >= Self.windowLength }

  /// Clears the unmarked bytes of the window before `beginMarking`, except the last `kept` ones.
  func clearUnused(of window: inout [UInt8], keeping kept: Int) {
    let skipped = Self.windowLength - window.count
    for place in window.indices.dropLast(kept) where unsafe marks[skipped + place] == 0 {
      window[place] = 0
    }
  }

  private func mark(_ start: Int, _ length: Int) {
    // The last byte of the window's 32 KB has the last mark.
    let first = start - markedEnd + Self.windowLength
    guard first >= 0 else { return }
    unsafe (marks + first).update(repeating: 1, count: min(length, markedEnd - start))
  }

  // MARK: Bits

  private func enter(at place: StreamPlace) throws(InflateFault) {
    if place.bit > 0 { _ = try take(place.bit) }
  }

  private func take(_ count: Int) throws(InflateFault) -> Int {
    while bitCount < count {
      if next >= stream.count {
        try refill()
        continue
      }
      bits |= UInt64(unsafe stream.bytes[next]) << UInt64(bitCount)
      (next, bitCount) = (next + 1, bitCount + 8)
    }
    let value = Int(bits & (1 << UInt64(count) - 1))
    bits >>= UInt64(count)
    bitCount -= count
    return value
  }

  /// Reads more data and keeps the bytes with bits that are not decoded.
  private func refill() throws(InflateFault) {
    guard !stream.isAtEnd else { throw .cutOff }
    let kept = next - (bitCount + 7) >> 3
    try stream.refill(from: kept)
    next -= kept
  }

  // MARK: Blocks

  private var afterBlock: Block { isLast ? .none : .header }

  private func readHeader() throws(InflateFault) {
    if stream.count == 0 { try refill() }
    blockPlace = stream.place(ofBit: next * 8 - bitCount)
    isLast = try take(1) == 1
    switch try take(2) {
    case 0:
      _ = try take(bitCount & 7)
      let length = try take(16)
      guard try take(16) == length ^ 0xFFFF else { throw .invalid }
      block = length > 0 ? .stored(length) : afterBlock
    case 1:
      try literals.build(Self.fixedLengths[0..<288])
      try distances.build(Self.fixedLengths[288..<320])
      block = .coded
    case 2:
      try readCodes()
      block = .coded
    default: throw .invalid
    }
  }

  private static let fixedLengths: [UInt8] =
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
    + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
    + [UInt8](repeating: 5, count: 32)
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private let codeLengths = HuffmanDecoder(.codeLengths)

  /// Reads a block's own codes (RFC 1951, 3.2.7); throws if zlib would refuse them.
  private func readCodes() throws(InflateFault) {
    let (literalCount, distanceCount) = (try take(5) + 257, try take(5) + 1)
    let codeCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .invalid }
    var lengths = [UInt8](repeating: 0, count: 19)
    for place in Self.order.prefix(codeCount) { lengths[place] = UInt8(try take(3)) }
    try codeLengths.build(lengths[...])
    lengths = []
    let total = literalCount + distanceCount
    while lengths.count < total {
      let symbol = try takeCodeLength()
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw .invalid }
        lengths += [UInt8](repeating: last, count: 3 + (try take(2)))
      case 17: lengths += [UInt8](repeating: 0, count: 3 + (try take(3)))
      case 18: lengths += [UInt8](repeating: 0, count: 11 + (try take(7)))
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == total, lengths[256] > 0 else { throw .invalid }
    try literals.build(lengths[..<literalCount])
    try distances.build(lengths[literalCount...])
  }

  private func takeCodeLength() throws(InflateFault) -> Int {
    // Bit by bit, as a code word may be the last one of the stream.
    var (word, length) = (0, 0)
    while length < 7 {
      word |= try take(1) << length
      length += 1
      let entry = unsafe codeLengths.entries[word]
      if entry & HuffmanDecoder.special == 0, entry & 0xFF == length { return Int(entry >> 16) }
    }
    throw .invalid
  }

  private func copyStored(_ left: Int, _ limit: Int) throws(InflateFault) {
    // Return the whole bytes that were loaded as bits.
    while bitCount >= 8 { (next, bitCount) = (next - 1, bitCount - 8) }
    bits = 0
    if next >= stream.count { try refill() }
    let count = min(left, limit - end, stream.count - next)
    unsafe (output + end).update(from: stream.bytes + next, count: count)
    (next, end) = (next + count, end + count)
    block = left > count ? .stored(left - count) : afterBlock
  }

  private func decode(to limit: Int) throws(InflateFault) {
    let (output, first, second) = unsafe (self.output, literals.entries, distances.entries)
    let (firstMask, secondMask) = (
      UInt64(1 << literals.width - 1), UInt64(1 << distances.width - 1)
    )
    let (literal, special) = (HuffmanDecoder.literal, HuffmanDecoder.special)
    var (next, bits, bitCount, end) = (next, bits, UInt64(bitCount), end)
    // Each iteration loads eight bytes twice, and each load advances by at most seven.
    var lastStart = stream.isAtEnd ? stream.count + 16 : stream.count - 16
    var input = unsafe UnsafeRawPointer(stream.bytes)
    @inline(__always) func load() {
      unsafe bits |=
        UInt64(
          littleEndian: (input + next).loadUnaligned(as: UInt64.self)) << bitCount
      next += Int((63 - bitCount) >> 3)
      bitCount |= 56
    }
    @inline(__always) func drop(_ entry: UInt32) {
      bits >>= UInt64(entry & 0xFF)
      bitCount -= UInt64(entry & 0xFF)
    }
    @inline(__always) func put(_ entry: UInt32) {
      drop(entry)
      unsafe output[end] = UInt8(truncatingIfNeeded: entry >> 16)
      end += 1
    }
    @inline(__always) func extra(_ entry: UInt32) -> Int {
      let count = UInt64(entry >> 8 & 15)
      let value = bits & (1 << count - 1)
      bits >>= count
      bitCount -= count
      return Int(value)
    }
    while end < limit {
      if next > lastStart {
        settle(next, bits, bitCount, end)
        try refill()
        (next, bits, bitCount) = (self.next, self.bits, UInt64(self.bitCount))
        lastStart = stream.isAtEnd ? stream.count + 16 : stream.count - 16
        unsafe input = UnsafeRawPointer(stream.bytes)
      }
      load()
      var entry = unsafe first[Int(bits & firstMask)]
      // Two literals take at most 22 bits; after three, a match would need another load.
      if entry & literal != 0 {
        put(entry)
        entry = unsafe first[Int(bits & firstMask)]
        if entry & literal != 0 {
          put(entry)
          entry = unsafe first[Int(bits & firstMask)]
          if entry & literal != 0 {
            put(entry)
            continue
          }
        }
        load()
      }
      if entry & special != 0 {
        if entry & HuffmanDecoder.secondTable != 0 {
          drop(entry)
          let mask = UInt64(1) << UInt64(entry >> 8 & 15) - 1
          entry = unsafe first[Int(entry >> 16) + Int(bits & mask)]
        }
        if entry & literal != 0 {
          put(entry)
          continue
        }
        if entry & special != 0 {
          guard entry & HuffmanDecoder.endOfBlock != 0 else { throw .invalid }
          drop(entry)
          block = afterBlock
          break
        }
      }
      drop(entry)
      let length = Int(entry >> 16) + extra(entry)
      entry = unsafe second[Int(bits & secondMask)]
      if entry & special != 0 {
        guard entry & HuffmanDecoder.secondTable != 0 else { throw .invalid }
        drop(entry)
        let mask = UInt64(1) << UInt64(entry >> 8 & 15) - 1
        entry = unsafe second[Int(entry >> 16) + Int(bits & mask)]
        guard entry & special == 0 else { throw .invalid }
      }
      drop(entry)
      let distance = Int(entry >> 16) + extra(entry)
      let start = end - distance
      guard start >= 0, distance <= reach else { throw .invalid }
      if start < markedEnd { mark(start, length) }
      unsafe Self.copy(output + start, output + end, length, distance)
      end += length
    }
    settle(next, bits, bitCount, end)
    // Zeros after the end of the data were decoded.
    guard self.next * 8 - self.bitCount <= stream.count * 8 else { throw .cutOff }
  }

  /// Repeats bytes, eight at a time if they do not overlap.
  @inline(__always)
  private static func copy(
    _ source: UnsafeMutablePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ length: Int,
    _ distance: Int
  ) {
    if distance >= 8 {
      var place = 0
      repeat {
        let word = unsafe UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self)
        unsafe UnsafeMutableRawPointer(target + place).storeBytes(of: word, as: UInt64.self)
        place += 8
      } while place < length
    } else if distance == 1 {
      unsafe target.update(repeating: source.pointee, count: length)
    } else {
      for place in 0..<length { unsafe target[place] = source[place] }
    }
  }

  /// Stores the state of the loop and returns whole bytes of its bits to the buffer.
  private func settle(_ next: Int, _ bits: UInt64, _ bitCount: UInt64, _ end: Int) {
    self.next = next - Int(bitCount >> 3)
    self.bitCount = Int(bitCount & 7)
    self.bits = bits & (1 << (bitCount & 7) - 1)
    self.end = end
  }
}
