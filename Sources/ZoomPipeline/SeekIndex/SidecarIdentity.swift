/// Which file a sidecar was made of, and whose it is: what every kind of sidecar begins with.
struct SidecarIdentity: Sendable, Hashable {
  /// The picture's file before the first byte of it was read, when it was settled; its device is left out.
  ///
  /// Each client of a network file system has another number for the same device. Without it, another file
  /// of the same inode number, length and times to the nanosecond would have to stand at the same path.
  let version: FileVersion
  /// SHA-256 of all of the picture's file.
  let contentDigest: [UInt8]

  /// The bytes of it, with magic, format version and key.
  static let byteCount = 88

  func encoded(magic: [UInt8], formatVersion: Int, key: SidecarKey) -> [UInt8] {
    var bytes = magic
    bytes.append(formatVersion, byteCount: 4)
    bytes += key.fingerprint
    bytes.append(version.length, byteCount: 8)
    bytes.append(Int(truncatingIfNeeded: version.inode), byteCount: 8)
    for time in [version.modified, version.changed] {
      bytes.append(time.seconds, byteCount: 8)
      bytes.append(time.nanoseconds, byteCount: 4)
    }
    return bytes + contentDigest
  }

  /// Reads the beginning of a sidecar; whatever the bytes are, it is a refusal or what a writer of ours left
  /// behind.
  /// - Throws: `damaged`, `version`, or `notOurs` for another key's.
  init(
    _ bytes: [UInt8], magic: [UInt8], formatVersion: Int, key: SidecarKey
  ) throws(SidecarRefusal) {
    guard bytes.starts(with: magic) else {
      throw .damaged("it does not begin with \"\(String(decoding: magic, as: UTF8.self))\"")
    }
    guard bytes.count >= 8 else { throw .damaged("it is cut off") }
    let format = bytes.integer(at: 4, byteCount: 4)
    guard format == formatVersion else { throw .version(format) }
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

  /// Compares a picture's file with the one that was indexed.
  ///
  /// The same version is the same content, as the index was made of a settled file. A copied or touched
  /// file is read and hashed whole.
  /// - Returns: what differs; nil when it has the same content.
  func difference(from file: FileReader) throws(PipelineError) -> String? {
    if file.version.withoutDevice == version { return nil }
    guard file.length == version.length else {
      return "the picture has \(file.length) bytes, not \(version.length)"
    }
    guard try SHA256.digest(of: file) == contentDigest else {
      return "the picture's content differs"
    }
    // What was read is what stands there.
    return try FileVersion(of: file.path) == file.version ? nil : "the picture changed just now"
  }
}

/// Takes fields one behind the other; all of their bytes are there.
struct ByteCursor {
  let bytes: [UInt8]
  var position: Int

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Eight bytes may give a negative number, which no count or offset is.
  mutating func integer(_ byteCount: Int) -> Int {
    defer { position += byteCount }
    return bytes.integer(at: position, byteCount: byteCount)
  }

  mutating func time() -> FileVersion.Moment {
    FileVersion.Moment(seconds: integer(8), nanoseconds: integer(4))
  }
}
