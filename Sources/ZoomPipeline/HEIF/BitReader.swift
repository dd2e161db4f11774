/// Reads bits, the highest of each byte first; returns nil after the end.
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Reads a number of 0 to 32 bits.
  mutating func number(_ count: Int) -> Int? {
    guard count <= bytes.count * 8 - position else { return nil }
    var value = 0
    for _ in 0..<count {
      let byte = bytes[bytes.startIndex + position >> 3]
      value = value << 1 | Int(byte >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

  mutating func skip(_ count: Int) -> Void? {
    guard count <= bytes.count * 8 - position else { return nil }
    position += count
    return ()
  }

  /// Reads an Exp-Golomb code of at most 32 bits (ITU-T H.265, 9.2).
  mutating func golomb() -> Int? {
    var zeros = 0
    while true {
      guard let bit = flag() else { return nil }
      if bit { break }
      zeros += 1
      guard zeros < 32 else { return nil }
    }
    return number(zeros).map { 1 << zeros - 1 + $0 }
  }
}
