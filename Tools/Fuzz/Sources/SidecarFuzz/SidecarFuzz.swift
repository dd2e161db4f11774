internal import SystemPackage

@testable import ZoomPipeline

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
  guard let sidecar = try? Sidecar(MemoryFile(bytes, madeFrom: "sidecar"), key: key) else {
    return 0
  }
  let blocks = (0..<sidecar.header.blockCount).compactMap { try? sidecar.block($0) }
  guard blocks.count == sidecar.header.blockCount else { return 0 }
  let draft = SidecarDraft(header: sidecar.header, blocks: blocks, payload: sidecar.payload)
  precondition(
    draft.encoded(with: key) == bytes, "a different file was accepted with the same contents")
  return 0
}

/// Corrects magic, version and fingerprint, and if the header is consistent, digests and tag.
private func seal(_ bytes: inout [UInt8], _ key: SidecarKey) {
  guard bytes.count >= SidecarHeader.byteCount else { return }
  let version = UInt8(SidecarHeader.formatVersion)
  bytes.replaceSubrange(0..<16, with: SidecarHeader.magic + [version, 0, 0, 0] + key.fingerprint)
  guard let header = try? SidecarHeader(bytes, key: key), header.blocksOffset <= bytes.count
  else { return }
  var block = header.blocksOffset
  for entry in stride(
    from: SidecarHeader.byteCount, to: header.tagOffset, by: SidecarHeader.entryByteCount)
  {
    let count = bytes.integer(at: entry, byteCount: 4)
    guard count <= bytes.count - block else { return }
    let digest = SHA256.digest(of: Array(bytes[block..<block + count]))
    bytes.replaceSubrange(
      entry + 4..<entry + SidecarHeader.entryByteCount,
      with: digest.prefix(SidecarHeader.digestByteCount))
    block += count
  }
  if header.payloadCount > 0 {
    bytes.replaceSubrange(
      SidecarHeader.byteCount - SHA256.byteCount..<SidecarHeader.byteCount,
      with: SHA256.digest(of: Array(bytes[block...])))
  }
  bytes.replaceSubrange(
    header.tagOffset..<header.blocksOffset, with: key.tag(of: bytes[..<header.tagOffset]))
}
