internal import ZoomGeometry

/// A SHA-256 of pixels, to compare decodes across processes and machines.
public struct PixelDigest: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// 64 hexadecimal digits.
  public let rawValue: String

  /// The digits.
  public var description: String { rawValue }

  /// Creates a digest from digits that were stored earlier.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Digests pixels: a line of text with size, bands, format and interpretation, then the bytes.
  public init(of pixels: Pixels) {
    var hash = Self.begun(pixels.size, pixels.bands, pixels.format, pixels.interpretation)
    hash.append(pixels.bytes)
    self.init(hash)
  }

  /// Creates a digest from the hash of the line of text and of all bytes.
  init(_ hash: consuming SHA256) { rawValue = SHA256.hexadecimal(hash.digest) }

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
}
