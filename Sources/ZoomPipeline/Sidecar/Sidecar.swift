/// A seek index in a separate file, `PICTURE.zidx`, read block by block as needed, from any thread.
///
/// Opening reads the header, the entries of the blocks, the tag over both, and the whole payload.
/// Points are read as peeks need them, through the sidecar's own descriptor. The file is not
/// memory-mapped: if another process truncated a mapped file, the reader would be killed (SIGBUS).
final class Sidecar: Sendable {
  let header: SidecarHeader
  /// A sequential JPEG of the same coefficients; nil where the points refer to the picture's file.
  let payload: [UInt8]?
  /// The payload's share of the memory budget, held as long as the payload.
  private let reservation: MemoryBudget.Reservation?
  /// The bytes read when it was opened.
  let bytesRead: Int
  var byteCount: Int { file.length }
  private let file: any CodedSource
  /// The bytes before the blocks.
  private let table: [UInt8]
  /// The offset of each block, and of the first byte after the last.
  private let offsets: [Int]

  /// The size of the first read: enough, without a payload, for JPEGs of 50 megapixels.
  private static let firstByteCount = 4096
  /// A remote index of at most this length is fetched whole: 20 megapixels at 4:2:0.
  static let wholeByteCount = 1 << 17

  /// Reads and checks a sidecar, whose length the caller has bounded.
  ///
  /// A given picture's headers bound the memory: another index is refused before its table is read.
  /// So is one of another version than `served`, the picture's on a server, before more is fetched.
  /// The payload's bytes are reserved before it is read.
  /// - Throws: `damaged`, `version`, `notOurs` for a different key, `stale` for other headers, or
  ///   `overBudget`.
  init(
    _ file: any CodedSource, key: SidecarKey, of picture: IndexedHeaders? = nil,
    served: RemoteVersion? = nil, within memory: MemoryBudget = PictureLimits.standard.memory
  ) throws(SidecarRefusal) {
    var table = try Self.bytes(of: file, 0..<min(file.length, Self.firstByteCount))
    let header = try SidecarHeader(table, key: key)
    guard picture?.match(header) ?? true else { throw .stale("the picture's headers differ") }
    if let served { try header.identity.assertSame(as: served) }
    // The table is read before its tag is checked. A PNG of 10 million rows has 78,000 blocks.
    guard header.blockCount <= 1 << 17 else { throw .damaged("its table is too long") }
    let (tag, start) = (header.tagOffset, header.blocksOffset)
    guard start <= file.length else { throw .damaged("it is cut off") }
    if file.isRemote {
      try Self.expect([0..<(file.length <= Self.wholeByteCount ? file.length : start)], of: file)
    }
    if table.count < start { table += try Self.bytes(of: file, table.count..<start) }
    // Always compares all 32 bytes, so that the time does not reveal how many were right.
    let difference = zip(key.tag(of: table[..<tag]), table[tag...]).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0 else { throw .damaged("its tag does not match") }
    var offsets = [start]
    var place = start
    for entry in stride(from: SidecarHeader.byteCount, to: tag, by: SidecarHeader.entryByteCount) {
      // The sum of 2^17 numbers of 32 bits does not overflow.
      place += table.integer(at: entry, byteCount: 4)
      offsets.append(place)
    }
    guard place + header.payloadCount == file.length else {
      throw .damaged("it is cut off, or something was appended")
    }
    let hasPayload = header.payloadCount > 0
    reservation = hasPayload ? memory.reserve(header.payloadCount) : nil
    guard reservation != nil || !hasPayload else { throw .overBudget(header.payloadCount) }
    payload = try hasPayload ? Self.bytes(of: file, place..<file.length) : nil
    guard payload.map({ SHA256.digest(of: $0) == header.payloadDigest }) ?? true else {
      throw .damaged("its payload does not match")
    }
    self.header = header
    self.file = file
    self.table = table
    self.offsets = offsets
    bytesRead = table.count + header.payloadCount
  }

