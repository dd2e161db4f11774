/// ICC profiles computed from numbers, so that the corpus needs no third-party file.
package enum ColourProfile {
  /// A matrix profile with primaries far outside sRGB and gamma 2.2.
  ///
  /// Pixels shown without it look visibly dull, which exposes a pipeline that drops profiles. The
  /// layout follows ICC.1:2001-04 (version 2): header, tag table, tags. The primaries are those of
  /// Adobe RGB (1998), adapted to D50.
  static let wideGamut = made(
    "wide gamut", "mntrRGB XYZ ", white: d50,
    matrix(
      red: xyz(0.6097, 0.3111, 0.0195), green: xyz(0.2053, 0.6257, 0.0609),
      blue: xyz(0.1492, 0.0632, 0.7446)))

  /// A profile of sRGB's primaries in which red and green are swapped.
  ///
  /// Its class is a scanner and its white is yellowish, which shows an absolute intent; in profiles
  /// of displays, Little CMS ignores the white.
  package static let swapped = made(
    "red and green swapped", "scnrRGB XYZ ", white: xyz(0.9, 0.95, 0.6),
    matrix(
      red: xyz(0.3851, 0.7169, 0.0971), green: xyz(0.4360, 0.2225, 0.0139),
      blue: xyz(0.1431, 0.0606, 0.7141)))

  /// A profile of grey that is lighter than sRGB's.
  package static let grey = made(
    "light grey", "mntrGRAYXYZ ", white: d50, [("kTRC", curve(greyGamma))])

  /// The exponents of the curves of RGB and of grey, in the steps of a u8Fixed8.
  package static let (gamma, greyGamma) = (563.0 / 256, 307.0 / 256)

  package static let d50 = xyz(0.9642, 1.0, 0.8249)

  /// The primaries, and the curves that red, green and blue share.
  private static func matrix(red: [UInt8], green: [UInt8], blue: [UInt8]) -> [(String, [UInt8])] {
    [("rXYZ", red), ("gXYZ", green), ("bXYZ", blue)]
      + ["rTRC", "gTRC", "bTRC"].map { ($0, curve(gamma)) }
  }

  /// Returns a profile; `kind` is the 12 bytes of its class, its colour space and its connection space.
  package static func made(
    _ name: String, _ kind: String, white: [UInt8], _ colours: [(String, [UInt8])]
  ) -> [UInt8] {
    let licence = Array("text\0\0\0\0No copyright, use freely\0".utf8)
    let texts = [("desc", description("zoombench \(name)")), ("cprt", licence)]
    let tags = texts + [("wtpt", white)] + colours
    var table = big32(tags.count)
    var data: [UInt8] = []
    let dataStart = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      table += Array(name.utf8) + big32(dataStart + data.count) + big32(bytes.count)
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = big32(dataStart + data.count)
    header += [0, 0, 0, 0] + big32(0x0220_0000) + Array(kind.utf8)
    // 2026-01-01 00:00:00, each part 16 bit.
    header += [7, 234, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += d50[8...]
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  /// An XYZType: s15Fixed16 numbers.
  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + big32(0) + [x, y, z].flatMap { big32(Int(($0 * 65536).rounded())) }
  }

  /// A curveType with one entry: an exponent as u8Fixed8.
  private static func curve(_ exponent: Double) -> [UInt8] {
    let fixed = Int(exponent * 256)
    return Array("curv".utf8) + big32(0) + big32(1) + [UInt8(fixed >> 8), UInt8(fixed & 255)]
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
