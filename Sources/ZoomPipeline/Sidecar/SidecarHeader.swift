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
  static let formatVersion = 4
  static let magic = Array("ZIDX".utf8)
  static let byteCount = SidecarIdentity.byteCount + 65
  /// Half a SHA-256: finding other bytes with the same digest is as hard as guessing a 128-bit key.
  static let digestByteCount = 16
  /// The length of an entry of a block: its length and its digest.
  static let entryByteCount = 4 + digestByteCount
  /// The length of an entry of a page: the length of its blocks, and the digest of their entries.
  static let pageEntryByteCount = 8 + digestByteCount
  /// The number of blocks whose entries are read and checked together.
  static let blocksPerPage = 256

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
  var pageCount: Int { (blockCount - 1) / Self.blocksPerPage + 1 }
  /// The offset of the tag, which covers everything before it.
  var tagOffset: Int { Self.byteCount + pageCount * Self.pageEntryByteCount }
  var tableOffset: Int { tagOffset + SidecarKey.tagByteCount }
  /// The sum of 32-bit counts, times 24 at most, cannot overflow.
  var blocksOffset: Int { tableOffset + blockCount * Self.entryByteCount }
}

extension SidecarHeader {
  func encoded(with key: SidecarKey) -> [UInt8] {
    var bytes = identity.encoded(with: key)
    bytes.append(unit.rawValue, byteCount: 1)
    bytes.append(unitCount, byteCount: 4)
    bytes.append(spacing, byteCount: 4)
    for number in [start, end, payloadCount] { bytes.append(number, byteCount: 8) }
    return bytes + payloadDigest
  }

  /// Reads the header of a sidecar.
  /// - Throws: `damaged`, `version`, or `notOurs` for a different key.
  init(_ bytes: [UInt8], key: SidecarKey) throws(SidecarRefusal) {
    let identity = try SidecarIdentity(bytes, key: key)
    guard bytes.count >= Self.byteCount else { throw .damaged("it is cut off") }
    var cursor = ByteCursor(bytes: bytes, position: SidecarIdentity.byteCount)
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

extension [UInt8] {
  /// Appends a number's low bytes in little-endian order.
  mutating func append(_ number: Int, byteCount: Int) {
    for place in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }

  mutating func write(_ number: Int, at offset: Int, byteCount: Int) {
    for place in 0..<byteCount {
      self[offset + place] = UInt8(truncatingIfNeeded: number >> (8 * place))
    }
  }

  func integer(at offset: Int, byteCount: Int) -> Int {
    var number = 0
    for place in 0..<byteCount { number |= Int(self[offset + place]) << (8 * place) }
    return number
  }
}
