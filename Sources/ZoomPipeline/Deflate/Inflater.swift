/// Where a deflate stream can be entered: a symbol, and the header of the block that it is in.
struct InflateEntry: Sendable, Hashable {
  /// The first bit of the block's header.
  let block: StreamPlace
  /// The first bit to decode; the same as `block` where that begins.
  let symbol: StreamPlace
  /// Bytes that are left of a stored block; 0 in other blocks.
  let stored: Int
}

/// Decodes a deflate stream (RFC 1951) from any symbol on.
///
/// Our own rather than zlib, which can be entered at the beginning of a block only, and does not tell which
/// bytes of its window are used: an encoder may put the whole picture in one block, and unused bytes are most
/// of an index.
@safe final class Inflater {
  private enum Block {
    case header, stored(Int), coded, none
  }

  /// Bytes that a match may reach back (RFC 1951, 2).
  static let windowLength = 1 << 15
  /// The most that is written behind a limit: two literals and a match of 258 bytes, copied eight at a time.
  static let excess = 272

  private var stream: PieceStream
  private let literals = HuffmanDecoder(.literalsAndLengths)
  private let distances = HuffmanDecoder(.distances)
  private var block = Block.header
  private var isLast = false
  private var blockPlace: StreamPlace
  /// The next byte of the stream's buffer; `bits` holds those before it that are not decoded yet.
  private var next = 0
  private var bits: UInt64 = 0
  private var bitCount = 0
  /// How far back a match may reach by the zlib header.
  private let reach: Int

  /// The output: what matches may refer to, and what was decoded last.
  let output: UnsafeMutablePointer<UInt8>
  let capacity: Int
  /// Bytes in it.
  private(set) var end = 0

  /// Where the window ends of which used bytes are marked, in `output`; 0 for none.
  private var markedEnd = 0
  private let marks: UnsafeMutablePointer<UInt8>
  /// Bytes read of the file for the header of the block that was entered.
  private var headerBytes = 0

  /// Enters a stream at a place before which `window` was decoded; `room` bytes can be kept behind that.
  ///
  /// With `crc`, that of the chunk so far, CRCs are checked.
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

  /// Bytes read of the file.
  var bytesRead: Int { stream.bytesRead + headerBytes }

  /// Whether the stream has ended.
  var isDone: Bool { if case .none = block { true } else { false } }

  /// Decodes until `output` holds `limit` bytes, or `excess` more at most, or the stream ends.
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

  /// Where decoding could begin now.
  var entry: InflateEntry {
    let symbol = stream.place(ofBit: next * 8 - bitCount)
    switch block {
    case .header, .none: return InflateEntry(block: symbol, symbol: symbol, stored: 0)
    case .stored(let left): return InflateEntry(block: blockPlace, symbol: symbol, stored: left)
    case .coded: return InflateEntry(block: blockPlace, symbol: symbol, stored: 0)
    }
  }

  /// The CRC of the chunk up to the byte in which the entry lies.
  func crc() throws(InflateFault) -> UInt? {
    try stream.crc(at: (next * 8 - bitCount) >> 3)
  }

  /// The four bytes behind the stream's last block: the Adler-32 of all output (RFC 1950).
  func adler() throws(InflateFault) -> UInt {
    bits >>= UInt64(bitCount & 7)
    bitCount &= ~7
    var sum: UInt = 0
    for _ in 0..<4 { sum = sum << 8 | UInt(try take(8)) }
    return sum
  }

  /// Drops output before a place that is no longer needed; all behind moves to the front.
  func slide(from start: Int) {
    precondition(start <= max(0, end - Self.windowLength))
    unsafe output.update(from: output + start, count: end - start)
    end -= start
    markedEnd = max(0, markedEnd - start)
  }

  // MARK: Which bytes of a window are used

  /// Starts to mark which of the bytes decoded so far are referred to from now on.
  func beginMarking() {
    markedEnd = end
    unsafe marks.update(repeating: 0, count: Self.windowLength)
  }

  /// Whether no byte behind the marked window can refer to it any more.
  var isMarkingDone: Bool { isDone || end - markedEnd >= Self.windowLength }

  /// Clears the bytes of a window, the one before `beginMarking`, that nothing refers to.
  func clearUnused(of window: inout [UInt8]) {
    let skipped = Self.windowLength - window.count
    for place in window.indices where unsafe marks[skipped + place] == 0 { window[place] = 0 }
  }

