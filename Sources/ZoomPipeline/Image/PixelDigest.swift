internal import ZoomGeometry

/// A SHA-256 of pixels, to compare decodes across processes and machines.
public struct PixelDigest: Sendable, Hashable, Codable, CustomStringConvertible {
  /// 64 hexadecimal digits.
  public let hexadecimal: String

  /// The digits.
  public var description: String { hexadecimal }

  /// Creates a digest from digits that were stored earlier.
  public init(hexadecimal: String) { self.hexadecimal = hexadecimal }

  /// Digests pixels: a line of text with size, bands, format and interpretation, then the bytes.
  public init(of pixels: Pixels) {
    var hash = Self.begun(pixels.size, pixels.bands, pixels.format, pixels.interpretation)
    hash.append(pixels.bytes)
    self.init(hash)
  }

  /// Creates a digest from the hash of the line of text and of all bytes.
  init(_ hash: consuming SHA256) { hexadecimal = SHA256.hexadecimal(hash.digest) }

  /// Returns the hash of the line of text, to which the bytes are appended in pieces.
  static func begun(
    _ size: PixelSize, _ bands: Int, _ format: SampleFormat, _ interpretation: ColourInterpretation
  ) -> SHA256 {
    let line =
      "\(size.width) \(size.height) \(bands) \(format.rawValue) \(interpretation.rawValue)\n"
    var hash = SHA256()
    hash.append(Array(line.utf8))
    return hash
  }

  /// Decodes the digest from one string.
  public init(from decoder: any Decoder) throws {
    hexadecimal = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the digest as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }
}
