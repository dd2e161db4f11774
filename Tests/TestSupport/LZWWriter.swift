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
