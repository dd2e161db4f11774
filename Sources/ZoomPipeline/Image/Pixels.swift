internal import CVips
public import ZoomGeometry

/// The data type of one sample of one band, in the machine's byte order.
public enum SampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
  case uint8, int8, uint16, int16, uint32, int32, float32, float64, complex64, complex128

  /// The bytes of one sample.
  public var byteCount: Int { Int(vips_format_sizeof(vips)) }

  init?(_ format: VipsBandFormat) {
    guard let match = Self.allCases.first(where: { $0.vips == format }) else { return nil }
    self = match
  }

  var vips: VipsBandFormat {
    switch self {
    case .uint8: VIPS_FORMAT_UCHAR
    case .int8: VIPS_FORMAT_CHAR
    case .uint16: VIPS_FORMAT_USHORT
    case .int16: VIPS_FORMAT_SHORT
    case .uint32: VIPS_FORMAT_UINT
    case .int32: VIPS_FORMAT_INT
    case .float32: VIPS_FORMAT_FLOAT
    case .float64: VIPS_FORMAT_DOUBLE
    case .complex64: VIPS_FORMAT_COMPLEX
    case .complex128: VIPS_FORMAT_DPCOMPLEX
    }
  }
}

/// The meaning of a picture's bands, by libvips' names: "srgb", "b-w", "cmyk", "rgb16".
public struct ColourInterpretation: RawRepresentable, Sendable, Hashable, Codable {
  /// libvips' short name.
  public let rawValue: String

  /// Creates an interpretation from libvips' short name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Red, green, blue with the sRGB curve, 8 bit.
  public static let srgb = ColourInterpretation(rawValue: "srgb")
  /// One band from black to white, 8 bit.
  public static let grey = ColourInterpretation(rawValue: "b-w")
  /// Red, green, blue, 16 bit.
  public static let rgb16 = ColourInterpretation(rawValue: "rgb16")
  /// Cyan, magenta, yellow and black ink.
  public static let cmyk = ColourInterpretation(rawValue: "cmyk")
}

/// Decoded pixels: rows from the top, pixels from the left, bands interleaved, no padding.
public struct Pixels: Sendable, Hashable {
  /// The size in pixels.
  public let size: PixelSize
  /// Samples per pixel.
  public let bands: Int
  /// The data type of a sample.
  public let format: SampleFormat
  /// The meaning of the bands.
  public let interpretation: ColourInterpretation
  /// `size.area * bands * format.byteCount` bytes.
  public let bytes: [UInt8]

  /// Creates pixels from exactly as many bytes as the other arguments imply.
  public init(
    size: PixelSize, bands: Int, format: SampleFormat, interpretation: ColourInterpretation,
    bytes: [UInt8]
  ) {
    precondition(bands >= 1, "pixels have at least one band")
    precondition(
      bytes.count == size.area * bands * format.byteCount,
      "the number of bytes does not match the size, bands and format")
    self.size = size
    self.bands = bands
    self.format = format
    self.interpretation = interpretation
    self.bytes = bytes
  }

  /// The bytes of one row.
  public var rowByteCount: Int { size.width * bands * format.byteCount }

  package func cut(_ region: PixelRegion) -> Pixels {
    if region.size == size { return self }
    let length = bands * format.byteCount
    var cut: [UInt8] = []
    cut.reserveCapacity(region.area * length)
    for row in region.y..<region.maxY {
      let start = (row * size.width + region.x) * length
      cut += bytes[start..<start + region.width * length]
    }
    return Pixels(
      size: region.size, bands: bands, format: format, interpretation: interpretation, bytes: cut)
  }
}
