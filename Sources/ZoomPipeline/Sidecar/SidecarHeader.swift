/// The header of a sidecar; see Documentation/SeekIndexFormat.md for layout and reasons.
struct SidecarHeader: Sendable, Hashable {
  /// The units of a picture that entry points lead to.
  enum Unit: Int, Sendable {
    /// MCUs of a JPEG.
    case mcu = 1
    /// Rows of a PNG.
    case row = 2

    /// The number of points that are stored, checked and kept together.
    var pointsPerBlock: Int {
      switch self {
      case .mcu: SeekIndex.pointsPerBlock
      // A point holds up to 32 KB of output and a row.
      case .row: 1
      }
    }
  }

  /// The only version of the format that is written and read.
  static let formatVersion = 5
  static let magic = Array("ZIDX".utf8)
  static let byteCount = 153
  /// Half a SHA-256: finding other bytes with the same digest is as hard as guessing a 128-bit key.
  static let digestByteCount = 16
  /// The length of an entry of a block: its length and its digest.
  static let entryByteCount = 4 + digestByteCount

  let identity: SidecarIdentity
  let unit: Unit
  /// The number of MCUs or rows of the picture.
  let unitCount: Int
  /// The number of units from one point to the next.
  let spacing: Int
  /// The offset of the first coded byte in the payload, or in the picture's file if there is none.
  let start: Int
  /// The offset of the first byte after the coded data, before which all points are.
  let end: Int
  /// The length of the payload; 0 if the points refer to the picture's file.
  let payloadCount: Int
  /// The SHA-256 of the payload; zeros if there is none.
  let payloadDigest: [UInt8]

  /// Whether the fields are consistent, and each is in its range.
  var isConsistent: Bool {
    let version = identity.version
    let streamLength = payloadCount > 0 ? payloadCount : version.length
    let numbers = 1...Int(UInt32.max)
    return numbers.contains(unitCount) && numbers.contains(spacing)
      && [version.modified, version.changed].allSatisfy { $0.nanoseconds < 1_000_000_000 }
      && 0 <= start && start < end && end <= SeekIndex.greatestOffset && end <= streamLength
      && version.length >= 0 && (0...SeekIndex.greatestOffset).contains(payloadCount)
      && payloadDigest.contains { $0 != 0 } == (payloadCount > 0)
  }

  var pointCount: Int { (unitCount - 1) / spacing + 1 }
  var blockCount: Int { (pointCount - 1) / unit.pointsPerBlock + 1 }
  /// The offset of the tag, which covers everything before it: this header, and an entry per block.
  ///
  /// A 32-bit count times 20 cannot overflow.
  var tagOffset: Int { Self.byteCount + blockCount * Self.entryByteCount }
  var blocksOffset: Int { tagOffset + SidecarKey.tagByteCount }
}

extension SidecarHeader {
  func encoded(with key: SidecarKey) -> [UInt8] {
    let version = identity.version
    var bytes = Self.magic
    bytes.append(Self.formatVersion, byteCount: 4)
    bytes += key.fingerprint
    bytes.append(version.length, byteCount: 8)
    bytes.append(Int(truncatingIfNeeded: version.inode), byteCount: 8)
    for time in [version.modified, version.changed] {
      bytes.append(time.seconds, byteCount: 8)
      bytes.append(time.nanoseconds, byteCount: 4)
    }
    bytes += identity.contentDigest
    bytes.append(unit.rawValue, byteCount: 1)
    bytes.append(unitCount, byteCount: 4)
    bytes.append(spacing, byteCount: 4)
    for number in [start, end, payloadCount] { bytes.append(number, byteCount: 8) }
    return bytes + payloadDigest
  }

  /// Reads the header of a sidecar.
  /// - Throws: `damaged`, `version`, or `notOurs` for a different key.
  init(_ bytes: [UInt8], key: SidecarKey) throws(SidecarRefusal) {
    // Up to version 2, indexes of PNGs had a separate format that began with these bytes.
    if bytes.starts(with: Array("ZIDP".utf8)) { throw .version(2) }
    guard bytes.starts(with: Self.magic) else {
      throw .damaged("it does not begin with \"ZIDX\"")
    }
    guard bytes.count >= 8 else { throw .damaged("it is cut off") }
    let format = bytes.integer(at: 4, byteCount: 4)
    guard format == Self.formatVersion else { throw .version(format) }
    guard bytes.count >= Self.byteCount else { throw .damaged("it is cut off") }
    var cursor = ByteCursor(bytes: bytes, position: 8)
    guard cursor.bytes(SidecarKey.fingerprintByteCount) == key.fingerprint else {
      throw .notOurs("it was written with another key")
    }
    let (length, inode) = (cursor.integer(8), cursor.integer(8))
    func time() -> FileVersion.Moment {
      FileVersion.Moment(seconds: cursor.integer(8), nanoseconds: cursor.integer(4))
    }
    let version = FileVersion(
      device: 0, inode: UInt64(bitPattern: Int64(inode)), length: length, modified: time(),
      changed: time())
    let identity = SidecarIdentity(
      version: version, contentDigest: cursor.bytes(SHA256.byteCount))
    guard let unit = Unit(rawValue: cursor.integer(1)) else {
      throw .damaged("its points lead to unknown units")
    }
    self.init(
      identity: identity, unit: unit, unitCount: cursor.integer(4), spacing: cursor.integer(4),
      start: cursor.integer(8),
      end: cursor.integer(8), payloadCount: cursor.integer(8),
      payloadDigest: cursor.bytes(SHA256.byteCount))
    guard isConsistent else { throw .damaged("its parts contradict each other") }
  }
}

/// The identity of the indexed file.
struct SidecarIdentity: Sendable, Hashable {
  /// The version of the settled file before its first byte was read, without the device.
  ///
  /// Each client of a network file system has a different number for the same device. To be
  /// mistaken for this file, another file at its path would need the same inode number, length and
  /// times to the nanosecond.
  let version: FileVersion
  /// The SHA-256 of the picture's whole file.
  let contentDigest: [UInt8]

  init(version: FileVersion, contentDigest: [UInt8]) {
    (self.version, self.contentDigest) = (version.withoutDevice, contentDigest)
  }

  /// Compares the version of a picture on a server, whose content is not fetched to be hashed.
  /// - Throws: `stale` when it differs.
  func assertSame(as served: RemoteVersion) throws(SidecarRefusal) {
    guard served.isIndexed(as: version) else {
      throw .stale("the server has another version of the picture")
    }
  }

  /// Compares a picture's local file with the indexed file.
  ///
  /// The same version means the same content, because only settled files are indexed. Otherwise, as
  /// for copied or touched files, the content is hashed.
  /// - Throws: `stale` when it differs or cannot be read.
  func assertSame(as file: FileReader) throws(SidecarRefusal) {
    if file.version.withoutDevice == version { return }
    guard file.length == version.length else {
      throw .stale("the picture has \(file.length) bytes, not \(version.length)")
    }
    let digest: [UInt8]
    do { digest = try SHA256.digest(of: file) } catch { throw .stale(error.reason) }
    guard digest == contentDigest else { throw .stale("the picture's content differs") }
    // The file that was read must still be the one at its path.
    guard (try? FileVersion(of: file.path)) == file.version else {
      throw .stale("the picture changed just now")
    }
  }
}
