internal import CVips

/// The secret that sidecars are tagged with: HMAC-SHA256 (RFC 2104).
///
/// Whether an entry point is right cannot be checked without the pass that it saves: a wrong one
/// still decodes to a picture. A sidecar that somebody else made could name wrong points that look
/// right, and a checksum is no help, because he can compute it too. So a sidecar is believed only if
/// its tag was made with our own secret.
struct SidecarKey: Sendable {
  /// The bytes of a secret: as many as the hash gives, more would add nothing (RFC 2104, 3).
  static let byteCount = 32
  static let tagByteCount = 32
  static let fingerprintByteCount = 8

  /// The secret itself, for its file.
  let bytes: [UInt8]
  /// What tells one key from another without giving either away.
  ///
  /// It only makes a message better: a sidecar of another's key is not called damaged.
  let fingerprint: [UInt8]

  /// Takes a secret; nil when it has the wrong length.
  init?(_ secret: [UInt8]) {
    guard secret.count == Self.byteCount else { return nil }
    bytes = secret
    // No sidecar is as short as this text, so no tag of one gives the fingerprint or the reverse.
    let text = Array("ZIDX key".utf8)
    fingerprint = Array(Self.tag(of: text[...], secret).prefix(Self.fingerprintByteCount))
  }

  static func random() -> SidecarKey? {
    // Swift's generator is the system's own for secrets (getrandom, arc4random).
    var generator = SystemRandomNumberGenerator()
    return SidecarKey((0..<byteCount).map { _ in generator.next() })
  }

  /// The tag of a sidecar's bytes.
  func tag(of text: ArraySlice<UInt8>) -> [UInt8] { Self.tag(of: text, bytes) }

  private static func tag(of bytes: ArraySlice<UInt8>, _ secret: [UInt8]) -> [UInt8] {
    let hmac = unsafe secret.withUnsafeBufferPointer { key in
      unsafe g_hmac_new(G_CHECKSUM_SHA256, key.baseAddress, gsize(key.count))
    }
    guard let hmac = unsafe hmac else { preconditionFailure("GLib without SHA-256") }
    defer { unsafe g_hmac_unref(hmac) }
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe g_hmac_update(hmac, buffer.baseAddress, gssize(buffer.count))
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: tagByteCount) { buffer, count in
      var length = gsize(tagByteCount)
      unsafe g_hmac_get_digest(hmac, buffer.baseAddress, &length)
      count = Int(length)
    }
  }
}
