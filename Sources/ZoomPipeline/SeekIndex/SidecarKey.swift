internal import CVips
package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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

/// The file with the secret that sidecars are tagged with: 32 bytes, made at the first writing.
///
/// Whoever can read it can make sidecars that are believed, so it is made readable by this user only.
/// A team or a server shares sidecars by sharing a key: everyone's `ZOOMBENCH_INDEX_KEY` names it.
package struct SidecarKeyFile: Sendable, Hashable {
  /// Where it stands.
  package let path: FilePath

  /// Names a file, which need not be there yet.
  package init(_ path: FilePath) { self.path = path }

  /// The file that `ZOOMBENCH_INDEX_KEY` names, or `zoombench/index.key` in the user's data folder.
  /// - Throws: `PipelineError` when the environment names neither.
  package static func standard() throws(PipelineError) -> SidecarKeyFile {
    try standard(UserFolder.environment)
  }

  static func standard(
    _ environment: (String) -> String?
  ) throws(PipelineError) -> SidecarKeyFile {
    if let named = environment("ZOOMBENCH_INDEX_KEY") { return SidecarKeyFile(FilePath(named)) }
    return SidecarKeyFile(
      try UserFolder.data(environment).appending("zoombench").appending("index.key"))
  }

  /// Reads the key; nil when there is none yet.
  /// - Throws: `PipelineError` when the file cannot be read or does not hold a key.
  func read() throws(PipelineError) -> SidecarKey? {
    func noKey(_ reason: String) -> PipelineError {
      PipelineError(
        .damaged, operation: "read the index key", file: path, reason: reason,
        advice: "remove it and index again, or name another with ZOOMBENCH_INDEX_KEY")
    }
    let bytes: [UInt8]
    do { bytes = try FileReader(path).contents(atMost: SidecarKey.byteCount) } catch {
      if error.code == .noSuchFile { return nil }
      throw error.code == .overBudget ? noKey(error.reason) : error
    }
    guard let key = SidecarKey(bytes) else {
      throw noKey("it has \(bytes.count) bytes, not \(SidecarKey.byteCount)")
    }
    return key
  }

  /// Reads the key, and makes it first where there is none.
  /// - Throws: `PipelineError` as `read()` does, and when the file cannot be written.
  func readOrMake() throws(PipelineError) -> SidecarKey {
    if let key = try read() { return key }
    do {
      try make()
    } catch {
      throw PipelineError(
        .unwritable, operation: "make the index key", file: path, reason: "\(error)",
        advice: "name a place that can be written with ZOOMBENCH_INDEX_KEY")
    }
    // Another process may have been first: its key is the one.
    guard let key = try read() else {
      throw PipelineError(
        .unwritable, operation: "make the index key", file: path,
        reason: "it was removed at once, or is a link that leads nowhere")
    }
    return key
  }

  /// Makes the file unless there is one, whole from the moment it can be seen.
  private func make() throws {
    guard let key = SidecarKey.random(), let name = path.lastComponent else {
      throw Errno.invalidArgument
    }
    let folder = path.removingLastComponent()
    if !folder.isEmpty { try UserFolder.make(folder) }
    let temporary = folder.appending(".\(name.string).\(UInt64.random(in: 0...UInt64.max))")
    let descriptor = try FileDescriptor.open(
      temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: .ownerReadWrite)
    defer { _ = unsafe temporary.withPlatformString { file in unsafe unlink(file) } }
    try descriptor.closeAfter {
      try descriptor.writeAll(key.bytes)
      guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
    // A link never replaces what is there, as a rename would: of two processes one is first.
    let failure = unsafe temporary.withPlatformString { from in
      unsafe path.withPlatformString { to in unsafe link(from, to) == 0 ? 0 : errno }
    }
    guard failure == 0 || failure == EEXIST else { throw Errno(rawValue: failure) }
  }
}
