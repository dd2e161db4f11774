internal import ZoomGeometry

/// Checks that Group 4 strips hold all of their rows.
///
/// libtiff (4.5, Fax4Decode) accepts a strip that ends early and leaves the last rows as they are
/// in the buffer: in a full decode they are from the strip before, in a small file they are not. So
/// each strip is decoded once after a white strip and once after a black one: missing rows differ.
struct Group4Check {
  let picture: Picture
  let strips: TIFFStrips
  /// The tags of small files.
  let fields: [SmallTIFF.Field]

  func isWhole(_ strip: Int, _ coded: ArraySlice<UInt8>) -> Bool {
    guard let one = rows(of: strip, coded, after: row(isBlack: false)),
      let other = rows(of: strip, coded, after: row(isBlack: true))
    else { return false }
    return one.bytes == other.bytes
  }

  private func rows(
    of strip: Int, _ coded: ArraySlice<UInt8>, after row: [Bit]
  ) -> Pixels? {
    let (width, count) = (strips.size.width, strips.rows(of: strip).count)
    let height = strips.rowsPerStrip + count
    let first = packed([[Bit]](repeating: row, count: strips.rowsPerStrip).joined())
    guard
      var small = SmallTIFF(
        like: strips.directory, fields: fields, width: width, height: height,
        rowsPerStrip: strips.rowsPerStrip, stripBytes: [first.count, coded.count]),
      let region = try? PixelRegion(
        x: 0, y: strips.rowsPerStrip, width: width, height: count)
    else { return nil }
    let start = small.dataStart
    small.bytes.replaceSubrange(start..<start + first.count, with: first)
    small.bytes.replaceSubrange(start + first.count..<small.bytes.count, with: coded)
    guard let image = try? Image.open(carved: small.bytes, from: picture) else { return nil }
    return try? image.read(region, of: picture.path)
  }

  // MARK: Coding

  private typealias Bit = Bool

  /// Codes a row in horizontal mode (ITU-T T.6, 2.2.3): pairs of a white and a black run.
  private func row(isBlack: Bool) -> [Bit] {
    // One run of each pair is empty. A make-up code of 64 needs a terminating code of 0.
    let pairs =
      isBlack
      ? [(64, "00110101 0000001111 0000110111"), (8, "00110101 000101"), (1, "00110101 010")]
      : [(64, "11011 00110101 0000110111"), (8, "10011 0000110111"), (1, "000111 0000110111")]
    var (codes, rest) = ("", strips.size.width)
    // libtiff has space for two runs per pixel of a row, which runs of 1 pixel alone would exceed.
    for (length, pair) in pairs {
      codes += String(repeating: "001 " + pair, count: rest / length)
      rest %= length
    }
    return codes.utf8.filter { $0 != UInt8(ascii: " ") }.map { $0 == UInt8(ascii: "1") }
  }

  /// Packs bits into bytes in the order of the file's FillOrder.
  private func packed(_ bits: some Sequence<Bit>) -> [UInt8] {
    let isReversed = fields.contains { field in
      field.tag == TIFFTag.fillOrder && strips.directory.number(field.bytes) == 2
    }
    var bytes: [UInt8] = []
    for (place, bit) in bits.enumerated() {
      if place.isMultiple(of: 8) { bytes.append(0) }
      if bit { bytes[bytes.count - 1] |= isReversed ? 1 << (place % 8) : 0x80 >> (place % 8) }
    }
    return bytes
  }
}
