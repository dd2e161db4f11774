internal import CZlib

extension [UInt8] {
  /// Appends a zlib stream that holds data in stored blocks (RFC 1950; RFC 1951, 3.2.4).
  mutating func appendStoredZlib(of data: [UInt8]) {
    self += [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 0xFFFF) {
      let block = data[start..<Swift.min(start + 0xFFFF, data.count)]
      append(block.endIndex == data.count ? 1 : 0)
      append(block.count, byteCount: 2)
      append(~block.count, byteCount: 2)
      self += block
    }
    let sum = unsafe data.withUnsafeBufferPointer {
      unsafe adler32_z(1, $0.baseAddress, $0.count)
    }
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: sum >> UInt(shift))) }
  }
}
