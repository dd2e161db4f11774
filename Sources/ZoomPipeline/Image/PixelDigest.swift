internal import CVips
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
///
/// GLib, which libvips brings along, does the hashing: one well-kept dependency fewer.
@safe struct IncrementalDigest: ~Copyable {
  private let checksum: OpaquePointer

  init(
    size: PixelSize, bands: Int, format: SampleFormat, interpretation: ColourInterpretation
  ) {
    guard let checksum = unsafe g_checksum_new(G_CHECKSUM_SHA256) else {
      preconditionFailure("GLib without SHA-256")
    }
    unsafe self.checksum = unsafe checksum
    let header =
      "\(size.width) \(size.height) \(bands) \(format.rawValue) \(interpretation.rawValue)\n"
    append(Array(header.utf8))
  }

  deinit { unsafe g_checksum_free(checksum) }

  mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe g_checksum_update(checksum, buffer.baseAddress, gssize(buffer.count))
    }
  }

  consuming func finish() -> PixelDigest {
    guard let text = unsafe g_checksum_get_string(checksum) else {
      preconditionFailure("GLib gives no digest")
    }
    return PixelDigest(hexadecimal: unsafe String(cString: text))
  }
}
