/// The identity of the indexed file, at the start of a sidecar.
struct SidecarIdentity: Sendable, Hashable {
  /// The version of the settled file before its first byte was read, without the device.
  ///
  /// Each client of a network file system has a different number for the same device. To be
  /// mistaken for this file, another file at its path would need the same inode number, length and
  /// times to the nanosecond.
  let version: FileVersion
  /// The SHA-256 of the picture's whole file.
  let contentDigest: [UInt8]

  /// The encoded length in bytes, with magic, format version and key fingerprint.
  static let byteCount = 88

  func encoded(with key: SidecarKey) -> [UInt8] {
    var bytes = SidecarHeader.magic
    bytes.append(SidecarHeader.formatVersion, byteCount: 4)
    bytes += key.fingerprint
    bytes.append(version.length, byteCount: 8)
    bytes.append(Int(truncatingIfNeeded: version.inode), byteCount: 8)
    for time in [version.modified, version.changed] {
      bytes.append(time.seconds, byteCount: 8)
      bytes.append(time.nanoseconds, byteCount: 4)
    }
    return bytes + contentDigest
  }

  /// Reads the identity at the start of a sidecar.
  /// - Throws: `damaged`, `version`, or `notOurs` for a different key.
  init(_ bytes: [UInt8], key: SidecarKey) throws(SidecarRefusal) {
    guard bytes.starts(with: SidecarHeader.magic) else {
      throw .damaged("it does not begin with \"ZIDX\"")
    }
    guard bytes.count >= 8 else { throw .damaged("it is cut off") }
    let format = bytes.integer(at: 4, byteCount: 4)
    guard format == SidecarHeader.formatVersion else { throw .version(format) }
    guard bytes.count >= Self.byteCount else { throw .damaged("it is cut off") }
    var cursor = ByteCursor(bytes: bytes, position: 8)
    guard cursor.bytes(SidecarKey.fingerprintByteCount) == key.fingerprint else {
      throw .notOurs("it was written with another key")
    }
    let length = cursor.integer(8)
    let inode = cursor.integer(8)
    let (modified, changed) = (cursor.time(), cursor.time())
    version = FileVersion(
      device: 0, inode: UInt64(bitPattern: Int64(inode)),
      length: length, modified: modified, changed: changed)
    contentDigest = cursor.bytes(SHA256.byteCount)
  }

  init(version: FileVersion, contentDigest: [UInt8]) {
    (self.version, self.contentDigest) = (version.withoutDevice, contentDigest)
  }

  /// Compares a picture's file with the indexed file.
  ///
  /// The same version means the same content, because only settled files are indexed. Otherwise, as
  /// for copied or touched files, the content is hashed.
  /// - Returns: The difference; nil if the content is the same.
  func difference(from file: FileReader) throws(PipelineError) -> String? {
    if file.version.withoutDevice == version { return nil }
    guard file.length == version.length else {
      return "the picture has \(file.length) bytes, not \(version.length)"
    }
    guard try SHA256.digest(of: file) == contentDigest else {
      return "the picture's content differs"
    }
    // Checks that the file that was read is still the one at its path.
    return try FileVersion(of: file.path) == file.version ? nil : "the picture changed just now"
  }
}

/// A reader of consecutive fields; the caller has checked that the bytes exist.
struct ByteCursor {
  let bytes: [UInt8]
  var position: Int

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads a number, which may be negative if it has eight bytes.
  mutating func integer(_ byteCount: Int) -> Int {
    defer { position += byteCount }
    return bytes.integer(at: position, byteCount: byteCount)
  }

  mutating func time() -> FileVersion.Moment {
    FileVersion.Moment(seconds: integer(8), nanoseconds: integer(4))
  }
}
