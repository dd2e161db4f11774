import Testing
import ZoomCorpus

/// A colour model with the sampling factors of its components, in any order.
///
/// One component alone has an MCU of one block whatever its factors (T.81, A.2.2).
struct JPEGSampling: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let colour: JPEGEncoding.Colour
  let factors: [JPEGEncoding.Sampling]

  private init(_ name: String, _ colour: JPEGEncoding.Colour, _ factors: [(Int, Int)]) {
    testDescription = name
    self.colour = colour
    self.factors = factors.map { JPEGEncoding.Sampling($0.0, $0.1) }
  }

  func encoding(quality: Int = 85) -> JPEGEncoding {
    JPEGEncoding(colour: colour, sampling: factors, quality: quality)
  }

  static let all = [
    JPEGSampling("4:4:4", .yCbCr, [(1, 1), (1, 1), (1, 1)]),
    JPEGSampling("4:2:2", .yCbCr, [(2, 1), (1, 1), (1, 1)]),
    JPEGSampling("4:4:0", .yCbCr, [(1, 2), (1, 1), (1, 1)]),
    JPEGSampling("4:2:0", .yCbCr, [(2, 2), (1, 1), (1, 1)]),
    JPEGSampling("4:1:1", .yCbCr, [(4, 1), (1, 1), (1, 1)]),
    JPEGSampling("4:1:0", .yCbCr, [(4, 2), (1, 1), (1, 1)]),
    JPEGSampling("2x4", .yCbCr, [(2, 4), (1, 1), (1, 1)]),
    JPEGSampling("3x1", .yCbCr, [(3, 1), (1, 1), (1, 1)]),
    JPEGSampling("chroma unequal", .yCbCr, [(2, 2), (2, 1), (1, 2)]),
    JPEGSampling("grey 2x2", .gray, [(2, 2)]),
    JPEGSampling("CMYK 4:2:0", .cmyk, [(2, 2), (1, 1), (1, 1), (2, 2)]),
    JPEGSampling("1x4", .yCbCr, [(1, 4), (1, 1), (1, 1)]),
    JPEGSampling("1x3", .yCbCr, [(1, 3), (1, 1), (1, 1)]),
    JPEGSampling("4:4:4 in twos", .yCbCr, [(2, 1), (2, 1), (2, 1)]),
    JPEGSampling("4:2:2 in twos", .yCbCr, [(2, 2), (1, 2), (1, 2)]),
    JPEGSampling("chroma larger", .yCbCr, [(1, 1), (2, 2), (2, 2)]),
    JPEGSampling("luma wide, chroma high", .yCbCr, [(2, 1), (1, 2), (1, 1)]),
    JPEGSampling("1x4 and 1x2", .yCbCr, [(1, 4), (1, 1), (1, 2)]),
    JPEGSampling("grey", .gray, [(1, 1)]),
    JPEGSampling("grey 4x1", .gray, [(4, 1)]),
    JPEGSampling("grey 1x3", .gray, [(1, 3)]),
    JPEGSampling("RGB by identifiers", .rgbIdentifiers, [(1, 1), (1, 1), (1, 1)]),
    JPEGSampling("RGB by Adobe, red larger", .rgbAdobe, [(2, 2), (1, 1), (1, 1)]),
    JPEGSampling("CMYK", .cmyk, [(1, 1), (1, 1), (1, 1), (1, 1)]),
    JPEGSampling("YCCK", .ycck, [(2, 2), (1, 1), (1, 1), (2, 2)]),
  ]

  /// One sampling for each shape of MCU.
  static let shapes = all[..<11]
}
