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
    var digest = IncrementalDigest(
      size: pixels.size, bands: pixels.bands, format: pixels.format,
      interpretation: pixels.interpretation)
    digest.append(pixels.bytes)
    self = digest.finish()
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

/// A SHA-256 computed in pieces, for pixels that are never all in memory.
struct IncrementalDigest: ~Copyable {
  private var hash = SHA256()

  init(
    size: PixelSize, bands: Int, format: SampleFormat, interpretation: ColourInterpretation
  ) {
    let header =
      "\(size.width) \(size.height) \(bands) \(format.rawValue) \(interpretation.rawValue)\n"
    hash.append(Array(header.utf8))
  }

  mutating func append(_ bytes: [UInt8]) { hash.append(bytes) }

  consuming func finish() -> PixelDigest {
    PixelDigest(hexadecimal: SHA256.hexadecimal(hash.digest))
  }
}
