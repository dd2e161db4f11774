internal import CZlib

/// A place in a deflate stream that a file holds in pieces: the IDAT chunks of a PNG, or one strip of a TIFF.
struct StreamPlace: Sendable, Hashable {
  /// The byte's offset in the file.
  var offset: Int
  /// How many bytes of its piece there are from there on.
  var rest: Int
  /// How many of the byte's bits, from the lowest, are behind.
  var bit: Int
}

/// Checksums of a stream up to a place in it, so that checking can go on from there.
struct StreamChecks: Sendable, Hashable {
  /// CRC-32 of the chunk that the place is in, its type included; nil for a stream that is not in chunks.
  var crc: UInt?
  /// Adler-32 of all output so far.
  var adler: UInt
}

/// Reads a stream as if it stood in one piece: the data of consecutive IDAT chunks, or what is one piece.
@safe final class PieceStream {
  /// A piece of one chunk's data in the buffer.
  private struct Segment {
    let start: Int
    let count: Int
    let offset: Int
    /// Data of the chunk from `offset` on.
    let rest: Int
    /// The chunk's CRC where the piece ends the chunk.
    var expected: UInt?
  }

  /// Zeros behind the last byte, for a decoder that loads eight bytes at a time.
  static let padding = 32
  /// Enough to make reads rare; a peek reads this much at most behind what it needs.
  private let pieceLength: Int

  private let file: any CodedSource
  /// Whether IDAT chunks follow where a piece ends.
  private let isInChunks: Bool
  /// The data; `padding` more bytes can be loaded.
  let bytes: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var segments: [Segment] = []
  /// Where the next byte of data stands.
  private var offset: Int
  private var rest: Int
  /// Whether the chunk has no data.
  private var isChunkEmpty: Bool
  /// What was read of the file last, and from where.
  private var raw: [UInt8] = []
  private var rawOffset = 0
  private(set) var bytesRead = 0
  /// Whether no more data follows.
  private(set) var isAtEnd = false
  /// CRC of the chunk up to `checked`; nil where nothing is checked.
  private var crc: UInt?
  private var checked = 0

  /// Starts at a place; checks CRCs from there on if `crc`, that of the chunk so far, is given.
  init(
    _ file: any CodedSource, at place: StreamPlace, isInChunks: Bool = true,
    pieceLength: Int = 1 << 16, crc: UInt? = nil
  ) {
    self.isInChunks = isInChunks
    self.pieceLength = pieceLength
    self.file = file
    unsafe bytes = .allocate(capacity: pieceLength + Self.padding)
    unsafe bytes.initialize(repeating: 0, count: pieceLength + Self.padding)
    offset = place.offset
    rest = place.rest
    isChunkEmpty = rest == 0
    self.crc = crc
  }

  deinit { unsafe bytes.deallocate() }

  /// Drops the bytes before `position` and reads more behind the others, which are then at the front.
  func refill(from position: Int) throws(InflateFault) {
    try check(to: position)
    checked -= position
    count -= position
    unsafe bytes.update(from: bytes + position, count: count)
    segments = segments.compactMap { segment in
      let cut = max(0, position - segment.start)
      guard cut < segment.count else { return nil }
      return Segment(
        start: segment.start + cut - position, count: segment.count - cut,
        offset: segment.offset + cut, rest: segment.rest - cut, expected: segment.expected)
    }
    // What follows a chunk's data is read with it, for its CRC.
    while !isAtEnd, count < pieceLength || rest == 0 {
      if rest == 0 {
        if isInChunks { try enterNextChunk() } else { isAtEnd = true }
        continue
      }
      try load(1)
      let start = offset - rawOffset
      let length = min(rest, pieceLength - count, raw.count - start)
      _ = unsafe UnsafeMutableBufferPointer(start: bytes + count, count: length)
        .update(fromContentsOf: raw[start..<start + length])
      segments.append(
        Segment(start: count, count: length, offset: offset, rest: rest, expected: nil))
      (count, offset, rest) = (count + length, offset + length, rest - length)
    }
    unsafe (bytes + count).update(repeating: 0, count: Self.padding)
  }

  /// The place of a bit of the buffer.
  func place(ofBit position: Int) -> StreamPlace {
    let byte = position >> 3
    // Of a byte that is not there yet, the place is where it will be read.
    guard let segment = segments.last(where: { $0.start <= byte }),
      byte < segment.start + segment.count
    else { return StreamPlace(offset: offset, rest: rest, bit: position & 7) }
    let cut = byte - segment.start
    return StreamPlace(offset: segment.offset + cut, rest: segment.rest - cut, bit: position & 7)
  }

  /// The CRC of the chunk up to a byte of the buffer.
  func crc(at position: Int) throws(InflateFault) -> UInt? {
    try check(to: position)
    return crc
  }

  /// Checks the data up to a byte of the buffer, and each chunk that ends before.
  private func check(to position: Int) throws(InflateFault) {
    guard var sum = crc else {
      checked = position
      return
    }
    for segment in segments where segment.start + segment.count > checked {
      let start = max(checked, segment.start)
      let end = min(position, segment.start + segment.count)
      guard start < end else { break }
      sum = unsafe crc32(sum, bytes + start, UInt32(end - start))
      if let expected = segment.expected, end == segment.start + segment.count {
        guard sum == expected else { throw .invalid }
        sum = Self.startOfChunk
      }
    }
    crc = sum
    checked = max(checked, position)
  }

  /// CRC of "IDAT", which every chunk's CRC begins with.
  static let startOfChunk: UInt = unsafe [UInt8]("IDAT".utf8).withUnsafeBufferPointer { type in
    unsafe crc32(0, type.baseAddress, 4)
  }

  /// Goes over a chunk's CRC and the next one's header.
  private func enterNextChunk() throws(InflateFault) {
    try load(12)
    let start = offset - rawOffset
    guard raw.count - start >= 12 else { throw .cutOff }
    let expected = UInt(raw.bigEndian(at: start))
    if isChunkEmpty {
      guard crc == nil || expected == Self.startOfChunk else { throw .invalid }
    } else if let last = segments.indices.last {
      segments[last].expected = expected
    }
    let length = raw.bigEndian(at: start + 4)
    guard raw[start + 8..<start + 12].elementsEqual("IDAT".utf8) else {
      isAtEnd = true
      return
    }
    (offset, rest, isChunkEmpty) = (offset + 12, length, length == 0)
    // libpng refuses such a length, too.
    guard length <= Int(Int32.max) else { throw .invalid }
    guard length <= file.length - offset else { throw .cutOff }
  }

  /// Sees that so many bytes at `offset` are loaded; fewer at the file's end.
  private func load(_ wanted: Int) throws(InflateFault) {
    if offset >= rawOffset, offset + wanted <= rawOffset + raw.count { return }
    do throws(PipelineError) {
      raw = try file.bytes(at: offset, count: pieceLength)
    } catch {
      throw .unreadable(error)
    }
    rawOffset = offset
    bytesRead += raw.count
    guard raw.count >= min(wanted, 1) else { throw .cutOff }
  }
}

extension [UInt8] {
  /// A number of four bytes, the highest first.
  func bigEndian(at offset: Int) -> Int {
    Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8
      | Int(self[offset + 3])
  }
}
