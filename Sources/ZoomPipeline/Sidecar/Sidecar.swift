internal import Synchronization

/// A seek index in a separate file, `PICTURE.zidx`, read block by block as needed, from any thread.
///
/// Opening reads the header, the entries of the pages, the tag over both, and the whole payload.
/// Points are read as peeks need them, through the sidecar's own descriptor. The file is not
/// memory-mapped: if another process truncated a mapped file, the reader would be killed (SIGBUS).
final class Sidecar: Sendable {
  let header: SidecarHeader
  /// A sequential JPEG of the same coefficients; nil where the points refer to the picture's file.
  let payload: [UInt8]?
  /// The bytes read when it was opened.
  let bytesRead: Int
  var byteCount: Int { file.length }
  private let file: any CodedSource
  private let pages: [Page]
  private let knownPages = Mutex<[Int: [Piece]]>([:])

  /// A range of the file, and half of its SHA-256.
  private struct Piece {
    let range: Range<Int>
    let digest: ArraySlice<UInt8>
  }

  private struct Page {
    /// The entries of its blocks.
    let entries: Piece
    /// The place of all of its blocks.
    let blocks: Range<Int>
  }

  /// The size of the first read: enough, without a payload, for pictures up to ten gigapixels.
  private static let firstByteCount = 4096

  /// Reads and checks a sidecar, whose length the caller has bounded.
  /// - Throws: `damaged`, `version`, or `notOurs` for a different key.
  init(_ file: any CodedSource, key: SidecarKey) throws(SidecarRefusal) {
    var head = try Self.bytes(of: file, 0..<min(file.length, Self.firstByteCount))
    let header = try SidecarHeader(head, key: key)
    let (tag, table) = (header.tagOffset, header.tableOffset)
    guard table <= file.length else { throw .damaged("it is cut off") }
    if head.count < table { head += try Self.bytes(of: file, head.count..<table) }
    // Always compares all 32 bytes, so that the time does not reveal how many were right.
    let difference = zip(key.tag(of: head[..<tag]), head[tag...]).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0 else { throw .damaged("its tag does not match") }
    var (place, entries) = (header.blocksOffset, table)
    var pages: [Page] = []
    for start in stride(
      from: SidecarHeader.byteCount, to: tag, by: SidecarHeader.pageEntryByteCount)
    {
      let byteCount = head.integer(at: start, byteCount: 8)
      let count = min(
        SidecarHeader.blocksPerPage * SidecarHeader.entryByteCount, header.blocksOffset - entries)
      guard byteCount >= 0, byteCount <= file.length - place else {
        throw .damaged("it is cut off, or something was appended")
      }
      let digest = head[start + 8..<start + SidecarHeader.pageEntryByteCount]
      pages.append(
        Page(
          entries: Piece(range: entries..<entries + count, digest: digest),
          blocks: place..<place + byteCount))
      (place, entries) = (place + byteCount, entries + count)
    }
    guard place + header.payloadCount == file.length else {
      throw .damaged("it is cut off, or something was appended")
    }
    payload = try header.payloadCount > 0 ? Self.bytes(of: file, place..<file.length) : nil
    guard payload.map({ SHA256.digest(of: $0) == header.payloadDigest }) ?? true else {
      throw .damaged("its payload does not match")
    }
    self.header = header
    self.file = file
    self.pages = pages
    bytesRead = head.count + header.payloadCount
  }

  /// Reads and checks a block of points.
  /// - Throws: `damaged` when it cannot be read, or is not what was written.
  func block(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    precondition((0..<header.blockCount).contains(number))
    let blocks = try page(number / SidecarHeader.blocksPerPage)
    return try read(blocks[number % SidecarHeader.blocksPerPage])
  }

  private func page(_ number: Int) throws(SidecarRefusal) -> [Piece] {
    if let known = knownPages.withLock({ $0[number] }) { return known }
    let page = pages[number]
    let bytes = try read(page.entries)
    var place = page.blocks.lowerBound
    let blocks = stride(from: 0, to: bytes.count, by: SidecarHeader.entryByteCount).map { start in
      defer { place += bytes.integer(at: start, byteCount: 4) }
      return Piece(
        range: place..<place + bytes.integer(at: start, byteCount: 4),
        digest: bytes[start + 4..<start + SidecarHeader.entryByteCount])
    }
    guard place == page.blocks.upperBound else { throw .damaged("its parts contradict each other") }
    knownPages.withLock { $0[number] = blocks }
    return blocks
  }

  private func read(_ piece: Piece) throws(SidecarRefusal) -> [UInt8] {
    let bytes = try Self.bytes(of: file, piece.range)
    guard SHA256.digest(of: bytes).prefix(SidecarHeader.digestByteCount) == piece.digest else {
      throw .damaged("a block of its points does not match")
    }
    return bytes
  }

  /// Reads bytes; a shorter result is an error.
  private static func bytes(
    of file: any CodedSource, _ range: Range<Int>
  ) throws(SidecarRefusal) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try file.bytes(at: range.lowerBound, count: range.count) } catch {
      throw .damaged(error.reason)
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
    func digest(_ piece: some Sequence<UInt8>) -> ArraySlice<UInt8> {
      SHA256.digest(of: Array(piece)).prefix(SidecarHeader.digestByteCount)
    }
    var bytes = header.encoded(with: key)
    var table: [UInt8] = []
    for first in stride(from: 0, to: blocks.count, by: SidecarHeader.blocksPerPage) {
      var (entries, byteCount): ([UInt8], Int) = ([], 0)
      for block in blocks[first...].prefix(SidecarHeader.blocksPerPage) {
        entries.append(block.count, byteCount: 4)
        entries += digest(block)
        byteCount += block.count
      }
      bytes.append(byteCount, byteCount: 8)
      bytes += digest(entries)
      table += entries
    }
    bytes += key.tag(of: bytes[...])
    bytes += table
    for block in blocks { bytes += block }
    return bytes + (payload ?? [])
  }
}

/// The reason why a sidecar is not used; the index is rebuilt, or another source reads the picture.
package enum SidecarRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  case absent
  /// It cannot be read, or our writer cannot have produced it.
  case damaged(String)
  /// It was tagged with a different key, or the key is missing.
  case notOurs(String)
  /// The picture is no longer the one that was indexed.
  case stale(String)
  /// Its format version is not supported.
  case version(Int)

  /// The reason in a few words, without a full stop.
  package var description: String {
    switch self {
    case .absent: "its index is missing"
    case .damaged(let reason): "the index is damaged: \(reason)"
    case .notOurs(let reason): "the index is not ours: \(reason)"
    case .stale(let reason): "the index is stale: \(reason)"
    case .version(let number):
      "the index has version \(number) of the format, which is not known here"
        + " (`zoombench index FILE` makes a new one)"
    }
  }
}
