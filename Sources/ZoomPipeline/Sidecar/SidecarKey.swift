/// The secret key of sidecar tags, which are made with HMAC-SHA256 (RFC 2104).
///
/// An entry point cannot be checked without the pass that it saves: a wrong point still decodes to
/// a picture. An attacker could make a sidecar with plausible wrong points, and a valid checksum
/// for it. So a sidecar is trusted only if its tag was made with our own key.
struct SidecarKey: Sendable {
  /// The length of a key in bytes: as the hash, since more would add nothing (RFC 2104, section 3).
  static let byteCount = 32
  static let tagByteCount = 32
  static let fingerprintByteCount = 8

  let bytes: [UInt8]
  /// A value that distinguishes keys without revealing them; it only serves error messages.
  let fingerprint: [UInt8]

  /// Creates a key from a secret; nil if it has the wrong length.
  init?(_ secret: [UInt8]) {
    guard secret.count == Self.byteCount else { return nil }
    bytes = secret
    // No sidecar is as short as this text, so neither a tag nor the fingerprint reveals the other.
    let text = Array("ZIDX key".utf8)
    fingerprint = Array(Self.tag(of: text[...], secret).prefix(Self.fingerprintByteCount))
  }

  static func random() -> SidecarKey? {
    // Swift's generator uses the system's cryptographic one (getrandom, arc4random).
    var generator = SystemRandomNumberGenerator()
    return SidecarKey((0..<byteCount).map { _ in generator.next() })
  }

  func tag(of text: ArraySlice<UInt8>) -> [UInt8] { Self.tag(of: text, bytes) }

  /// Returns an HMAC; a key that is shorter than the hash's blocks is completed with zeros.
  private static func tag(of bytes: ArraySlice<UInt8>, _ secret: [UInt8]) -> [UInt8] {
    func padded(_ byte: UInt8) -> [UInt8] {
      secret.map { $0 ^ byte } + [UInt8](repeating: byte, count: 64 - secret.count)
    }
    let inner = SHA256.digest(of: padded(0x36) + bytes)
    return SHA256.digest(of: padded(0x5C) + inner)
  }
}
