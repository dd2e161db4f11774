/// ICC profiles computed from numbers, so that the corpus needs no third-party file.
enum ColourProfile {
  /// A matrix profile with primaries far outside sRGB and gamma 2.2.
  ///
  /// Pixels shown without it look visibly dull, which exposes a pipeline that drops profiles. The
  /// layout follows ICC.1:2001-04 (version 2): header, tag table, tags. The primaries are those of
  /// Adobe RGB (1998), adapted to D50.
  static let wideGamut: [UInt8] = {
    let white = xyz(0.9642, 1.0, 0.8249)
    let tags: [(String, [UInt8])] = [
      ("desc", description("zoombench wide gamut")),
      ("cprt", text("No copyright, use freely")),
      ("wtpt", white),
      ("rXYZ", xyz(0.6097, 0.3111, 0.0195)),
      ("gXYZ", xyz(0.2053, 0.6257, 0.0609)),
      ("bXYZ", xyz(0.1492, 0.0632, 0.7446)),
      ("rTRC", gamma),
      ("gTRC", gamma),
      ("bTRC", gamma),
    ]
    var table = big32(tags.count)
    var data: [UInt8] = []
    let dataStart = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      table += Array(name.utf8) + big32(dataStart + data.count) + big32(bytes.count)
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = big32(dataStart + data.count)
    header += [0, 0, 0, 0] + big32(0x0220_0000)
    header += Array("mntrRGB XYZ ".utf8)
    // 2026-01-01 00:00:00, each part 16 bit.
    header += [7, 234, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += white[8...]
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }()

  /// An XYZType: s15Fixed16 numbers.
  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + big32(0) + [x, y, z].flatMap { big32(Int(($0 * 65536).rounded())) }
  }

  /// A curveType with one entry: a gamma as u8Fixed8, here 2.2.
  private static let gamma: [UInt8] =
    Array("curv".utf8) + big32(0) + big32(1) + [2, 51]

  private static func text(_ text: String) -> [UInt8] {
    Array("text".utf8) + big32(0) + Array(text.utf8) + [0]
  }

  /// A textDescriptionType: ASCII only, with empty Unicode and ScriptCode parts.
  private static func description(_ text: String) -> [UInt8] {
    Array("desc".utf8) + big32(0) + big32(text.utf8.count + 1) + Array(text.utf8) + [0]
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
  }
}

/// Returns the four low bytes of a number, the highest first.
func big32(_ value: Int) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
}
