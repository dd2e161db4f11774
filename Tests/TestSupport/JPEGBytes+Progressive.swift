internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

extension JPEGBytes {
  /// A progressive JPEG of slopes and noise, written by libvips.
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - bands: 1 for grey, 3 for YCbCr, 4 for CMYK.
  ///   - subsampled: whether chroma is stored at half size both ways.
  ///   - quality: 1...100.
  ///   - seed: of the noise.
  /// - Returns: the file, which follows from libvips' version, too.
  /// - Throws: what writing does.
  package static func progressive(
    _ width: Int, _ height: Int, bands: Int, subsampled: Bool, quality: Int = 85,
    seed: UInt64 = 94
  ) throws -> JPEGBytes {
    let colours: [Int: ColourInterpretation] = [1: .grey, 3: .srgb, 4: .cmyk]
    var numbers = SplitMix64(seed: seed)
    let pixels = try Pixels(
      width: width, height: height, bands: bands, interpretation: colours[bands] ?? .srgb
    ) { x, y, band in
      UInt8((x * 2 + y * (band + 1)) % 216 + Int.random(in: 0..<40, using: &numbers))
    }
    let folder = try TestFolder()
    let path = folder.path.appending("progressive.jpg")
    try Image(pixels).write(
      to: path, as: .jpeg(quality: quality, progressive: true, subsampled: subsampled))
    return JPEGBytes(try TestSupport.bytes(of: path))
  }
}
