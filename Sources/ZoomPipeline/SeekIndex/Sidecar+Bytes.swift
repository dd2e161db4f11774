extension Sidecar {
  /// The version that is written, and the only one that is read.
  static let version = 2
  /// The bytes before the first point.
  static let headerByteCount = 223

  static let magic = Array("ZIDX".utf8)

  /// The length of the file that `encoded(with:)` gives.
  var encodedByteCount: Int {
    Self.headerByteCount + index.records.count + (payload?.count ?? 0) + SidecarKey.tagByteCount
  }

  /// Writes the file's bytes.
  /// - Parameter key: the secret for the tag.
  /// - Returns: all of the file.
  func encoded(with key: SidecarKey) -> [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(encodedByteCount)
    bytes.append(Self.version, byteCount: 4)
    bytes.append(encodedByteCount, byteCount: 8)
    bytes += key.fingerprint
    append(identity, to: &bytes)
    bytes.append(frame.width, byteCount: 2)
    bytes.append(frame.height, byteCount: 2)
    bytes.append(frame.restartInterval, byteCount: 2)
    bytes.append(frame.factors.count, byteCount: 1)
    bytes += frame.factors + [UInt8](repeating: 0, count: 4 - frame.factors.count)
    bytes.append(index.mcuCount, byteCount: 4)
    bytes.append(index.spacing, byteCount: 4)
    bytes.append(index.pointCount, byteCount: 4)
    bytes.append(index.codedStart ?? 0, byteCount: 8)
    bytes.append(index.scanEnd, byteCount: 8)
    bytes.append(payload?.count ?? 0, byteCount: 8)
    bytes += index.records
    bytes += payload ?? []
    return bytes + key.tag(of: bytes[...])
  }

  private func append(_ identity: SidecarIdentity, to bytes: inout [UInt8]) {
    let version = identity.version
    bytes.append(identity.length, byteCount: 8)
    bytes.append(identity.headerLength, byteCount: 8)
    bytes += identity.headerDigest + identity.sampleDigest + identity.contentDigest
    bytes.append(Int(truncatingIfNeeded: version.device), byteCount: 8)
    bytes.append(Int(truncatingIfNeeded: version.inode), byteCount: 8)
    for time in [version.modified, version.changed] {
      bytes.append(time.seconds, byteCount: 8)
      bytes.append(time.nanoseconds, byteCount: 4)
    }
  }

  /// Reads a file's bytes; whatever they are, it is a refusal or what a writer of ours left behind.
  /// - Parameters:
  ///   - bytes: all of the file.
  ///   - key: the secret that it must have been tagged with.
  /// - Throws: `SidecarRefusal`: `damaged`, `notOurs` or `version`.
  init(_ bytes: [UInt8], key: SidecarKey) throws(SidecarRefusal) {
    var reader = SidecarReader(bytes)
    guard try reader.bytes(4) == Self.magic else {
      throw .damaged("it does not begin with \"ZIDX\"")
    }
    let version = try reader.integer(4)
    guard version == Self.version else { throw .version(version) }
    guard try reader.integer(8) == bytes.count,
      bytes.count >= Self.headerByteCount + SidecarKey.tagByteCount
    else { throw .damaged("it is cut off, or something was appended") }
    guard try reader.bytes(SidecarKey.fingerprintByteCount) == key.fingerprint else {
      throw .notOurs("it was written with another key")
    }
    let end = bytes.count - SidecarKey.tagByteCount
    // All 32 bytes are compared, so that the time tells nobody how many were right.
    let difference = zip(key.tag(of: bytes[..<end]), bytes[end...]).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0 else {
      throw .damaged("its tag does not match")
    }
    let identity = try reader.identity()
    let frame = try reader.frame()
    let (index, payloadCount) = try reader.index(componentCount: frame.factors.count)
    let payload = payloadCount == 0 ? nil : try reader.bytes(payloadCount)
    guard reader.position == end,
      let sidecar = Sidecar(identity: identity, frame: frame, index: index, payload: payload)
    else { throw .damaged("its parts contradict each other") }
    self = sidecar
  }
}

/// Takes a sidecar's bytes apart; every number is checked before it is used.
private struct SidecarReader {
  private let all: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { all = bytes }

  mutating func bytes(_ count: Int) throws(SidecarRefusal) -> [UInt8] {
    guard count >= 0, count <= all.count - position else {
      throw .damaged("it ends inside its contents")
    }
    defer { position += count }
    return Array(all[position..<position + count])
  }

  /// A number without a sign, of at most 8 bytes, that fits an `Int`.
  mutating func integer(_ byteCount: Int) throws(SidecarRefusal) -> Int {
    guard let number = Int(exactly: try bits(byteCount)) else {
      throw .damaged("a number in it is too large")
    }
    return number
  }

  private mutating func bits(_ byteCount: Int) throws(SidecarRefusal) -> UInt64 {
    try bytes(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func time() throws(SidecarRefusal) -> FileVersion.Moment {
    let seconds = Int(truncatingIfNeeded: try bits(8))
    let nanoseconds = try integer(4)
    guard nanoseconds < 1_000_000_000 else { throw .damaged("a time in it is none") }
    return FileVersion.Moment(seconds: seconds, nanoseconds: nanoseconds)
  }

  mutating func identity() throws(SidecarRefusal) -> SidecarIdentity {
    let length = try integer(8)
    let headerLength = try integer(8)
    let header = try bytes(SHA256.byteCount)
    let samples = try bytes(SHA256.byteCount)
    let content = try bytes(SHA256.byteCount)
    let device = try bits(8)
    let inode = try bits(8)
    let modified = try time()
    let changed = try time()
    return SidecarIdentity(
      version: FileVersion(
        device: device, inode: inode, length: length, modified: modified, changed: changed),
      headerLength: headerLength, headerDigest: header, sampleDigest: samples,
      contentDigest: content)
  }

  mutating func frame() throws(SidecarRefusal) -> Sidecar.Frame {
    let width = try integer(2)
    let height = try integer(2)
    let restartInterval = try integer(2)
    let count = try integer(1)
    let factors = try bytes(4)
    guard width > 0, height > 0, (1...4).contains(count),
      factors.prefix(count).allSatisfy({ (1...4).contains($0 >> 4) && (1...4).contains($0 & 15) }),
      factors.dropFirst(count).allSatisfy({ $0 == 0 })
    else { throw .damaged("its frame is none") }
    return Sidecar.Frame(
      width: width, height: height, restartInterval: restartInterval,
      factors: Array(factors.prefix(count)))
  }

  mutating func index(
    componentCount: Int
  ) throws(SidecarRefusal) -> (SeekIndex, payloadCount: Int) {
    let mcuCount = try integer(4)
    let spacing = try integer(4)
    let pointCount = try integer(4)
    let start = try integer(8)
    let end = try integer(8)
    let payloadCount = try integer(8)
    // 32 bits times at most 14: no overflow.
    let records = try bytes(pointCount * SeekIndex.recordSize(componentCount))
    guard
      let index = SeekIndex(
        spacing: spacing, componentCount: componentCount, mcuCount: mcuCount, codedStart: start,
        scanEnd: end, records: records), index.pointCount == pointCount
    else { throw .damaged("its points contradict each other") }
    return (index, payloadCount)
  }
}

extension [UInt8] {
  /// Appends a number's low bytes, the lowest first.
  fileprivate mutating func append(_ number: Int, byteCount: Int) {
    for place in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }
}
