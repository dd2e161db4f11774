import Foundation
import PropertyTesting
import TestSupport

extension OddFile {
  /// TIFFs with properties that make strips hard to read; `WrittenTIFF` has the frequent ones.
  static let tiffs = [
    tallStrips, unenteredStrips, predictors, zeroByteCounts, wrongTables, sizeTypes,
    alphas, surplusRows, group4Strips, unusual,
  ].flatMap(\.self)

  private static let tallStrips: [OddFile] = [
    tiff("uncompressed strips that are few and tall", rows: 30),
    tiff(
      "strips that are few and tall", .deflate, rows: 30, isServed: false,
      reason: "its 3 compressed strips are too tall to be worth it"),
    tiff("one compressed strip", .lzw, rows: 61, isInParts: false),
  ]

  private static let begin = "its strip's first bytes do not fit its coding"

  private static let unenteredStrips: [OddFile] = [
    // libtiff's old bit order: the Clear code is the bytes 0, 1.
    notEntered("LZW of the old bit order", .lzw, begin) {
      $0.replaceSubrange($1..<$1 + 2, with: [0, 1])
    },
    notEntered("a wrong zlib header", .deflate, begin) { $0[$1] = 0x79 },
    notEntered(
      "one strip of PackBits", .packBits, "its strips are coded in a way that is left to libtiff"),
  ]

  /// A predictor for floating point only, one with two values, and one of type BYTE.
  private static let predictors: [OddFile] = [
    TIFFBytes.Field(317, 3, [3]), .init(317, 3, [2, 2]), .init(317, 1, [2]),
  ].map { field in
    tiff(
      "predictor \(field.values) of type \(field.type)", .lzw, rows: nil, isServed: false,
      reason: "its predictor is left to libtiff", isDecoded: nil
    ) { $0.more = [field] }
  }

  private static let wrongCounts = "its table of strips has wrong byte counts"

  private static let zeroByteCounts: [OddFile] = [StripCoding.none, .lzw].map { coding in
    tiff("\(coding), byte counts of zero", coding, isInParts: false, isDecoded: false) {
      $0.more = [.init(279, 4, [Int](repeating: 0, count: 8))]
    }
  }

  private static let wrongTables: [OddFile] = [
    // With a single strip, libtiff calculates its length.
    tiff("one byte count of zero", rows: 61, isServed: false, reason: wrongCounts) {
      $0.more = [.init(279, 4, [0])]
    },
    // The last strip is as tall as the others, and libtiff gives all of them the same length.
    tiff("a wrong first byte count", height: 64, isServed: false, reason: wrongCounts) {
      $0.more = [.init(279, 4, [1] + [Int](repeating: 43 * 3 * 8, count: 7))]
    },
    tiff(
      "a table that is too short", .lzw, isServed: false,
      reason: "its table of strips is too short or written in an unusual way",
      isDecoded: false
    ) { $0.more = [.init(279, 4, [100, 100, 100])] },
  ]

  private static let sizeTypes: [OddFile] = [1, 3, 4].map { type in
    tiff("sizes of type \(type)") {
      $0.more = [
        .init(256, type, [43]), .init(257, type, [61]), .init(278, type, [8]),
        .init(277, type == 1 ? 1 : 3, [3]),
      ]
      $0.countType = type == 1 ? 3 : type
    }
  }

  /// Matteing says that the last sample is alpha.
  private static let alphas: [OddFile] = [8, 61].flatMap { rows in
    [StripCoding.none, .lzw, .deflate, .packBits].map { coding in
      let isEntered = rows == 61 && (coding == .lzw || coding == .deflate)
      return tiff(
        "\(coding), Matteing, \(rows) rows", coding, rows: rows,
        isServed: rows == 8 || coding == .none || isEntered,
        isInParts: false
      ) {
        $0.kind = .init(2, 8, 4)
        $0.more = [.init(32995, 3, [1])]
      }
    }
  }

  private static let surplusRows: [OddFile] = [8, 61].flatMap { rows in
    (0..<(rows == 8 ? 7 : 1)).map { strip in
      tiff(
        "deflate strip \(strip) of \(rows) rows holds more", .deflate, rows: rows,
        isInParts: false
      ) { $0.ownStrips[strip] = exceeding($0.rowByteCount * rows - 3, strip) }
    }
  }

  private static let group4Strips: [OddFile] = [
    tiff("Group 4") { $0 = group4 },
    // libtiff accepts an end after three of six rows and leaves its buffer as it is.
    tiff("Group 4 strips that end early", isInParts: false) {
      $0 = group4
      var random = SplitMix64(seed: 4)
      for strip in [2, 5, 9] {
        $0.ownStrips[strip] = StripCoding.group4.noise(rows: 3, of: 12, width: 90, &random)
      }
    },
  ]