  private func mark(_ start: Int, _ length: Int) {
    // Of the window's 32 KB the last stands at the marks' end.
    let first = start - markedEnd + Self.windowLength
    guard first >= 0 else { return }
    unsafe (marks + first).update(repeating: 1, count: min(length, markedEnd - start))
  }

  // MARK: Bits

  private func enter(at place: StreamPlace) throws(InflateFault) {
    if place.bit > 0 { _ = try take(place.bit) }
  }

  /// Takes some bits, 16 at most.
  private func take(_ count: Int) throws(InflateFault) -> Int {
    while bitCount < count {
      if next >= stream.count {
        guard !stream.isAtEnd else { throw .cutOff }
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

  /// Reads more; the bytes whose bits are not all decoded stay in the buffer, so that their place is known.
  private func refill() throws(InflateFault) {
    let kept = next - (bitCount + 7) >> 3
    try stream.refill(from: kept)
    next -= kept
  }

  // MARK: Blocks

  private var afterBlock: Block { isLast ? .none : .header }

  private func readHeader() throws(InflateFault) {
    blockPlace = stream.place(ofBit: next * 8 - bitCount)
    if stream.count == 0 {
      try refill()
      blockPlace = stream.place(ofBit: next * 8 - bitCount)
    }
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

  /// Reads a block's own codes (RFC 1951, 3.2.7); what zlib refuses is refused.
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
    // A bit at a time: a code word may be the last thing before the stream's end.
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
    // Whole bytes that were loaded as bits.
    while bitCount >= 8 { (next, bitCount) = (next - 1, bitCount - 8) }
    bits = 0
    if next >= stream.count {
      guard !stream.isAtEnd else { throw .cutOff }
      try refill()
    }
    let count = min(left, limit - end, stream.count - next)
    unsafe (output + end).update(from: stream.bytes + next, count: count)
    (next, end) = (next + count, end + count)
    block = left > count ? .stored(left - count) : afterBlock
  }

  /// Decodes symbols up to a limit, or to the end of the block.
  private func decode(to limit: Int) throws(InflateFault) {
    let (output, first, second) = unsafe (self.output, literals.entries, distances.entries)
    let (firstMask, secondMask) = (
      UInt64(1 << literals.width - 1), UInt64(1 << distances.width - 1)
    )
    let (literal, special) = (HuffmanDecoder.literal, HuffmanDecoder.special)
    var (next, bits, bitCount, end) = (next, bits, UInt64(bitCount), end)
    // Two loads of eight bytes for a turn of the loop, each of which moves on by seven at most.
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
        guard !stream.isAtEnd else { throw .cutOff }
        try refill()
        (next, bits, bitCount) = (self.next, self.bits, UInt64(self.bitCount))
        lastStart = stream.isAtEnd ? stream.count + 16 : stream.count - 16
        unsafe input = UnsafeRawPointer(stream.bytes)
      }
      load()
      var entry = unsafe first[Int(bits & firstMask)]
      // Two literals take 22 bits at most; three would need another load before a match.
      if entry & literal != 0 {
        drop(entry)
        unsafe output[end] = UInt8(truncatingIfNeeded: entry >> 16)
        end += 1
        entry = unsafe first[Int(bits & firstMask)]
        if entry & literal != 0 {
          drop(entry)
          unsafe output[end] = UInt8(truncatingIfNeeded: entry >> 16)
          end += 1
          entry = unsafe first[Int(bits & firstMask)]
          if entry & literal != 0 {
            drop(entry)
            unsafe output[end] = UInt8(truncatingIfNeeded: entry >> 16)
            end += 1
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
          drop(entry)
          unsafe output[end] = UInt8(truncatingIfNeeded: entry >> 16)
          end += 1
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
    // Zeros behind the end were decoded.
    guard self.next * 8 - self.bitCount <= stream.count * 8 else { throw .cutOff }
  }

  /// Repeats bytes, eight at a time where they do not overlap.
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

  /// Keeps where the loop has come to; whole bytes among its bits go back to the buffer.
  private func settle(_ next: Int, _ bits: UInt64, _ bitCount: UInt64, _ end: Int) {
    self.next = next - Int(bitCount >> 3)
    self.bitCount = Int(bitCount & 7)
    self.bits = bits & (1 << (bitCount & 7) - 1)
    self.end = end
  }
}