  /// Reads and checks a block of points.
  /// - Throws: `damaged` when it cannot be read, or is not what was written.
  func block(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    precondition((0..<header.blockCount).contains(number))
    let bytes = try Self.bytes(of: file, offsets[number]..<offsets[number + 1])
    let entryEnd = SidecarHeader.byteCount + (number + 1) * SidecarHeader.entryByteCount
    let digest = table[entryEnd - SidecarHeader.digestByteCount..<entryEnd]
    guard SHA256.digest(of: bytes).prefix(SidecarHeader.digestByteCount) == digest else {
      throw .damaged("a block of its points does not match")
    }
    return bytes
  }

  /// Reads the start of a block, which is not checked: it only serves to plan reads.
  func start(ofBlock number: Int, count: Int) throws(SidecarRefusal) -> [UInt8] {
    let range = offsets[number]..<offsets[number + 1]
    return try Self.bytes(
      of: file, range.lowerBound..<range.lowerBound + min(count, range.count))
  }

  /// Announces the reads of blocks, and of the first `count` bytes of others.
  func expect(
    blocks: some Sequence<Int>, andStartsOf others: [Int] = [], count: Int = 0
  ) throws(SidecarRefusal) {
    guard file.isRemote else { return }
    let wholes = blocks.map { offsets[$0]..<offsets[$0 + 1] }
    let starts = others.map { offsets[$0]..<min(offsets[$0] + count, offsets[$0 + 1]) }
    try Self.expect(wholes + starts, of: file)
  }

  private static func expect(
    _ ranges: [Range<Int>], of file: any CodedSource
  ) throws(SidecarRefusal) {
    do { try file.expect(ranges) } catch { throw .unreachable(error.reason) }
  }

  /// Reads bytes; a shorter result is an error.
  private static func bytes(
    of file: any CodedSource, _ range: Range<Int>
  ) throws(SidecarRefusal) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try file.bytes(at: range.lowerBound, count: range.count) } catch {
      throw file.isRemote ? .unreachable(error.reason) : .damaged(error.reason)
    }
    guard bytes.count == range.count else { throw .damaged("it became shorter while it was read") }
    return bytes
  }
}

/// The contents of a sidecar to be written.
struct SidecarDraft: Sendable, Hashable {
  let header: SidecarHeader
  /// The points, in blocks of `header.unit.pointsPerBlock`.
  let blocks: [[UInt8]]
  /// A sequential JPEG of the same coefficients; nil where the points refer to the picture's file.
  let payload: [UInt8]?

  /// The length of the file.
  var byteCount: Int {
    header.blocksOffset + blocks.reduce(0) { $0 + $1.count } + header.payloadCount
  }

  func encoded(with key: SidecarKey) -> [UInt8] {
    var bytes = header.encoded(with: key)
    for block in blocks {
      bytes.append(block.count, byteCount: 4)
      bytes += SHA256.digest(of: block).prefix(SidecarHeader.digestByteCount)
    }
    bytes += key.tag(of: bytes[...])
    for block in blocks { bytes += block }
    return bytes + (payload ?? [])
  }
}

/// The reason why a sidecar is not used; the index is rebuilt, or another source reads the picture.
package enum SidecarRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  case absent
  /// It cannot be read, or our writer cannot have produced it.
  case damaged(String)
  /// The server did not send it.
  case unreachable(String)
  /// It was tagged with a different key, or the key is missing.
  case notOurs(String)
  /// The picture is no longer the one that was indexed.
  case stale(String)
  /// Its format version is not supported.
  case version(Int)
  /// Its payload has more bytes than are free of the memory budget.
  case overBudget(Int)

  /// The reason in a few words, without a full stop.
  package var description: String {
    switch self {
    case .absent: "its index is missing"
    case .damaged(let reason): "the index is damaged: \(reason)"
    case .unreachable(let reason): "its index could not be fetched: \(reason)"
    case .notOurs(let reason): "the index is not ours: \(reason)"
    case .stale(let reason): "the index is stale: \(reason)"
    case .version(let number):
      "the index has version \(number) of the format, which is not known here"
        + " (`zoombench index FILE` makes a new one)"
    case .overBudget(let bytes):
      "its index takes \(bytes.megabytes), more than is free of the budget (--memory allows more)"
    }
  }
}
