internal import CVips
public import ZoomGeometry

/// How one sample of one band is stored, in the machine's byte order.
public enum SampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
  case uint8, int8, uint16, int16, uint32, int32, float32, float64, complex64, complex128

  /// The bytes of one sample.
  public var byteCount: Int {
    switch self {
    case .uint8, .int8: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32: 4
    case .float64, .complex64: 8
    case .complex128: 16
    }
  }

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

/// What the bands of a picture mean, by libvips' name for it: "srgb", "b-w", "cmyk", "rgb16".
public struct ColourInterpretation: RawRepresentable, Sendable, Hashable, Codable {
  /// libvips' short name.
  public let rawValue: String

  /// Wraps a name as libvips spells it.
  /// - Parameter rawValue: the short name.
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
  /// Width and height in pixels.
  public let size: PixelSize
  /// Samples a pixel.
  public let bands: Int
  /// How a sample is stored.
  public let format: SampleFormat
  /// What the bands mean.
  public let interpretation: ColourInterpretation
  /// `size.area * bands * format.byteCount` bytes.
  public let bytes: [UInt8]

  /// Describes bytes as pixels.
  /// - Parameters:
  ///   - size: width and height.
  ///   - bands: samples a pixel, at least 1.
  ///   - format: how a sample is stored.
  ///   - interpretation: what the bands mean.
  ///   - bytes: exactly as many as the other arguments imply.
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
}

extension Pixels {
  /// Returns the same pixels turned clockwise; every one is kept as it is.
  /// - Parameter turn: how many quarter turns.
  /// - Returns: pixels of the same format; of a quarter turn, width and height change places.
  public func turned(by turn: QuarterTurn) -> Pixels {
    let (width, height) = (size.width, size.height)
    // Which pixel becomes the first, and how far it is from there to those that become the ones
    // right of it and below it.
    let (first, right, down): (Int, Int, Int)
    switch turn {
    case .none: return self
    case .clockwise: (first, right, down) = ((height - 1) * width, -width, 1)
    case .half: (first, right, down) = (width * height - 1, -1, -width)
    case .counterclockwise: (first, right, down) = (width - 1, width, -1)
    }
    let turned = size.turned(by: turn)
    return Pixels(
      size: turned, bands: bands, format: format, interpretation: interpretation,
      bytes: rearranged(first: first, right: right, down: down, rowLength: turned.width))
  }

  private func rearranged(first: Int, right: Int, down: Int, rowLength: Int) -> [UInt8] {
    let count = size.area
    let pixelBytes = bands * format.byteCount
    return unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, initialized in
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let target = buffer.baseAddress, let source = source.baseAddress else { return }
        // Of a length known to the compiler a pixel is copied without a loop.
        @inline(__always) func copy(_ length: Int) {
          var target = unsafe target
          for row in 0..<count / rowLength {
            var from = unsafe source + (first + row * down) * length
            for _ in 0..<rowLength {
              for byte in 0..<length { unsafe target[byte] = unsafe from[byte] }
              unsafe target += length
              unsafe from += right * length
            }
          }
        }
        switch pixelBytes {
        case 1: copy(1)
        case 3: copy(3)
        case 4: copy(4)
        default: copy(pixelBytes)
        }
      }
      initialized = bytes.count
    }
  }
}
