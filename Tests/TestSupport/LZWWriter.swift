/// Writes the LZW of TIFF (TIFF 6.0, section 13).
enum LZWWriter {
  /// Codes bytes as strings; clears the table when it is full or after `most` codes.
  static func coded(_ plain: [UInt8], clearingAfter most: Int) -> [UInt8] {
    var bits = BitWriter()
    var table: [Int: Int] = [:]
    var (next, width, codes) = (258, 9, 0)
    func clear() {
      bits.append(256, width)
      table = [:]
      (next, width, codes) = (258, 9, 0)
    }
    clear()
    var string: Int?
    for byte in plain {
      guard let prefix = string else {
        string = Int(byte)
        continue
      }
      let key = prefix << 8 | Int(byte)
      if let code = table[key] {
        string = code
        continue
      }
      bits.append(prefix, width)
      codes += 1
      table[key] = next
      next += 1
      if next == 1 << width { width += 1 }
      if next == 4095 || codes >= most { clear() }
      string = Int(byte)
    }
    if let string {
      bits.append(string, width)
      next += 1
      if next == 1 << width, width < 12 { width += 1 }
    }
    bits.append(257, width)
    return bits.finished
  }
}

/// Writes bits, the most significant first.
struct BitWriter {
  private(set) var finished: [UInt8] = []
  private var count = 0

  mutating func append(_ value: Int, _ length: Int) {
    for place in (0..<length).reversed() {
      if count.isMultiple(of: 8) { finished.append(0) }
      finished[finished.count - 1] |= UInt8(value >> place & 1) << (7 - count % 8)
      count += 1
    }
  }

  mutating func align(_ length: Int) {
    while !count.isMultiple(of: length) { append(0, 1) }
  }
}
