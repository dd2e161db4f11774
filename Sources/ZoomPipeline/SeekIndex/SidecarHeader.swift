/// What a sidecar says of its picture and of itself, before the points.
///
/// Documentation/SeekIndexFormat.md has the layout of the file and the reasons for it.
struct SidecarHeader: Sendable, Hashable {
  /// The size and structure of the picture, as its headers have them.
  struct Frame: Sendable, Hashable {
    /// In pixels, before orientation.
    let width: Int
    let height: Int
    /// MCUs between restart markers; 0 without.
    let restartInterval: Int
    /// A component's sampling factors, horizontal * 16 + vertical, as in SOF.
    let factors: [UInt8]
  }

  /// The version of the format that is written, and the only one that is read.
  static let formatVersion = 3
  static let magic = Array("ZIDX".utf8)
  /// The bytes before the pages' entries.
  static let byteCount = SidecarIdentity.byteCount + 75
  /// The bytes of an entry, of a page or a block: the place of its first bit, and its digest.
  static let entryByteCount = 6 + digestByteCount
  /// Half a SHA-256: to find other bytes for it is as hard as to guess a key of 128 bits.
  static let digestByteCount = 16
  /// Blocks whose entries are read and checked together.
  static let blocksPerPage = 256

  /// The picture that it was made of.
  let identity: SidecarIdentity
  let frame: Frame
  let mcuCount: Int
  /// MCUs from one point to the next.
  let spacing: Int
  /// The offset of the first coded byte in the stream that the points lead into.
  let codedStart: Int
  /// The offset of the marker that ends its coded data.
  let scanEnd: Int
  /// Bytes of the payload; 0: the points lead into the picture's file.
  let payloadCount: Int
  /// SHA-256 of the payload; zeros without one.
  let payloadDigest: [UInt8]

  var version: FileVersion { identity.version }
  var contentDigest: [UInt8] { identity.contentDigest }

  /// Whether the parts agree with each other, and every number is what its place can hold.
  var isConsistent: Bool {
    let streamLength = payloadCount > 0 ? payloadCount : version.length
    let numbers = 1...Int(UInt32.max)
    return (1...0xFFFF).contains(frame.width) && (1...0xFFFF).contains(frame.height)
      && (0...0xFFFF).contains(frame.restartInterval) && (1...4).contains(frame.factors.count)
      && frame.factors.allSatisfy { (1...4).contains($0 >> 4) && (1...4).contains($0 & 15) }
      && numbers.contains(mcuCount) && numbers.contains(spacing)
      && [version.modified, version.changed].allSatisfy { $0.nanoseconds < 1_000_000_000 }
      // The end marker itself takes two bytes.
      && 0 <= codedStart && codedStart < scanEnd && scanEnd <= SeekIndex.greatestOffset
      && streamLength >= 2 && scanEnd <= streamLength - 2
      && version.length >= 0 && (0...SeekIndex.greatestOffset).contains(payloadCount)
      && payloadDigest.contains { $0 != 0 } == (payloadCount > 0)
  }

  var recordSize: Int { SeekIndex.recordSize(frame.factors.count) }
  var pointCount: Int { (mcuCount - 1) / spacing + 1 }
  var blockCount: Int { (pointCount - 1) / SeekIndex.pointsPerBlock + 1 }
  var pageCount: Int { (blockCount - 1) / Self.blocksPerPage + 1 }
  /// Where the tag stands: behind all that it covers, which is the header and the pages' entries.
  var tagOffset: Int { Self.byteCount + pageCount * Self.entryByteCount }
  var tableOffset: Int { tagOffset + SidecarKey.tagByteCount }
  var recordsOffset: Int { tableOffset + blockCount * Self.entryByteCount }
  var payloadOffset: Int { recordsOffset + pointCount * recordSize }
  /// The bytes of the whole sidecar.
  ///
  /// No sum here overflows: counts of 32 bits, times 36 at most.
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

  /// Reads the header at the beginning of a sidecar; whatever the bytes are, it is a refusal or what a
  /// writer of ours left behind.
  /// - Throws: `damaged`, `version`, or `notOurs` for another key's.
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
  /// Appends a number's low bytes, the lowest first.
  mutating func append(_ number: Int, byteCount: Int) {
    for place in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }

  /// Writes a number over the bytes at an offset, as `append` does.
  mutating func write(_ number: Int, at offset: Int, byteCount: Int) {
    for place in 0..<byteCount {
      self[offset + place] = UInt8(truncatingIfNeeded: number >> (8 * place))
    }
  }

  /// The number that `append` or `write` put there.
  func integer(at offset: Int, byteCount: Int) -> Int {
    var number = 0
    for place in 0..<byteCount { number |= Int(self[offset + place]) << (8 * place) }
    return number
  }
}
