/// Writes samples, one array a launch, in few bytes and reads them back exactly.
///
/// Format 1: the byte 1; the number of launches; for each its number of samples, then each sample
/// as the difference from the one before (from zero at first, across launches, modulo 2^64);
/// last, as four bytes from the lowest, the CRC-32 of all before. Numbers are LEB128, differences
/// zigzag (Protocol Buffers, "Encoding"), so that samples that are alike take two or three bytes
/// instead of eight.
package enum SampleCodec {
  static let format: UInt8 = 1
  static let checksumLength = 4

  /// Writes samples; there is one way to write each.
  package static func encode(_ launches: [[UInt64]]) -> [UInt8] {
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
}
