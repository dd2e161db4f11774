internal import ZoomGeometry

/// Checks that Group 4 strips hold all of their rows.
///
/// libtiff (4.5, Fax4Decode) accepts a strip that ends early and leaves the last rows as they are
/// in the buffer: in a full decode they are from the strip before, in a small file they are not. So
/// each strip is decoded once after a white strip and once after a strip whose rows begin with a
/// black pixel: missing rows differ.
struct Group4Check {
  let picture: Picture
  let strips: TIFFStrips
  /// The tags of small files.
  let fields: [SmallTIFF.Field]

  func isWhole(_ strip: Int, _ coded: ArraySlice<UInt8>) -> Bool {
    // A row in horizontal mode (ITU-T T.6, 2.2.3): no white pixel, a black one, white to the end.
    let isReversed = strips.directory.looseNumber(TIFFTag.fillOrder) == 2
    let black: [UInt8] = isReversed ? [0x64, 0xD5] : [0b0010_0110, 0b1010_1011]
    guard let one = rows(of: strip, coded, after: []),
      let other = rows(of: strip, coded, after: black)
    else { return false }
    return one.bytes == other.bytes
  }

  /// Decodes a strip after another one that begins with `start` and repeats each row in the next.
  private func rows(of strip: Int, _ coded: ArraySlice<UInt8>, after start: [UInt8]) -> Pixels? {
    let (width, count) = (strips.size.width, strips.rows(of: strip).count)
    // A bit of 1 repeats a change of colour of the row above, which is white above the first row.
    // There are at most three changes per row.
    let first = start + [UInt8](repeating: 0xFF, count: strips.rowsPerStrip * 3 / 8 + 1)
    guard
      var small = SmallTIFF(
        like: strips.directory, fields: fields, width: width, height: strips.rowsPerStrip + count,
        rowsPerStrip: strips.rowsPerStrip, stripBytes: [first.count, coded.count]),
      let region = try? PixelRegion(
        x: 0, y: strips.rowsPerStrip, width: width, height: count)
    else { return nil }
    let (start, data) = (SmallTIFF.dataStart, first + coded)
    small.bytes.replaceSubrange(start..<start + data.count, with: data)
    guard let image = try? Image.open(carved: small.bytes, from: picture) else { return nil }
    return try? image.read(region, of: picture.path)
  }
}
