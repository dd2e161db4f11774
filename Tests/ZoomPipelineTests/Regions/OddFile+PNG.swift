import TestSupport

extension OddFile {
  private static let rgb = RandomPNG.Kind(colourType: 2, depth: 8)

  /// PNGs with bytes after the pixels, and with damage that libvips reports.
  static let pngs: [OddFile] = [
    // Bytes after the checksum, for which libpng gives a warning.
    png("bytes after the checksum") { $0.stream += [1, 2, 3] },
    png("a row too many") { $0.stream = RandomPNG(rgb, width: 40, height: 51, seed: 6).stream },
    // The CRC of the only IDAT is before IEND's twelve bytes.
    png("a wrong CRC", isDamaged: true, edit: { $0[$0.count - 13] ^= 1 }),
    png("a wrong Adler-32", isDamaged: true) { $0.stream[$0.stream.count - 1] ^= 1 },
    png("an unknown filter", isDamaged: true) {
      $0.stream = stored($0.raster.enumerated().map { $0 == 121 * 20 ? 9 : $1 })
    },
    png("an unknown type of block", isDamaged: true) { $0.stream = [0x78, 0x01, 7] },
    png("a stored block of a wrong length", isDamaged: true) {
      $0.stream = stored($0.raster)
      $0.stream[3] ^= 1
    },
    // A fixed block that begins with a match although no byte precedes it.
    png("a distance that is too far", isDamaged: true) {
      $0.stream = [0x78, 0x01, 0b0000_0011, 0b0000_0010, 0, 0, 0, 0]
    },
    png("a wrong zlib header", isDamaged: true) { $0.stream[0] = 0x79 },
    png(
      "a PNG that is cut off", "it does not end with an IEND chunk", edit: { $0.removeLast(30) }),
    png(
      "an interlaced PNG", "it is interlaced: each of its passes covers the whole picture",
      edit: { $0.replaceSubrange(8..<33, with: RandomPNG.chunk("IHDR", Array($0[16..<28]) + [1])) }
    ),
  ]

  /// Returns a PNG with one IDAT chunk; with a `reason` if `partial` must refuse it.
  private static func png(
    _ name: String, isDamaged: Bool = false, _ reason: String? = nil,
    _ change: @escaping @Sendable (inout RandomPNG) -> Void = { _ in },
    edit: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }
  ) -> OddFile {
    OddFile(
      testDescription: name, suffix: "png", isServed: reason == nil ? nil : false, reason: reason,
      isRefusedByStore: isDamaged
    ) {
      var made = RandomPNG(rgb, width: 40, height: 50, seed: 6)
      made.cuts = []
      change(&made)
      var bytes = made.bytes
      edit(&bytes)
      return bytes
    }
  }

  /// Returns a zlib stream of one stored block with a wrong checksum.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
    return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + [0, 0, 0, 0]
  }
}
