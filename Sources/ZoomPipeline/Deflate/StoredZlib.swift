internal import CZlib

extension ArraySlice<UInt8> {
  /// A zlib stream that holds the bytes as they are, in stored blocks (RFC 1950; RFC 1951, 3.2.4).
  var storedZlib: [UInt8] {
    var data: [UInt8] = [0x78, 0x01]
    data.reserveCapacity(count + count / 1000 + 16)
    for start in stride(from: startIndex, to: endIndex, by: 0xFFFF) {
      let block = self[start..<Swift.min(start + 0xFFFF, endIndex)]
      data.append(block.endIndex == endIndex ? 1 : 0)
      data.append(block.count, byteCount: 2)
      data.append(~block.count, byteCount: 2)
      data += block
    }
    let sum = unsafe withUnsafeBufferPointer { unsafe adler32_z(1, $0.baseAddress, $0.count) }
    for shift in [24, 16, 8, 0] { data.append(UInt8(truncatingIfNeeded: sum >> UInt(shift))) }
    return data
  }
}
