/// An encoder of uncompressed PNG files, which is fast enough for thousands of answers.
enum PNGEncoder {
  static func encode(_ raster: Raster) -> [UInt8] {
    // Colour type 2 is RGB and 0 grey; alpha adds 4 (PNG, 11.2.1).
    let colours: UInt8 = (raster.isColour ? 2 : 0) + (raster.hasAlpha ? 4 : 0)
    let header =
      bigEndian(UInt32(raster.width)) + bigEndian(UInt32(raster.height)) + [8, colours, 0, 0, 0]
    let rowLength = raster.width * raster.bands
    var rows: [UInt8] = []
    rows.reserveCapacity((rowLength + 1) * raster.height)
    for row in 0..<raster.height {
      rows.append(0)
      rows += raster.samples[row * rowLength..<(row + 1) * rowLength]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  /// Returns a zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    stream.reserveCapacity(bytes.count + bytes.count / 6000 + 16)
    var start = 0
    repeat {
      let end = min(start + 65535, bytes.count)
      let count = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for number in [count, ~count] {
        stream += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    return stream + bigEndian(adler32(bytes))
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + checked + bigEndian(crc32(checked))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for start in stride(from: 0, to: bytes.count, by: 5552) {
      // The largest number of bytes for which the sums fit 32 bits.
      for byte in bytes[start..<min(start + 5552, bytes.count)] {
        low &+= UInt32(byte)
        high &+= low
      }
      (low, high) = (low % 65521, high % 65521)
    }
    return high << 16 | low
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1 }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    // A local copy, because each access to the static one costs a look-up.
    let remainders = remainders
    var rest = ~UInt32(0)
    for byte in bytes { rest = remainders[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ rest >> 8 }
    return ~rest
  }
}
