internal import ZoomGeometry

/// A SHA-256 over pixels, by which two decodes are compared across processes and machines.
public struct PixelDigest: Sendable, Hashable, Codable, CustomStringConvertible {
  /// 64 hexadecimal digits.
  public let hexadecimal: String

  /// The digits.
  public var description: String { hexadecimal }

  /// Takes digits written down earlier.
  /// - Parameter hexadecimal: as `hexadecimal` gave them.
  public init(hexadecimal: String) { self.hexadecimal = hexadecimal }

  /// Digests pixels: one line of text for size, bands, format and interpretation, then the bytes.
  /// - Parameter pixels: what to digest.
  public init(of pixels: Pixels) {
    var digest = IncrementalDigest(
      size: pixels.size, bands: pixels.bands, format: pixels.format,
      interpretation: pixels.interpretation)
    digest.append(pixels.bytes)
    self = digest.finish()
  }

  /// Reads it as one string.
  public init(from decoder: any Decoder) throws {
    hexadecimal = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes it as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }
}

/// SHA-256 taken in pieces, for pixels that never stand in memory at once.
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
    PixelDigest(hexadecimal: SHA256.hexadecimal(hash.finish()))
  }
}
