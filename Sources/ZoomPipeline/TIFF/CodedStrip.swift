/// The headers of strips that are pictures of another format.
enum CodedStrip {
  struct JPEGHeader {
    let width: Int
    let height: Int
    /// Whether it defines tables, which libjpeg keeps for later strips.
    let definesTables: Bool
    /// Whether it defines all tables that it needs, so that it decodes the same after any strip.
    let isComplete: Bool
  }

  /// Reads the headers of a JPEG; nil if they are truncated or the JPEG is of another kind.
  ///
  /// Only sequential JPEGs with one scan are read: others may define tables between scans.
  static func jpegHeader(_ bytes: ArraySlice<UInt8>) -> JPEGHeader? {
    func number(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    var at = bytes.startIndex
    guard bytes.count >= 4, number(at) == 0xFFD8 else { return nil }
    at += 2
    var size: (width: Int, height: Int)?
    // The slots of the tables that components use, and of those that are defined.
    var (wantedQuantization, components) = (Set<UInt8>(), 0)
    var (quantization, huffman) = (Set<UInt8>(), Set<UInt8>())
    while bytes.endIndex - at >= 4, bytes[at] == 0xFF {
      let (marker, length) = (bytes[at + 1], number(at + 2))
      guard length >= 2, length <= bytes.endIndex - at - 2 else { return nil }
      let content = bytes[at + 4..<at + 2 + length]
      let start = content.startIndex
      switch marker {
      // Baseline and extended.
      case 0xC0, 0xC1:
        guard size == nil, content.count >= 6 else { return nil }
        size = (number(start + 3), number(start + 1))
        components = Int(content[start + 5])
        guard content.count == 6 + 3 * components else { return nil }
        wantedQuantization = Set((0..<components).map { content[start + 8 + 3 * $0] })
      case 0xC2...0xC3, 0xC5...0xCB, 0xCD...0xCF: return nil
      case 0xC4:
        guard let slots = slots(content, length: huffmanLength) else { return nil }
        huffman.formUnion(slots)
      case 0xDB:
        guard
          let slots = slots(content, length: { $0.first.map { 1 + ($0 >> 4 == 0 ? 64 : 128) } })
        else { return nil }
        quantization.formUnion(slots.map { $0 & 15 })
      case 0xDA:
        guard let size, let count = content.first, Int(count) == components,
          content.count >= 1 + 2 * components
        else { return nil }
        var wanted = Set<UInt8>()
        for place in 0..<components {
          let selector = content[start + 2 + 2 * place]
          wanted.formUnion([selector >> 4, selector & 15 | 0x10])
        }
        return JPEGHeader(
          width: size.width, height: size.height,
          definesTables: !quantization.isEmpty || !huffman.isEmpty,
          isComplete: quantization.isSuperset(of: wantedQuantization)
            && huffman.isSuperset(of: wanted))
      default: break
      }
      at += 2 + length
    }
    return nil
  }

  private static func huffmanLength(_ table: ArraySlice<UInt8>) -> Int? {
    guard table.count >= 17 else { return nil }
    return 17 + table.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
  }

  private static func slots(
    _ segment: ArraySlice<UInt8>, length: (ArraySlice<UInt8>) -> Int?
  ) -> Set<UInt8>? {
    var slots: Set<UInt8> = []
    var rest = segment
    while let slot = rest.first {
      guard let length = length(rest), length <= rest.count else { return nil }
      slots.insert(slot)
      rest = rest.dropFirst(length)
    }
    return slots
  }

  /// Returns the size of a WebP (RFC 9649, 2.5 to 2.7); nil if it cannot be found.
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

extension TIFFStrips {
  /// Reading the headers of more strips takes longer than a peek may.
  private static let mostStripsWithHeaders = 1 << 16
  /// Headers of strips without tables take some 30 bytes; longer ones are read a second time.
  private static let headBytes = [256, 1 << 16]

  /// Returns whether no JPEG strip defines tables, by the first bytes of each strip.
  ///
  /// libjpeg keeps tables from one strip to the next. So a strip that uses the file's common tables
  /// (JPEGTables) decodes the same without earlier strips only if no strip defines tables.
  func haveCommonTablesOnly(in file: FileReader) throws(PipelineError) -> Bool {
    guard stripsPerPlane <= Self.mostStripsWithHeaders,
      let places = try places(0..<stripsPerPlane, plane: 0, in: file)?.places
    else { return false }
    for place in places {
      var header: CodedStrip.JPEGHeader?
      for count in Self.headBytes where header == nil {
        header = CodedStrip.jpegHeader(
          try file.bytes(at: place.offset, count: min(count, place.count))[...])
      }
      guard let header, !header.definesTables else { return false }
    }
    return true
  }
}
