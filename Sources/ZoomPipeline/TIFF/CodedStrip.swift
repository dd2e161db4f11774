internal import CWebP

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
    // The tables by their slots: DC from 0, AC from 16, quantization from 256.
    var (wanted, defined, components) = (Set<Int>(), Set<Int>(), 0)
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
        for place in 0..<components { wanted.insert(256 + Int(content[start + 8 + 3 * place])) }
      case 0xC2...0xC3, 0xC5...0xCB, 0xCD...0xCF: return nil
      case 0xC4, 0xDB:
        var rest = content
        while let slot = rest.first.map({ Int($0) }) {
          let isHuffman = marker == 0xC4
          let length =
            isHuffman
            ? 17 + rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            : 1 + (slot >> 4 == 0 ? 64 : 128)
          guard length <= rest.count else { return nil }
          defined.insert(isHuffman ? slot : 256 + slot & 15)
          rest = rest.dropFirst(length)
        }
      case 0xDA:
        guard let size, let count = content.first, Int(count) == components,
          content.count >= 1 + 2 * components
        else { return nil }
        for place in 0..<components {
          let selector = Int(content[start + 2 + 2 * place])
          wanted.formUnion([selector >> 4, 16 + selector & 15])
        }
        return JPEGHeader(
          width: size.width, height: size.height, definesTables: !defined.isEmpty,
          isComplete: defined.isSuperset(of: wanted))
      default: break
      }
      at += 2 + length
    }
    return nil
  }

  /// Returns the size of a WebP; nil if it cannot be found.
  static func webpSize(_ bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    var (width, height): (CInt, CInt) = (0, 0)
    let isFound = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe WebPGetInfo(bytes.baseAddress, bytes.count, &width, &height) != 0
    }
    return isFound ? (Int(width), Int(height)) : nil
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
      let places = try places(0..<stripsPerPlane, in: file)?.places
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
