internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Makes the pictures of the conformance set, in the order of its table.
struct ConformanceMaker {
  /// Odd in both directions: seven MCUs of 16 pixels across and fourteen down, the last partial, so
  /// that restart markers at each row of MCUs are numbered from 0 to 7 and on.
  static let width = 99
  static let height = 211

  /// The folder for files that are decoded to learn what is expected.
  private let scratch: ScratchFolder

  init() throws(PipelineError) { scratch = try ScratchFolder() }

  func traps() throws(PipelineError) -> [ConformanceTrap] {
    try jpegTraps() + jpegLayoutTraps() + pngTraps() + tiffTraps() + tiffMeaningTraps()
      + otherTraps()
  }

  /// Returns the upright pixels of a file as libvips decodes the whole of it, and its orientation.
  func decoded(
    _ bytes: [UInt8], as name: String
  ) throws(PipelineError) -> (pixels: Raster, orientation: Orientation, isInks: Bool) {
    let path = scratch.path.appending(name)
    try AtomicFile.write(bytes, to: path)
    let picture = try Picture(path, limits: PictureLimits(loaders: .all))
    let stored = try picture.storedPixels()
    let upright = Raster(stored.upright(from: picture.orientation))
    return (upright, picture.orientation, stored.interpretation == .cmyk)
  }

  /// Returns a picture whose file is decoded to learn what is expected.
  func known(_ name: String, _ bytes: [UInt8]) throws(PipelineError) -> ConformancePicture {
    let (pixels, orientation, isInks) = try decoded(bytes, as: name)
    return ConformancePicture(
      file: name, bytes: bytes, expected: pixels, orientation: orientation, isInks: isInks)
  }
}
