package import PropertyTesting

/// Codings of a TIFF's strips, each in the simplest form that decoders accept.
package enum TIFFCoding: Int, Sendable, CaseIterable {
  case none = 1
  case fax = 2
  case group3 = 3
  case group4 = 4
  case lzw = 5
  case deflate = 8
  case faxWords = 32771
  case packBits = 32773
  case zstd = 50000

  /// Whether the coding is for pictures of one bit per pixel.
  package var isFax: Bool { [.fax, .group3, .group4, .faxWords].contains(self) }

  /// Returns a coded strip of noise.
  package func coded(
    rows: Int, of rowByteCount: Int, width: Int, _ random: inout SplitMix64
  ) -> [UInt8] {
    if isFax { return fax(rows: rows, width: width, &random) }
    var plain: [UInt8] = []
    plain.reserveCapacity(rows * rowByteCount)
    while plain.count < rows * rowByteCount {
      withUnsafeBytes(of: random.next()) { plain += $0 }
    }
    plain.removeLast(plain.count - rows * rowByteCount)
    switch self {
    case .lzw: return Self.lzw(plain)
    case .deflate: return Self.deflate(plain)
    case .packBits:
      // Each row is coded separately, as TIFF 6.0 requires.
      return stride(from: 0, to: plain.count, by: rowByteCount).flatMap { row in
        Self.packed(plain[row..<row + rowByteCount])
      }
    case .zstd: return Self.zstd(plain)
    default: return plain
    }
  }

  /// Returns PackBits data of literal runs.
  static func packed(_ row: ArraySlice<UInt8>) -> [UInt8] {
    stride(from: row.startIndex, to: row.endIndex, by: 128).flatMap { start in
      let part = row[start..<min(start + 128, row.endIndex)]
      return [UInt8(part.count - 1)] + part
    }
  }

  /// Returns LZW data of nine-bit literals, with a Clear code before codes would need ten bits.
  private static func lzw(_ plain: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    for (place, byte) in plain.enumerated() {
      if place.isMultiple(of: 200) { bits.append(256, 9) }
      bits.append(Int(byte), 9)
    }
    bits.append(257, 9)
    return bits.finished
  }

  /// Returns a zlib stream of stored blocks (RFC 1951).
  private static func deflate(_ plain: [UInt8]) -> [UInt8] {
    var coded: [UInt8] = [0x78, 0x01]
    var (one, two) = (1, 0)
    for byte in plain {
      one = (one + Int(byte)) % 65521
      two = (two + one) % 65521
    }
    for start in stride(from: 0, to: plain.count, by: 65535) {
      let part = plain[start..<min(start + 65535, plain.count)]
      let length = UInt16(part.count)
      coded.append(part.endIndex == plain.count ? 1 : 0)
      coded += [UInt8(length & 255), UInt8(length >> 8)]
      coded += [UInt8(~length & 255), UInt8(~length >> 8)]
      coded += part
    }
    return coded + [UInt8(two >> 8), UInt8(two & 255), UInt8(one >> 8), UInt8(one & 255)]
  }

  /// Returns a Zstandard frame (RFC 8878) of raw blocks.
  static func zstd(_ plain: [UInt8]) -> [UInt8] {
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var coded: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + little(plain.count, 4)
    for start in stride(from: 0, to: plain.count, by: 1 << 16) {
      let part = plain[start..<min(start + 1 << 16, plain.count)]
      coded += little(part.count << 3 | (part.endIndex == plain.count ? 1 : 0), 3) + part
    }
    return coded
  }

  // MARK: Fax

  /// Codes of white and black runs of 1 to 4 pixels (ITU-T T.4, table 2).
  private static let white = [(0b000111, 6), (0b0111, 4), (0b1000, 4), (0b1011, 4)]
  private static let black = [(0b010, 3), (0b11, 2), (0b10, 2), (0b011, 3)]

  /// Returns rows of short runs; each row begins with white.
  private func fax(rows: Int, width: Int, _ random: inout SplitMix64) -> [UInt8] {
    var bits = BitWriter()
    for _ in 0..<rows {
      if self == .group3 { bits.append(1, 12) }
      var (done, isWhite) = (0, true)
      while done < width {
        let run = min(Int.random(in: 1...4, using: &random), width - done)
        if self == .group4, isWhite { bits.append(1, 3) }
        let code = (isWhite ? Self.white : Self.black)[run - 1]
        bits.append(code.0, code.1)
        done += run
        // Group 4 runs come in pairs, so an empty black run follows.
        if self == .group4, isWhite, done == width { bits.append(0b0000110111, 10) }
        isWhite.toggle()
      }
      if self == .fax { bits.align(8) }
      if self == .faxWords { bits.align(16) }
    }
    if self == .group4 {
      bits.append(1, 12)
      bits.append(1, 12)
    }
    return bits.finished
  }
}

/// Writes bits, the most significant first.
struct BitWriter {
  private var bytes: [UInt8] = []
  private var count = 0

  mutating func append(_ value: Int, _ length: Int) {
    for place in (0..<length).reversed() {
      if count.isMultiple(of: 8) { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> place & 1) << (7 - count % 8)
      count += 1
    }
  }

  mutating func align(_ length: Int) {
    while !count.isMultiple(of: length) { append(0, 1) }
  }

  var finished: [UInt8] { bytes }
}
