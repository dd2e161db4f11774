internal import ZoomGeometry

/// The decoded size of an AV1 tile, read from the coded data; see `HEVCTile` for the reason.
enum AV1Tile {
  private static let sequenceHeader = 1

  /// Whether a tile is coded as a still picture of a size (AV1 specification, 5.3 to 5.5).
  ///
  /// A still picture with a reduced header, as AVIF encoders write it, has the size in its sequence
  /// header. Frames of other kinds may have different sizes.
  static func isOfSize(_ size: PixelSize, coded: ArraySlice<UInt8>) -> Bool {
    var rest = coded
    var isSeen = false
    while let header = rest.popFirst() {
      // An extension and the unit's length may follow the header.
      if header & 4 != 0 { guard rest.popFirst() != nil else { return false } }
      var length = rest.count
      if header & 2 != 0 {
        guard let coded = number(&rest) else { return false }
        length = coded
      }
      guard length <= rest.count else { return false }
      if Int(header >> 3 & 15) == sequenceHeader {
        guard stillSize(rest.prefix(length)) == size else { return false }
        isSeen = true
      }
      rest = rest.dropFirst(length)
    }
    return isSeen
  }

  /// Reads a number of seven bits per byte (4.10.5).
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    for place in 0..<8 {
      guard let byte = rest.popFirst() else { return nil }
      value |= Int(byte & 127) << (7 * place)
      if byte & 128 == 0 { return value }
    }
    return nil
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
