/// A seek index in a file of its own, `PICTURE.zidx`, as it is found at opening.
///
/// Only what is needed to trust the rest is read then: the header, the pages' entries and the tag over
/// both. Points are read as peeks need them, on the sidecar's own descriptor. A payload is read whole.
/// Nothing is mapped: a mapped file that another process cuts short ends its reader (SIGBUS).
struct Sidecar: Sendable {
  /// What it says of its picture and of itself.
  let header: SidecarHeader
  /// Leads into the payload, or into the picture's file without one.
  let index: StoredIndex
  /// A sequential JPEG of the same coefficients; nil where the picture's own is one.
  let payload: [UInt8]?
  /// How many bytes were read at opening.
  let bytesRead: Int

  /// Enough for all that is read at opening of a picture of ten gigapixels.
  private static let firstByteCount = 4096

  /// Reads a sidecar that is no longer than what may be allocated; whatever its bytes are, it is a refusal
  /// or what a writer of ours left behind.
  /// - Throws: `damaged`, `version`, or `notOurs` for another key's.
  init(_ file: any CodedSource, key: SidecarKey) throws(SidecarRefusal) {
    var head = try Self.bytes(of: file, at: 0, count: min(file.length, Self.firstByteCount))
    let header = try SidecarHeader(head, key: key)
    guard header.fileByteCount == file.length else {
      throw .damaged("it is cut off, or something was appended")
    }
    let (end, behind) = (header.tagOffset, header.tableOffset)
    if head.count < behind {
      head += try Self.bytes(of: file, at: head.count, count: behind - head.count)
    }
    // All 32 bytes are compared, so that the time tells nobody how many were right.
    let difference = zip(key.tag(of: head[..<end]), head[end...]).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0 else { throw .damaged("its tag does not match") }
    guard
      let index = StoredIndex(header, pages: Array(head[SidecarHeader.byteCount..<end]), of: file)
    else { throw .damaged("its points contradict each other") }
    var payload: [UInt8]?
    if header.payloadCount > 0 {
      let bytes = try Self.bytes(of: file, at: header.payloadOffset, count: header.payloadCount)
      guard SHA256.digest(of: bytes) == header.payloadDigest else {
        throw .damaged("its payload does not match")
      }
      payload = bytes
    }
    self.header = header
    self.index = index
    self.payload = payload
    bytesRead = head.count + header.payloadCount
  }

  /// Bytes that must be there.
  static func bytes(
    of file: any CodedSource, at offset: Int, count: Int
  ) throws(SidecarRefusal) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try file.bytes(at: offset, count: count) } catch { throw .damaged(error.reason) }
    guard bytes.count == count else { throw .damaged("it became shorter while it was read") }
    return bytes
  }
}

/// What a sidecar is written of: a picture's facts and its complete index.
struct SidecarDraft: Sendable, Hashable {
  let header: SidecarHeader
  /// Complete; leads into the payload, or into the picture's file without one.
  let index: SeekIndex
  /// A sequential JPEG of the same coefficients; nil where the picture's own is one.
  let payload: [UInt8]?

  /// Puts the parts together; nil where they contradict each other.
  init?(
    version: FileVersion, contentDigest: [UInt8], frame: SidecarHeader.Frame, index: SeekIndex,
    payload: [UInt8]? = nil
  ) {
    guard let start = index.point(at: 0)?.bit else { return nil }
    let payloadDigest =
      payload.map { SHA256.digest(of: $0) } ?? [UInt8](repeating: 0, count: SHA256.byteCount)
    header = SidecarHeader(
      identity: SidecarIdentity(version: version, contentDigest: contentDigest), frame: frame,
      mcuCount: index.mcuCount,
      spacing: index.spacing, codedStart: start / 8, scanEnd: index.scanEnd,
      payloadCount: payload?.count ?? 0, payloadDigest: payloadDigest)
    guard header.isConsistent, index.pointCount == header.pointCount,
      index.componentCount == frame.factors.count
    else { return nil }
    self.index = index
    self.payload = payload
  }

  /// The sidecar's bytes, with their tag.
  func encoded(with key: SidecarKey) -> [UInt8] {
    let table = Self.entries(
      of: index.records, inPiecesOf: SeekIndex.pointsPerBlock * header.recordSize)
    var bytes = header.encoded(with: key)
    bytes += Self.entries(
      of: table, inPiecesOf: SidecarHeader.blocksPerPage * SidecarHeader.entryByteCount)
    bytes += key.tag(of: bytes[...])
    return bytes + table + index.records + (payload ?? [])
  }

  /// The entries of pieces of so many bytes, each of which begins with the place of its first bit.
  private static func entries(of bytes: [UInt8], inPiecesOf byteCount: Int) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: byteCount).flatMap { start in
      let piece = bytes[start..<min(start + byteCount, bytes.count)]
      return piece.prefix(6) + SHA256.digest(of: piece).prefix(SidecarHeader.digestByteCount)
    }
  }
}

/// Why a sidecar is not used; the index is then built anew, or another source reads the picture.
package enum SidecarRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is none.
  case absent
  /// It cannot be read, or is not what a writer of ours leaves behind.
  case damaged(String)
  /// It was tagged with another key, or there is no key.
  case notOurs(String)
  /// The picture is not the one it was made for any more.
  case stale(String)
  /// It has a version of the format that is not known here.
  case version(Int)

  /// The reason in a few words, without a full stop.
  package var description: String {
    switch self {
    case .absent: "there is no index"
    case .damaged(let reason): "the index is damaged: \(reason)"
    case .notOurs(let reason): "the index is not ours: \(reason)"
    case .stale(let reason): "the index is stale: \(reason)"
    case .version(let number):
      "the index has version \(number) of the format, which is not known here"
        + " (`zoombench index FILE` makes it anew)"
    }
  }
}
