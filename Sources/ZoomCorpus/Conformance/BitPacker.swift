/// Writes bits into bytes, the most significant or the least significant bit first.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private let isLeastFirst: Bool
  private var count = 0

  init(leastFirst: Bool = false) { isLeastFirst = leastFirst }

  /// Returns values of `length` bits each, the most significant bit first.
  static func packed(_ values: [UInt8], _ length: Int) -> [UInt8] {
    var bits = BitPacker()
    for value in values { bits.append(Int(value), length) }
    return bits.bytes
  }

  /// Appends the lowest `length` bits of a value.
  mutating func append(_ value: Int, _ length: Int) {
    for place in 0..<length {
      if count == 0 { bytes.append(0) }
      let bit = value >> (isLeastFirst ? place : length - 1 - place) & 1
      bytes[bytes.count - 1] |= UInt8(bit) << (isLeastFirst ? count : 7 - count)
      count = (count + 1) % 8
    }
  }

  /// Appends a Huffman code, whose most significant bit comes first in either order.
  mutating func append(code: Int, _ length: Int) {
    for place in (0..<length).reversed() { append(code >> place & 1, 1) }
  }

  /// Appends bytes after the current one.
  mutating func append(whole more: [UInt8]) {
    count = 0
    bytes += more
  }
}
