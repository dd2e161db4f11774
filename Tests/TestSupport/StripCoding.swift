package import PropertyTesting
internal import ZoomCorpus
internal import ZoomGeometry

/// Codings of strips that libtiff (4.5) reads, by their Compression values.
package enum StripCoding: Int, Sendable, CaseIterable {
  case none = 1
  case fax = 2
  case group3 = 3
  case group4 = 4
  case lzw = 5
  case jpeg = 7
  case deflate = 8
  case faxWords = 32771
  case packBits = 32773
  case oldDeflate = 32946
  case zstd = 50000

  /// The codings to draw from; deflate is the most frequent, because it has the most variants.
  static let usual: [StripCoding] =
    [
      .none, .none, .none, .lzw, .lzw, .lzw, .packBits, .zstd, .zstd, .jpeg, .jpeg,
      .fax, .group3, .group4, .faxWords, .oldDeflate,
    ] + [StripCoding](repeating: .deflate, count: 9)

  /// The codings that hold samples of any kind, or of one bit; only zlib is needed to write them.
  package static let plain: [StripCoding] = [
    .none, .fax, .group3, .group4, .lzw, .deflate, .faxWords, .packBits, .zstd,
  ]

  /// Whether the coding is for pictures of one bit per pixel.
  package var isFax: Bool { [.fax, .group3, .group4, .faxWords].contains(self) }
  var isDeflate: Bool { self == .deflate || self == .oldDeflate }
  var hasPredictor: Bool { [.lzw, .deflate, .oldDeflate, .zstd].contains(self) }
  /// Whether FillOrder applies; libtiff does not reverse the bits of a JPEG.
  var isTurnedByFillOrder: Bool { self != .jpeg }

  /// Returns a random flaw that strips of this coding can have.
  func flaw(rowBytes: Int, _ random: inout SplitMix64) -> StripFlaw {
    func number(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
    let lengths = [number(4), number(300), rowBytes, rowBytes * number(4), 1]
    let length = lengths[number(lengths.count) - 1]
    guard isDeflate else {
      let common: [StripFlaw] = [.cut(length), .surplus(length)]
      let all =
        isFax || self == .jpeg ? common : common + [.more(length), .less(length)]
      return all[number(all.count) - 1]
    }
    switch number(14) {
    case 1...3: return .more(length)
    case 4: return .less(length)
    case 5: return .cut(length)
    case 6: return .surplus(length)
    case 7...8: return .changedByte(number(1 << 20))
    case 9: return .wrongSum(bit: number(32) - 1)
    case 10...11: return .shortSum(number(4))
    case 12: return .noLastBlock
    case 13: return .reservedBlock
    default:
      let (one, two) = [(0x79, 0x9C), (0x78, 0x9D), (0x88, 0x1C), (0x78, 0xBB), (0x08, 0x1D)][
        number(5) - 1]
      return .header(UInt8(one), UInt8(two))
    }
  }

  /// Codes the samples of a strip; for fax codings `random` determines the samples.
  func coded(
    _ samples: [UInt8], rows: Int, _ layout: TIFFBytes, _ form: DeflateForm, _ flaw: StripFlaw?,
    _ clearsAfter: Int, isSubsampled: Bool, _ random: inout SplitMix64
  ) throws -> [UInt8] {
    var plain = samples
    if !isDeflate {
      if case .more(let count) = flaw { plain += [UInt8](repeating: 7, count: count) }
      if case .less(let count) = flaw { plain.removeLast(min(count, plain.count)) }
    }
    var coded =
      switch self {
      case .fax, .group3, .group4, .faxWords:
        FaxWriter(coding: self).noise(rows: rows, width: layout.width, &random)
      case .jpeg: try jpeg(plain, rows, layout, isSubsampled: isSubsampled)
      default: self.coded(plain, layout.rowByteCount, form, flaw, clearsAfter)
      }
    if case .cut(let count) = flaw { coded.removeLast(min(count, coded.count - 1)) }
    if case .surplus(let count) = flaw { coded += [UInt8](repeating: 0xA5, count: count) }
    return coded.isEmpty ? [0] : coded
  }

  private func coded(
    _ plain: [UInt8], _ rowByteCount: Int, _ form: DeflateForm, _ flaw: StripFlaw?,
    _ clearsAfter: Int
  ) -> [UInt8] {
    switch self {
    case .lzw: LZWWriter.coded(plain, clearingAfter: clearsAfter)
    case .deflate, .oldDeflate: DeflateWriter.stream(plain, form, flaw)
    // Each row is coded separately, as TIFF 6.0 requires.
    case .packBits:
      stride(from: 0, to: plain.count, by: rowByteCount).flatMap { row in
        Self.packed(plain[row..<min(row + rowByteCount, plain.count)])
      }
    case .zstd: Self.zstd(plain)
    default: plain
    }
  }

  /// Returns a coded strip of noise; only for `plain` codings.
  package func noise(
    rows: Int, of rowByteCount: Int, width: Int, _ random: inout SplitMix64
  ) -> [UInt8] {
    if isFax { return FaxWriter(coding: self).noise(rows: rows, width: width, &random) }
    var plain: [UInt8] = []
    plain.reserveCapacity(rows * rowByteCount + 8)
    while plain.count < rows * rowByteCount {
      withUnsafeBytes(of: random.next()) { plain += $0 }
    }
    plain.removeLast(plain.count - rows * rowByteCount)
    return coded(plain, rowByteCount, DeflateForm(level: 0), nil, 200)
  }

  /// Returns PackBits data of literal runs.
  private static func packed(_ row: ArraySlice<UInt8>) -> [UInt8] {
    stride(from: row.startIndex, to: row.endIndex, by: 128).flatMap { start in
      let part = row[start..<min(start + 128, row.endIndex)]
      return [UInt8(part.count - 1)] + part
    }
  }

  /// Returns a Zstandard frame (RFC 8878) of raw blocks.
  private static func zstd(_ plain: [UInt8]) -> [UInt8] {
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

  /// Returns a complete JPEG with its tables, or the samples uncoded if JPEG cannot hold them.
  private func jpeg(
    _ plain: [UInt8], _ rows: Int, _ layout: TIFFBytes, isSubsampled: Bool
  ) throws -> [UInt8] {
    let isGrey = layout.kind.samples == 1
    guard layout.kind.bits == 8, isGrey || layout.kind.samples == 3, !layout.isPlanar,
      let size = try? PixelSize(width: layout.width, height: rows),
      plain.count == size.area * layout.kind.samples
    else { return plain }
    return try JPEGEncoder.encode(
      plain, size: size,
      JPEGEncoding(
        colour: isGrey ? .gray : .yCbCr,
        sampling: isGrey
          ? nil : isSubsampled ? JPEGEncoding.Sampling.yCbCr420 : JPEGEncoding.Sampling.yCbCr444,
        quality: 80))
  }
}
