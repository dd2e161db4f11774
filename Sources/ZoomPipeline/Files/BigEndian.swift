extension [UInt8] {
  /// Returns the number in four bytes, the highest first.
  func bigEndian(at offset: Int) -> Int {
    Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8
      | Int(self[offset + 3])
  }

  /// Appends a number in some bytes, the highest first.
  mutating func append(bigEndian number: Int, _ byteCount: Int) {
    for place in (0..<byteCount).reversed() {
      append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }
}
