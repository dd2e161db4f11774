public import ZoomGeometry

/// A small JPEG of just those MCUs of a picture that a region's pixels depend on.
///
/// Its coefficients are the picture's own: decoded, it has the very pixels of the whole picture inside
/// the region. Beyond the region lie the rest of the MCUs at its border and the margin that smooth
/// chroma needs, whose outermost pixels a decoder makes without their neighbours. It is as small as
/// the picture's own bits for these MCUs and can be served as it is.
public struct JPEGWindow: Sendable, Hashable {
  /// The file: a standard sequential JPEG.
  ///
  /// An orientation other than upright is in it; profiles (see `bytes(withProfile:)`), comments and other
  /// metadata are not.
  public let bytes: [UInt8]
  /// What of the picture it holds, in pixels as the file stores them, before orientation.
  public let stored: PixelRegion
  /// Where the region begins in it, in stored pixels.
  public let offset: PixelPoint
  /// The region's size in stored pixels.
  public let size: PixelSize
}

extension JPEGWindow {
  /// A segment's length counts itself (2 bytes); the marker's name and two numbers take 14 of the rest.
  private static let profileBytesInSegment = 65_535 - 2 - 14

  /// The file with a colour profile in it (ICC.1:2022, B.4).
  ///
  /// Tiles on a page can do without: a profile may be larger than they are.
  /// - Parameter profile: as the picture has it.
  /// - Returns: nil when the profile is longer than the 255 segments that can be numbered.
  public func bytes(withProfile profile: [UInt8]) -> [UInt8]? {
    let starts = stride(from: 0, to: profile.count, by: Self.profileBytesInSegment)
    let count = Array(starts).count
    guard count <= 255 else { return nil }
    var segments: [UInt8] = []
    for (number, start) in starts.enumerated() {
      let part = profile[start..<min(profile.count, start + Self.profileBytesInSegment)]
      let length = 2 + 14 + part.count
      segments += [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]
      segments += Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)]
      segments += part
    }
    var encoded = bytes
    JPEGStructure.insert(segments, into: &encoded)
    return encoded
  }
}

/// A source that can hand out parts of its picture without decoding them.
public protocol JPEGWindowSource: RegionSource {
  /// Cuts out a region's MCUs.
  /// - Parameter region: inside the upright picture.
  /// - Returns: a JPEG that holds the region.
  /// - Throws: `PipelineError`: `outside`, or `unsupported` when the coded data breaks the rules.
  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow

  /// Makes the whole index, as what earlier peeks find makes later ones cheaper.
  /// - Throws: `PipelineError` of code `unsupported` when the coded data breaks the rules.
  func completeIndex() throws(PipelineError)
}

// MARK: Metadata

extension JPEGStructure {
  /// An EXIF segment that holds an orientation alone (CIPA DC-008, 4.5).
  static func segment(of orientation: Orientation) -> [UInt8] {
    // Big endian TIFF, its first directory at 8: one entry, tag 0x0112, a SHORT, one of them.
    let exif =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
    return [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
  }

  /// Puts segments of metadata into a JPEG: first, but for JFIF's own, which JFIF wants first.
  /// - Parameters:
  ///   - segments: whole segments, each with its marker.
  ///   - encoded: a JPEG.
  static func insert(_ segments: [UInt8], into encoded: inout [UInt8]) {
    var place = 2
    if encoded.count > 6, encoded[2] == 0xFF, encoded[3] == 0xE0 {
      place += 2 + Int(encoded[4]) << 8 + Int(encoded[5])
    }
    encoded.insert(contentsOf: segments, at: min(place, encoded.count))
  }
}
