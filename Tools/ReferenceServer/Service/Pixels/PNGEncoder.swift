import CZlib
import ZoomPipeline

/// An encoder of uncompressed PNG files, which is fast enough for thousands of answers.
enum PNGEncoder {
  static func encode(_ pixels: Pixels) -> [UInt8] {
    // Colour type 2 is RGB and 0 grey; alpha adds 4 (PNG, 11.2.1).
    let colours: UInt8 = (pixels.isColour ? 2 : 0) + (pixels.hasAlpha ? 4 : 0)
    let header = bigEndian(pixels.width) + bigEndian(pixels.height) + [8, colours, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity((pixels.rowByteCount + 1) * pixels.height)
    for start in stride(from: 0, to: pixels.bytes.count, by: pixels.rowByteCount) {
      rows.append(0)
      rows += pixels.bytes[start..<start + pixels.rowByteCount]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  /// Returns a zlib stream of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var stream = [UInt8](repeating: 0, count: Int(count))
    let status = compress2(&stream, &count, bytes, UInt(bytes.count), Z_NO_COMPRESSION)
    precondition(status == Z_OK, "the buffer is as large as zlib asks for")
    return Array(stream.prefix(Int(count)))
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    let sum = checked.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
    return bigEndian(data.count) + checked + bigEndian(Int(sum))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
