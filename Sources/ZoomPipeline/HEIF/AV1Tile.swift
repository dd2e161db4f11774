internal import ZoomGeometry

/// The decoded size of an AV1 tile, read from the coded data; see `HEVCTile` for the reason.
enum AV1Tile {
  private static let sequenceHeader = 1

  /// Whether a tile is coded as a still picture of a size (AV1 specification, 5.3 to 5.5).
  ///
  /// A still picture with a reduced header, as AVIF encoders write it, has the size in its sequence
  /// header. Frames of other kinds may have different sizes.
  static func isOfSize(_ size: PixelSize, coded: [UInt8]) -> Bool {
    var reader = BoxReader(coded)
    var isSeen = false
    do throws(HEIFRefusal) {
      while !reader.isAtEnd {
        let header = try reader.number(1)
        // An extension and the unit's length may follow the header.
        if header & 4 != 0 { _ = try reader.take(1) }
        let length = try header & 2 != 0 ? codedLength(&reader) : reader.rest
        let unit = try reader.take(length)
        guard header >> 3 & 15 == sequenceHeader else { continue }
        guard stillSize(unit) == size else { return false }
        isSeen = true
      }
      return isSeen
    } catch {
      return false
    }
  }

  /// Reads a number of seven bits per byte, the lowest first (4.10.5).
  private static func codedLength(_ reader: inout BoxReader) throws(HEIFRefusal) -> Int {
    var value = 0
    for place in 0..<8 {
      let byte = try reader.number(1)
      value |= (byte & 127) << (7 * place)
      if byte & 128 == 0 { return value }
    }
    throw HEIFRefusal("one of its numbers is beyond any file")
  }

  /// Reads the size of a still picture with a reduced header (5.5.1); nil for others.
  private static func stillSize(_ unit: ArraySlice<UInt8>) -> PixelSize? {
    var reader = BitReader(unit)
    guard reader.skip(3) != nil, reader.flag() == true, reader.flag() == true,
      reader.skip(5) != nil, let widthBits = reader.number(4), let heightBits = reader.number(4),
      let width = reader.number(widthBits + 1), let height = reader.number(heightBits + 1)
    else { return nil }
    return try? PixelSize(width: width + 1, height: height + 1)
  }
}