  private static var group4: TIFFBytes {
    var tiff = TIFFBytes(width: 90, height: 60, kind: .init(0, 1, 1), rowsPerStrip: 6)
    tiff.coding = .group4
    return tiff
  }

  /// Returns a strip whose last match exceeds it: libdeflate stops before the match.
  private static func exceeding(_ count: Int, _ strip: Int) -> [UInt8] {
    let stored = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ strip) }
    let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
    // A stored block, a last block of fixed codes with a match of ten bytes, and the end.
    return [0x78, 1, 0, low, high, ~low, ~high] + stored + [0x43, 0x10, 0, 0, 0, 0, 0]
  }

  /// Two strips of 43 x 8 pixels, written by xz; libvips cannot write such TIFFs.
  private static let xz = [
    """
    /Td6WFoAAAFpIt42AgAhAQwAAACPmEGc4AQHADldAAAA6oTiA/sbskYxvRHc5Mm2cYrRKxpFd5qP\
    7+JknJDzg/1ly6oqFxdci3E4sWSteSSi7YnKN/VdAAAAAADMrVNIAAFRiAgAAAAz3KVAPjANiwIAAAAAAVla
    """,
    """
    /Td6WFoAAAFpIt42AgAhAQwAAACPmEGc4AQHADpdADIaCde+3wlD3uoJBHCBCYaFtJI9tumOL7CZ\
    JUrACvBKHpzHSf/iBkk7aG7x57pGrn2HlR7S56NjPgAAAAB2k0/fAAFSiAgAAACdrjHGPjANiwIAAAAAAVla
    """,
  ].map { Array(Data(base64Encoded: $0) ?? Data()) }

  private static let unusual: [OddFile] = [
    tiff("LZMA", height: 64, codec: "LZMA") {
      $0.more = [.init(259, 3, [34925])]
      for strip in 0..<8 { $0.ownStrips[strip] = xz[strip % 2] }
    },
    tiff("BitsPerSample once for all samples", .packBits) { $0.more = [.init(258, 3, [8])] },
    tiff("a tag twice", isServed: false, reason: "its directory has a tag twice") {
      $0.more = [.init(278, 4, [8]), .init(278, 4, [4])]
    },
    tiff("a depth", isServed: false, reason: "it has a depth", isDecoded: nil) {
      $0.more = [.init(32997, 4, [1])]
    },
    OddFile(
      testDescription: "the byte order EP", suffix: "tif", isServed: true, isReadInParts: true,
      isDecoded: true
    ) {
      let tiff = TIFFBytes(width: 43, height: 61, kind: .init(2, 8, 3), rowsPerStrip: 8)
      return Array("EP".utf8) + tiff.file(seed: 9).bytes.dropFirst(2)
    },
    // libtiff opens the file but cannot decode strips without the tags of old-style JPEG.
    tiff("a JPEG of the old style", isServed: false, isDecoded: nil) {
      $0.more = [.init(259, 3, [6]), .init(262, 3, [6])]
    },
  ]

  // MARK: Helpers

  /// Makes a picture of 43 columns, which `partial` reads in parts unless otherwise specified.
  private static func tiff(
    _ name: String, _ coding: StripCoding = .none, rows: Int? = 8, height: Int = 61,
    isServed: Bool = true, isInParts: Bool = true, reason: String? = nil,
    isDecoded: Bool? = true, codec: String? = nil, _ change: (inout TIFFBytes) -> Void = { _ in }
  ) -> OddFile {
    var tiff = TIFFBytes(width: 43, height: height, kind: .init(2, 8, 3), rowsPerStrip: rows)
    tiff.coding = coding
    change(&tiff)
    let bytes = tiff.file(seed: 9).bytes
    return OddFile(
      testDescription: name, suffix: "tif", isServed: isServed, isReadInParts: isInParts,
      reason: reason, isDecoded: isDecoded, codec: codec
    ) { bytes }
  }

  /// Makes a picture of one strip that lacks entry points; `edit` changes the strip at its start.
  private static func notEntered(
    _ name: String, _ coding: StripCoding, _ reason: String,
    _ edit: (inout [UInt8], Int) -> Void = { _, _ in }
  ) -> OddFile {
    var tiff = TIFFBytes(width: 20, height: 30, kind: .init(2, 8, 3), rowsPerStrip: nil)
    tiff.coding = coding
    var (bytes, start) = tiff.file(seed: 5)
    edit(&bytes, start)
    return OddFile(
      testDescription: name, suffix: "tif", isServed: false, reason: reason
    ) { [bytes] in bytes }
  }
}
