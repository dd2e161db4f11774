internal import CZlib

/// Writes xz files of uncompressed LZMA2 chunks, the plainest form that liblzma reads.
enum XZWriter {
  static func coded(_ plain: [UInt8]) -> [UInt8] {
    // Version 0, and CRC-32 as the check.
    let flags: [UInt8] = [0, 1]
    var file: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0] + flags + Self.sum(flags)
    // One filter, LZMA2 with a dictionary of 64 KB; the header's size is counted in words.
    let header: [UInt8] = [2, 0, 0x21, 1, 8, 0, 0, 0]
    var block = header + Self.sum(header)
    for start in stride(from: 0, to: plain.count, by: 1 << 16) {
      let part = plain[start..<min(start + 1 << 16, plain.count)]
      block += [start == 0 ? 1 : 2, UInt8((part.count - 1) >> 8), UInt8((part.count - 1) & 255)]
      block += part
    }
    block.append(0)
    let unpadded = block.count + 4
    file += Self.padded(block) + Self.sum(plain)
    var index = Self.padded([0, 1] + Self.variable(unpadded) + Self.variable(plain.count))
    index += Self.sum(index)
    let footer = Self.little(index.count / 4 - 1) + flags
    return file + index + Self.sum(footer) + footer + [0x59, 0x5A]
  }

  private static func sum(_ bytes: [UInt8]) -> [UInt8] {
    little(Int(bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }))
  }

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Returns a number as a sequence of 7-bit groups, the lowest first.
  private static func variable(_ number: Int) -> [UInt8] {
    number < 128
      ? [UInt8(number)] : [UInt8(number & 127) | 128] + variable(number >> 7)
  }
}
