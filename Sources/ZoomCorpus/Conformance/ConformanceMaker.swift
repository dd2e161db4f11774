internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Makes the pictures of the conformance set.
struct ConformanceMaker {
  /// Odd in both directions: seven MCUs of 16 pixels across and fourteen down, the last partial, so
  /// that restart markers at each row of MCUs are numbered from 0 to 7 and on.
  static let width = 99
  static let height = 211

  /// The folder for files that are decoded to learn what is expected.
  private let scratch: ScratchFolder

  init() throws(PipelineError) { scratch = try ScratchFolder() }

  /// Returns the pictures by the names of their traps.
  func pictures() throws(PipelineError) -> [String: [ConformancePicture]] {
    let parts = [
      try jpegPictures(), try jpegLayoutPictures(), pngPictures(), try tiffPictures(),
      try tiffMeaningPictures(), try otherPictures(),
    ]
    return parts.reduce(into: [:]) { pictures, part in pictures.merge(part) { $0 + $1 } }
  }

  /// Returns the pattern in a lower picture, for formats without MCUs.
  func pattern(bands: Int = 3, bits: Int = 8) -> Pixels {
    Pixels(pattern: Self.width, 117, bands: bands, bits: bits)
  }

  /// Returns the upright pixels of a file as libvips decodes the whole of it, and its orientation.
  func decoded(
    _ bytes: [UInt8], as name: String
  ) throws(PipelineError) -> (pixels: Pixels, orientation: Orientation) {
    let path = scratch.path.appending(name)
    try AtomicFile.write(bytes, to: path)
    let picture = try Picture(path, limits: PictureLimits(loaders: .all))
    return (try picture.storedPixels().upright(from: picture.orientation), picture.orientation)
  }

  /// Returns a picture whose file is decoded to learn what is expected.
  func known(_ name: String, _ bytes: [UInt8]) throws(PipelineError) -> ConformancePicture {
    let (pixels, orientation) = try decoded(bytes, as: name)
    return ConformancePicture(
      file: name, bytes: bytes, expected: pixels, orientation: orientation)
  }
}
