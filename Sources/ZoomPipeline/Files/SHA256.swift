internal import CVips

/// A SHA-256 (FIPS 180-4) computed in pieces by GLib, which libvips needs anyway.
@safe package struct SHA256: ~Copyable {
  package static let byteCount = 32

  private let checksum: OpaquePointer

  package init() {
    guard let checksum = unsafe g_checksum_new(G_CHECKSUM_SHA256) else {
      preconditionFailure("GLib without SHA-256")
    }
    unsafe self.checksum = unsafe checksum
  }

  deinit { unsafe g_checksum_free(checksum) }

  package mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe g_checksum_update(checksum, buffer.baseAddress, gssize(buffer.count))
    }
  }

  /// The digest of the bytes so far; more may follow.
  package var digest: [UInt8] {
    // GLib computes a digest only once.
    guard let copy = unsafe g_checksum_copy(checksum) else {
      preconditionFailure("GLib without SHA-256")
    }
    defer { unsafe g_checksum_free(copy) }
    return unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      var length = gsize(Self.byteCount)
      unsafe g_checksum_get_digest(copy, buffer.baseAddress, &length)
      count = Int(length)
    }
  }

  /// Returns a digest in lower-case hexadecimal digits.
  package static func hexadecimal(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.append(bytes)
    return hash.digest
  }

  /// Returns the digest of all bytes of a file.
  ///
  /// Calls `isWanted` for each piece; once it returns false, the result is not the file's digest.
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
    return hash.digest
  }
}
