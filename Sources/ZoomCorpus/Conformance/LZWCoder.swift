/// Codes the LZW of TIFF (TIFF 6.0, section 13), the most significant bit first.
package enum LZWCoder {
  private static let clear = 256
  private static let end = 257

  /// Codes bytes as strings; clears the table when it is full or after `most` codes.
  package static func coded(_ plain: [UInt8], clearingAfter most: Int = .max) -> [UInt8] {
    var bits = BitPacker()
    var table: [Int: Int] = [:]
    var (next, width, codes) = (end + 1, 9, 0)
    bits.append(clear, width)
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
      table[key] = next
      next += 1
      codes += 1
      // The width grows one code early, and the table is cleared before its last code is used.
      if next == 1 << width { width += 1 }
      if next == 4095 || codes >= most {
        bits.append(clear, width)
        (table, next, width, codes) = ([:], end + 1, 9, 0)
      }
      string = Int(byte)
    }
    if let string {
      bits.append(string, width)
      if next + 1 == 1 << width, width < 12 { width += 1 }
    }
    bits.append(end, width)
    return bits.bytes
  }
}
