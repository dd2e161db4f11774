internal import ZoomGeometry
internal import ZoomPipeline

/// A 64-bit checksum by which the answers of two builds are compared sample by sample.
///
/// A cryptographic digest of a large peek takes longer than the peek. Nobody chooses pixels here
/// to deceive: two answers that differ agree by accident once in 2^64 times, and wherever exactness
/// is to be proved, bytes are compared. Each word is mixed in and multiplied by an odd number,
/// which is one to one, so a single changed word always shows.
enum PixelChecksum {
  /// Sixteen hexadecimal digits for some rows of an answer.
  static func of(_ pixels: Pixels, rows: Range<Int>) -> String {
    // The shape comes first, so that 2x8 and 4x4 of the same bytes differ.
    var hash = 0x9E37_79B9_7F4A_7C15 as UInt64
    for number in [pixels.size.width, rows.count, pixels.bands] {
      hash = mix(hash, UInt64(number))
    }
    let stride = pixels.size.width * pixels.bands * pixels.format.byteCount
    pixels.bytes.withUnsafeBytes { all in
      let bytes = UnsafeRawBufferPointer(
        rebasing: all[rows.lowerBound * stride..<rows.upperBound * stride])
      let whole = bytes.count / 8 * 8
      for offset in Swift.stride(from: 0, to: whole, by: 8) {
        hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      for byte in bytes[whole...] { hash = mix(hash, UInt64(byte)) }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
    return product ^ (product >> 32)
  }
}
