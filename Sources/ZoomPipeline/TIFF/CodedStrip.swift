/// What a strip says of itself where it is a picture of another format.
enum CodedStrip {
  /// The size that the frame header of a JPEG has; nil where there is none that can be trusted.
  ///
  /// libjpeg keeps tables from one strip to the next, so a strip without any has those of the file, or
  /// may have those of a strip before.
  static func jpegSize(
    _ bytes: ArraySlice<UInt8>, hasTables: Bool
  ) -> (width: Int, height: Int)? {
    func number(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    var at = bytes.startIndex
    guard bytes.count >= 4, number(at) == 0xFFD8 else { return nil }
    at += 2
    var size: (width: Int, height: Int)?
    var (hasQuantization, hasHuffman) = (hasTables, hasTables)
    while bytes.endIndex - at >= 4, bytes[at] == 0xFF {
      let (marker, length) = (bytes[at + 1], number(at + 2))
      guard length >= 2, length <= bytes.endIndex - at - 2 else { return nil }
      switch marker {
      // Baseline, extended, progressive: the kinds that libjpeg decodes, and with arithmetic coding.
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
        guard size == nil, length >= 7 else { return nil }
        size = (number(at + 7), number(at + 5))
        if marker >= 0xC9 { hasHuffman = true }
      case 0xC4: hasHuffman = true
      case 0xDB: hasQuantization = true
      case 0xDA: return hasQuantization && hasHuffman ? size : nil
      default: break
      }
      at += 2 + length
    }
    return nil
  }

  /// The size of a WebP (RFC 9649, 2.5 to 2.7); nil where it cannot be found.
  static func webpSize(_ bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let bytes = Array(bytes.prefix(30))
    guard bytes.count == 30, bytes.starts(with: Array("RIFF".utf8)),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    else { return nil }
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ": return (number(26, 2) & 0x3FFF, number(28, 2) & 0x3FFF)
    case "VP8L": return (number(21, 4) & 0x3FFF + 1, number(21, 4) >> 14 & 0x3FFF + 1)
    case "VP8X": return (number(24, 3) + 1, number(27, 3) + 1)
    default: return nil
    }
  }
}
