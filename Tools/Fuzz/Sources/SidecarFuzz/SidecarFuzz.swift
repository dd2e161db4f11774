internal import SystemPackage

/// The key of all tags here.
private let key = SidecarKey([UInt8](repeating: 0x5A, count: SidecarKey.byteCount))

/// Tries the law that any bytes are refused or are exactly those that a writer produces.
///
/// The first byte decides whether the rest is sealed first. Sealing corrects all fields that need the
/// key or a digest, which no fuzzer can guess, so that the checks after them are tried as well.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let key, let first = UnsafeBufferPointer(start: start, count: count).first else { return 0 }
  var bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  if first & 1 == 1 { seal(&bytes, key) }
  guard let sidecar = try? Sidecar(MemoryFile(bytes, madeFrom: "sidecar"), key: key),
    let index = try? sidecar.index.whole()
  else { return 0 }
  let header = sidecar.header
  let draft = SidecarDraft(
    version: header.version, contentDigest: header.contentDigest, frame: header.frame,
    index: index, payload: sidecar.payload)
  precondition(draft?.encoded(with: key) == bytes, "another file means the same")
  return 0
}

/// Corrects magic, version and fingerprint, and if the header is consistent, digests and tag.
private func seal(_ bytes: inout [UInt8], _ key: SidecarKey) {
  guard bytes.count >= SidecarHeader.byteCount else { return }
  let version = UInt8(SidecarHeader.formatVersion)
  bytes.replaceSubrange(0..<16, with: SidecarHeader.magic + [version, 0, 0, 0] + key.fingerprint)
  guard let header = try? SidecarHeader(bytes, key: key), header.fileByteCount == bytes.count
  else { return }
  let entrySize = SidecarHeader.entryByteCount
  func seal(_ from: Int, _ end: Int, inPiecesOf count: Int, _ entries: Int) {
    for (number, start) in stride(from: from, to: end, by: count).enumerated() {
      let digest = SHA256.digest(of: bytes[start..<min(start + count, end)])
      bytes.replaceSubrange(
        entries + number * entrySize + 6..<entries + (number + 1) * entrySize,
        with: digest.prefix(SidecarHeader.digestByteCount))
    }
  }
  seal(
    header.recordsOffset, header.payloadOffset,
    inPiecesOf: SeekIndex.pointsPerBlock * header.recordSize, header.tableOffset)
  seal(
    header.tableOffset, header.recordsOffset,
    inPiecesOf: SidecarHeader.blocksPerPage * entrySize, SidecarHeader.byteCount)
  if header.payloadCount > 0 {
    bytes.replaceSubrange(
      SidecarHeader.byteCount - SHA256.byteCount..<SidecarHeader.byteCount,
      with: SHA256.digest(of: bytes[header.payloadOffset...]))
  }
  bytes.replaceSubrange(
    header.tagOffset..<header.tableOffset, with: key.tag(of: bytes[..<header.tagOffset]))
}
