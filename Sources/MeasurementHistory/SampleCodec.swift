/// Encodes samples, one array per launch, compactly and losslessly.
///
/// Format 1: the byte 1; the number of launches; for each its number of samples, then each sample
/// as the difference from the one before (initially from zero, across launches, modulo 2^64);
/// last, as four bytes in little-endian order, the CRC-32 of all before. Numbers are LEB128, differences
/// zigzag (Protocol Buffers, "Encoding"), so that similar samples take two or three bytes instead of eight.
enum SampleCodec {
  static let format: UInt8 = 1
  static let checksumLength = 4

  /// Encodes samples; the encoding is unique.
  static func encode(_ launches: [[UInt64]]) -> [UInt8] {
    var bytes = [format]
    append(UInt64(launches.count), to: &bytes)
    var previous: UInt64 = 0
    for launch in launches {
      append(UInt64(launch.count), to: &bytes)
      for sample in launch {
        let difference = Int64(bitPattern: sample &- previous)
        append(UInt64(bitPattern: (difference << 1) ^ (difference >> 63)), to: &bytes)
        previous = sample
      }
    }
    let checksum = CyclicChecksum.of(bytes)
    for shift in stride(from: 0, to: UInt32(8 * checksumLength), by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: checksum >> shift))
    }
    return bytes
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Decodes the output of `encode`, and refuses all other bytes.
  ///
  /// Memory is limited by the number of bytes: every launch and every sample takes at least one.
  static func decode(_ bytes: [UInt8]) throws(DamagedRow) -> [[UInt64]] {
    // At least the format and one number.
    guard bytes.count >= 2 + checksumLength else { throw DamagedRow() }
    let body = bytes.dropLast(checksumLength)
    let written = bytes.suffix(checksumLength).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard CyclicChecksum.of(body) == written else { throw DamagedRow() }
    var reader = Reader(bytes: body)
    guard bytes[0] == format else { throw DamagedRow() }
    reader.position += 1
    var launches: [[UInt64]] = []
    let launchCount = try reader.count()
    launches.reserveCapacity(launchCount)
    var previous: UInt64 = 0
    for _ in 0..<launchCount {
      let sampleCount = try reader.count()
      var launch: [UInt64] = []
      launch.reserveCapacity(sampleCount)
      for _ in 0..<sampleCount {
        let zigzag = try reader.number()
        previous &+= (zigzag >> 1) ^ (0 &- (zigzag & 1))
        launch.append(previous)
      }
      launches.append(launch)
    }
    guard reader.position == body.endIndex else { throw DamagedRow() }
    return launches
  }

  private struct Reader {
    let bytes: ArraySlice<UInt8>
    var position = 0

    /// Reads the number of following items, each of at least one byte.
    mutating func count() throws(DamagedRow) -> Int {
      let number = try number()
      guard number <= UInt64(bytes.endIndex - position) else { throw DamagedRow() }
      return Int(number)
    }

    mutating func number() throws(DamagedRow) -> UInt64 {
      var number: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 70, by: 7) {
        guard position < bytes.endIndex else { throw DamagedRow() }
        let byte = bytes[position]
        position += 1
        // The tenth byte has room for one bit; a last byte of zero would be a longer encoding of the same
        // number.
        if (shift == 63 && byte > 1) || (byte == 0 && shift > 0) { throw DamagedRow() }
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
      }
      throw DamagedRow()
    }
  }
}

/// The CRC-32 of IEEE 802.3, as in gzip (RFC 1952, section 8).
///
/// It detects every change within 32 bits, and misses one in 2^32 of the others.
enum CyclicChecksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { state, _ in
      state & 1 == 1 ? 0xEDB8_8320 ^ (state >> 1) : state >> 1
    }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { state, byte in
      table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ (state >> 8)
    }
  }
}
