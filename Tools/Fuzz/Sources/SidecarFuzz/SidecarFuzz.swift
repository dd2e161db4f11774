/// The secret of all tags here.
private let key = SidecarKey([UInt8](repeating: 0x5A, count: SidecarKey.byteCount))

/// The law that any bytes are refused, or are the very ones that a writer leaves behind.
///
/// The first byte says whether the rest is tagged anew, with its length and the key's fingerprint
/// put right, as no fuzzer finds a tag: so that what lies beyond the tag is tried as well.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let key, let first = UnsafeBufferPointer(start: start, count: count).first else { return 0 }
  var bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  if first & 1 == 1 { retag(&bytes, key) }
  guard let sidecar = try? Sidecar(bytes, key: key) else { return 0 }
  precondition(sidecar.encoded(with: key) == bytes, "another file means the same")
  return 0
}

/// Puts everything right that needs the key or the length.
private func retag(_ bytes: inout [UInt8], _ key: SidecarKey) {
  guard bytes.count >= Sidecar.headerByteCount else { return }
  let length = bytes.count + SidecarKey.tagByteCount
  bytes.replaceSubrange(0..<8, with: Array("ZIDX".utf8) + [UInt8(Sidecar.version), 0, 0, 0])
  for place in 0..<8 { bytes[8 + place] = UInt8(truncatingIfNeeded: length >> (8 * place)) }
  bytes.replaceSubrange(16..<24, with: key.fingerprint)
  bytes += key.tag(of: bytes[...])
}
