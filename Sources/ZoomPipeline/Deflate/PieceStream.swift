internal import CZlib

/// A position in a stream that a file holds in pieces: PNG's IDAT chunks or a TIFF strip.
struct StreamPlace: Sendable, Hashable {
  var offset: Int
  /// The bytes that remain of the piece.
  var rest: Int
  /// The number of bits of the byte that precede the position: its lowest bits in deflate, its
  /// highest in LZW.
  var bit: Int
}

/// The checksums of a stream up to a position, to continue checking from there.
struct StreamChecks: Sendable, Hashable {
  /// The CRC-32 of the chunk so far, its type included; nil for a stream without chunks.
  var crc: UInt?
  var adler: UInt
}

/// Reads a stream in one or more pieces: the data of consecutive IDAT chunks, or a single piece.
@safe final class PieceStream {
  private struct Segment {
    /// The segment's position in the stream.
    let start: Int
    let end: Int
    let offset: Int
    /// The bytes of the chunk from `offset` on.
    let rest: Int
    /// The CRC of the chunk if the segment ends it.
    var expected: UInt?
  }

  /// Zeros after the last byte, for a decoder that loads eight bytes at a time.
  static let padding = 32
  /// The bytes per read: reads are rare, and a peek reads little more than it needs.
  private let pieceLength: Int

  private let file: any CodedSource
  private let isInChunks: Bool
  /// The data; `padding` bytes after it can be loaded.
  let bytes: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  /// The position in the stream of the first byte in memory.
  private var start = 0
  private var segments: [Segment] = []
  /// The offset of the next byte of data.
  private var offset: Int
  private var rest: Int
  private var isChunkEmpty: Bool
  private var raw: [UInt8] = []
  private var rawOffset = 0
  private(set) var bytesRead = 0
  private(set) var isAtEnd = false
  /// The CRC of the chunk up to the position `checked`; nil if CRCs are not checked.
  private var crc: UInt?
  private var checked = 0

  /// Starts at a position; checks CRCs if `crc`, the CRC of the chunk so far, is given.
  init(
    _ file: any CodedSource, at place: StreamPlace, isInChunks: Bool = true,
    pieceLength: Int = 1 << 16, crc: UInt? = nil
  ) {
    self.isInChunks = isInChunks
    self.pieceLength = pieceLength
    self.file = file
    unsafe bytes = .allocate(capacity: pieceLength + Self.padding)
    offset = place.offset
    rest = place.rest
    isChunkEmpty = rest == 0
    self.crc = crc
  }

  deinit { unsafe bytes.deallocate() }

  /// Drops the bytes before `position`, moves the rest to the front and reads more.
  func refill(from position: Int) throws(InflateFault) {
    try check(to: position)
    count -= position
    unsafe bytes.update(from: bytes + position, count: count)
    start += position
    segments.removeAll { $0.end <= start }
    // The bytes after a chunk's data are read with it, for its CRC.
    while !isAtEnd, count < pieceLength || rest == 0 {
      if rest == 0 {
        if isInChunks { try enterNextChunk() } else { isAtEnd = true }
        continue
      }
      try load(1)
      let first = offset - rawOffset
      let length = min(rest, pieceLength - count, raw.count - first)
      _ = unsafe UnsafeMutableBufferPointer(start: bytes + count, count: length)
        .update(fromContentsOf: raw[first..<first + length])
      segments.append(
        Segment(start: start + count, end: start + count + length, offset: offset, rest: rest))
      (count, offset, rest) = (count + length, offset + length, rest - length)
    }
    unsafe (bytes + count).update(repeating: 0, count: Self.padding)
  }

  func place(ofBit position: Int) -> StreamPlace {
    let byte = start + position >> 3
    // A byte that is not loaded yet has the position of the next read.
    guard let segment = segments.last(where: { $0.start <= byte }), byte < segment.end else {
      return StreamPlace(offset: offset, rest: rest, bit: position & 7)
    }
    let cut = byte - segment.start
    return StreamPlace(offset: segment.offset + cut, rest: segment.rest - cut, bit: position & 7)
  }

  func crc(at position: Int) throws(InflateFault) -> UInt? {
    try check(to: position)
    return crc
  }

  /// Checks the data up to a byte of the buffer, and each chunk that ends before it.
  private func check(to position: Int) throws(InflateFault) {
    guard var sum = crc else { return }
    for segment in segments where segment.end > checked {
      let from = max(checked, segment.start)
      let end = min(start + position, segment.end)
      guard from < end else { break }
      sum = unsafe crc32(sum, bytes + (from - start), UInt32(end - from))
      if let expected = segment.expected, end == segment.end {
        guard sum == expected else { throw .invalid }
        sum = Self.startOfChunk
      }
    }
    crc = sum
    checked = max(checked, start + position)
  }

  /// The CRC of "IDAT", with which every chunk's CRC begins.
  static let startOfChunk: UInt = unsafe [UInt8]("IDAT".utf8).withUnsafeBufferPointer { type in
    unsafe crc32(0, type.baseAddress, 4)
  }

  /// Passes a chunk's CRC and the next chunk's header.
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

  private func load(_ wanted: Int) throws(InflateFault) {
    if offset >= rawOffset, offset + wanted <= rawOffset + raw.count { return }
    do throws(PipelineError) {
      // After a chunk's data, its CRC and the next header are read with it.
      raw = try file.bytes(at: offset, count: isInChunks ? pieceLength : min(pieceLength, rest))
    } catch {
      throw .unreadable(error)
    }
    rawOffset = offset
    bytesRead += raw.count
    guard raw.count >= min(wanted, 1) else { throw .cutOff }
  }
}
