internal import ZoomGeometry

/// The size of a tile that a HEVC decoder returns, read from the coded data.
///
/// libheif (1.15) places tiles by their `ispe` properties and copies what the decoder returns. If
/// the two sizes differ, a tile's pixels depend on neighbours, which a carved file may lack.
enum HEVCTile {
  private static let parameterSet = 33
  private static let sizeOfLength = 4

  /// Returns why a parameter set of a `hvcC` property has another size (ISO/IEC 14496-15, 8.3.3.1).
  static func refusal(ofConfiguration property: HEIFItems.Property, size: PixelSize) -> String? {
    let unreadable = "its tiles' decoder configuration cannot be read"
    var reader = property.content
    do throws(HEIFRefusal) {
      _ = try reader.take(21)
      // libheif reads only this size of length.
      guard try reader.number(1) & 3 == Self.sizeOfLength - 1 else {
        return "its tiles' parts have lengths of an unusual size"
      }
      var isSeen = false
      for _ in 0..<(try reader.number(1)) {
        _ = try reader.number(1)
        for _ in 0..<(try reader.number(2)) {
          let length = try reader.number(2)
          let unit = try reader.take(length)
          guard Self.type(of: unit) == Self.parameterSet else { continue }
          guard Self.size(ofParameterSet: unit) == size else {
            return "its tiles are coded in another size than its tables have"
          }
          isSeen = true
        }
      }
      return isSeen ? nil : unreadable
    } catch {
      return unreadable
    }
  }

  /// Whether a tile's own bytes have only parameter sets of a size, or none.
  static func isOfSize(_ size: PixelSize, coded: [UInt8]) -> Bool {
    var reader = BoxReader(coded)
    while !reader.isAtEnd {
      guard let length = try? reader.number(sizeOfLength), let unit = try? reader.take(length),
        type(of: unit) != parameterSet || self.size(ofParameterSet: unit) == size
      else { return false }
    }
    return true
  }

  private static func type(of unit: ArraySlice<UInt8>) -> Int? {
    unit.first.map { Int($0 >> 1 & 63) }
  }

  /// Reads the size inside the conformance window (ITU-T H.265, 7.3.2.2); nil if that fails.
  private static func size(ofParameterSet unit: ArraySlice<UInt8>) -> PixelSize? {
    var reader = BitReader(withoutEscapes(unit.prefix(1024))[...])
    // The unit's header, which must be of the first layer, and the video parameter set's number.
    guard reader.skip(7) != nil, reader.number(6) == 0, reader.skip(3 + 4) != nil,
      let layers = reader.number(3), reader.skip(1) != nil,
      skipProfile(&reader, layers), reader.golomb() != nil, let chroma = reader.golomb(),
      chroma < 3 || reader.skip(1) != nil,
      let width = reader.golomb(), let height = reader.golomb(), let hasWindow = reader.flag()
    else { return nil }
    guard hasWindow else { return try? PixelSize(width: width, height: height) }
    let across = (1...2).contains(chroma) ? 2 : 1
    let down = chroma == 1 ? 2 : 1
    guard let left = reader.golomb(), let right = reader.golomb(), let top = reader.golomb(),
      let bottom = reader.golomb()
    else { return nil }
    return try? PixelSize(
      width: width - across * (left + right), height: height - down * (top + bottom))
  }

  /// Returns the bytes without each 3 that follows two zeros (7.4.2).
  private static func withoutEscapes(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var code: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
      } else {
        code.append(byte)
        zeros = byte == 0 ? zeros + 1 : 0
      }
    }
    return code
  }

  /// Skips profile, tier and level (7.3.3) of a number of layers above the first.
  private static func skipProfile(_ reader: inout BitReader, _ layers: Int) -> Bool {
    let (profile, level) = (88, 8)
    guard reader.skip(profile + level) != nil else { return false }
    var rest = 0
    for layer in 0..<(layers > 0 ? 8 : 0) {
      guard let flags = reader.number(2) else { return false }
      guard layer < layers else { continue }
      rest += (flags & 2 != 0 ? profile : 0) + (flags & 1 != 0 ? level : 0)
    }
    return reader.skip(rest) != nil
  }
}
