/// The header of a JPEG's sidecar; see Documentation/SeekIndexFormat.md for layout and reasons.
struct SidecarHeader: Sendable, Hashable {
  struct Frame: Sendable, Hashable {
    /// In pixels, before orientation.
    let width: Int
    let height: Int
    /// The number of MCUs between restart markers; 0 without restart markers.
    let restartInterval: Int
    /// The sampling factors of each component, horizontal * 16 + vertical, as in SOF.
    let factors: [UInt8]
  }

  /// The only version of the format that is written and read.
  static let formatVersion = 3
  static let magic = Array("ZIDX".utf8)
  static let byteCount = SidecarIdentity.byteCount + 75
  /// The length of an entry of a page or a block: its first bit position and its digest.
  static let entryByteCount = 6 + digestByteCount
  /// Half a SHA-256: finding other bytes with the same digest is as hard as guessing a 128-bit key.
  static let digestByteCount = 16
  /// The number of blocks whose entries are read and checked together.
  static let blocksPerPage = 256

  let identity: SidecarIdentity
  let frame: Frame
  let mcuCount: Int
  let spacing: Int
  /// The offset of the first coded byte in the payload, or in the picture's file if there is none.
  let codedStart: Int
  /// The offset of the marker that ends the coded data.
  let scanEnd: Int
  /// The length of the payload; 0 if the points refer to the picture's file.
  let payloadCount: Int
  /// The SHA-256 of the payload; zeros if there is none.
  let payloadDigest: [UInt8]

  var version: FileVersion { identity.version }
  var contentDigest: [UInt8] { identity.contentDigest }

  /// Whether the fields are consistent, and each is in its range.
  var isConsistent: Bool {
    let streamLength = payloadCount > 0 ? payloadCount : version.length
    let numbers = 1...Int(UInt32.max)
    return (1...0xFFFF).contains(frame.width) && (1...0xFFFF).contains(frame.height)
      && (0...0xFFFF).contains(frame.restartInterval) && (1...4).contains(frame.factors.count)
      && frame.factors.allSatisfy { (1...4).contains($0 >> 4) && (1...4).contains($0 & 15) }
      && numbers.contains(mcuCount) && numbers.contains(spacing)
      && [version.modified, version.changed].allSatisfy { $0.nanoseconds < 1_000_000_000 }
      // The end marker takes two bytes.
      && 0 <= codedStart && codedStart < scanEnd && scanEnd <= SeekIndex.greatestOffset
      && streamLength >= 2 && scanEnd <= streamLength - 2
      && version.length >= 0 && (0...SeekIndex.greatestOffset).contains(payloadCount)
      && payloadDigest.contains { $0 != 0 } == (payloadCount > 0)
  }

  var recordSize: Int { SeekIndex.recordSize(frame.factors.count) }
  var pointCount: Int { (mcuCount - 1) / spacing + 1 }
  var blockCount: Int { (pointCount - 1) / SeekIndex.pointsPerBlock + 1 }
  var pageCount: Int { (blockCount - 1) / Self.blocksPerPage + 1 }
  /// The offset of the tag, which covers everything before it.
  var tagOffset: Int { Self.byteCount + pageCount * Self.entryByteCount }
  var tableOffset: Int { tagOffset + SidecarKey.tagByteCount }
  var recordsOffset: Int { tableOffset + blockCount * Self.entryByteCount }
  var payloadOffset: Int { recordsOffset + pointCount * recordSize }
  /// The length of the sidecar; the sum of 32-bit counts, times 36 at most, cannot overflow.
  var fileByteCount: Int { payloadOffset + payloadCount }
}

extension SidecarHeader {
  func encoded(with key: SidecarKey) -> [UInt8] {
    var bytes = identity.encoded(
      magic: Self.magic, formatVersion: Self.formatVersion, key: key)
    bytes.append(frame.width, byteCount: 2)
    bytes.append(frame.height, byteCount: 2)
    bytes.append(frame.restartInterval, byteCount: 2)
    bytes.append(frame.factors.count, byteCount: 1)
    bytes += frame.factors + [UInt8](repeating: 0, count: 4 - frame.factors.count)
    bytes.append(mcuCount, byteCount: 4)
    bytes.append(spacing, byteCount: 4)
    for number in [codedStart, scanEnd, payloadCount] { bytes.append(number, byteCount: 8) }
    return bytes + payloadDigest
  }

  /// Reads the header of a sidecar.
  /// - Throws: `damaged`, `version`, or `notOurs` for a different key.
  init(_ bytes: [UInt8], key: SidecarKey) throws(SidecarRefusal) {
    let identity = try SidecarIdentity(
      bytes, magic: Self.magic, formatVersion: Self.formatVersion, key: key)
    guard bytes.count >= Self.byteCount else { throw .damaged("it is cut off") }
    var cursor = ByteCursor(bytes: bytes, position: SidecarIdentity.byteCount)
    let (width, height, restartInterval) = (cursor.integer(2), cursor.integer(2), cursor.integer(2))
    let (count, factors) = (cursor.integer(1), cursor.bytes(4))
    let frame = Frame(
      width: width, height: height, restartInterval: restartInterval,
      factors: Array(factors.prefix(count)))
    self.init(
      identity: identity, frame: frame, mcuCount: cursor.integer(4),
      spacing: cursor.integer(4), codedStart: cursor.integer(8), scanEnd: cursor.integer(8),
      payloadCount: cursor.integer(8), payloadDigest: cursor.bytes(SHA256.byteCount))
    guard frame.factors.count == count, factors.dropFirst(count).allSatisfy({ $0 == 0 }),
      isConsistent
    else { throw .damaged("its parts contradict each other") }
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
