internal import CVips

/// SHA-256 (FIPS 180-4) taken in pieces.
///
/// GLib, which libvips brings along, does the hashing: one well-kept dependency fewer.
@safe package struct SHA256: ~Copyable {
  /// The bytes of a digest.
  package static let byteCount = 32

  private let checksum: OpaquePointer

  package init() {
    guard let checksum = unsafe g_checksum_new(G_CHECKSUM_SHA256) else {
      preconditionFailure("GLib without SHA-256")
    }
    unsafe self.checksum = unsafe checksum
  }

  deinit { unsafe g_checksum_free(checksum) }

  package mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe g_checksum_update(checksum, buffer.baseAddress, gssize(buffer.count))
    }
  }

  /// The digest's 32 bytes.
  package consuming func finish() -> [UInt8] { unsafe Self.take(checksum) }

  /// The digest of what was appended so far; more may follow.
  package var current: [UInt8] {
    guard let copy = unsafe g_checksum_copy(checksum) else {
      preconditionFailure("GLib without SHA-256")
    }
    defer { unsafe g_checksum_free(copy) }
    return unsafe Self.take(copy)
  }

  /// Ends a checksum, to which nothing can be appended any more.
  private static func take(_ checksum: OpaquePointer) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      var length = gsize(Self.byteCount)
      unsafe g_checksum_get_digest(checksum, buffer.baseAddress, &length)
      count = Int(length)
    }
  }

  /// A digest in lower-case digits.
  package static func hexadecimal(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  package static func digest(of bytes: [UInt8]) -> [UInt8] { digest(of: bytes[...]) }

  static func digest(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.append(bytes)
    return hash.finish()
  }

  /// The digest of all bytes of a file.
  ///
  /// `isWanted` is asked now and then; once it says no, the result is not the file's digest.
  static func digest(
    of file: any CodedSource, while isWanted: () -> Bool = { true }
  ) throws(PipelineError) -> [UInt8] {
    var hash = SHA256()
    var position = 0
    while position < file.length, isWanted() {
      // Large enough to make system calls rare, small enough to stay in the second-level cache.
      let piece = try file.bytes(at: position, count: 1 << 18)
      if piece.isEmpty { break }
      hash.append(piece)
      position += piece.count
    }
    return hash.finish()
  }
}
