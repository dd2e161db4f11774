/// A seek index in a separate file, `PICTURE.zidx`, as read when the picture is opened.
///
/// Opening reads the header, the entries of the pages, the tag over both, and the whole payload.
/// Points are read as peeks need them, through the sidecar's own descriptor. The file is not
/// memory-mapped: if another process truncated a mapped file, the reader would be killed (SIGBUS).
struct Sidecar: Sendable {
  let header: SidecarHeader
  /// The index of the payload, or of the picture's file if there is none.
  let index: StoredIndex
  /// A sequential JPEG of the same coefficients; nil where the picture's own is one.
  let payload: [UInt8]?
  let bytesRead: Int

  /// The size of the first read: enough, without a payload, for pictures up to ten gigapixels.
  private static let firstByteCount = 4096

  /// Reads and checks a sidecar, whose length the caller has bounded.
  /// - Throws: `damaged`, `version`, or `notOurs` for a different key.
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
    // Always compares all 32 bytes, so that the time does not reveal how many were right.
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

  /// Reads bytes; a shorter result is an error.
  static func bytes(
    of file: any CodedSource, at offset: Int, count: Int
  ) throws(SidecarRefusal) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try file.bytes(at: offset, count: count) } catch { throw .damaged(error.reason) }
    guard bytes.count == count else { throw .damaged("it became shorter while it was read") }
    return bytes
  }
}

/// The contents of a sidecar to be written: a picture's facts and its complete index.
struct SidecarDraft: Sendable, Hashable {
  let header: SidecarHeader
  /// The complete index of the payload, or of the picture's file if there is none.
  let index: SeekIndex
  /// A sequential JPEG of the same coefficients; nil where the picture's own is one.
  let payload: [UInt8]?

  /// Creates a draft from its parts; nil if they contradict each other.
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

  func encoded(with key: SidecarKey) -> [UInt8] {
    let table = Self.entries(
      of: index.records, inPiecesOf: SeekIndex.pointsPerBlock * header.recordSize)
    var bytes = header.encoded(with: key)
    bytes += Self.entries(
      of: table, inPiecesOf: SidecarHeader.blocksPerPage * SidecarHeader.entryByteCount)
    bytes += key.tag(of: bytes[...])
    return bytes + table + index.records + (payload ?? [])
  }

  /// Splits bytes into pieces and returns an entry for each: its first bit position and its digest.
  private static func entries(of bytes: [UInt8], inPiecesOf byteCount: Int) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: byteCount).flatMap { start in
      let piece = bytes[start..<min(start + byteCount, bytes.count)]
      return piece.prefix(6) + SHA256.digest(of: piece).prefix(SidecarHeader.digestByteCount)
    }
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
