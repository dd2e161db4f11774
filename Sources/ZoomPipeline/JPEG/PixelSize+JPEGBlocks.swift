internal import ZoomGeometry

extension PixelSize {
  /// The size to tell a JPEG's decoder so that it reduces parts of blocks at the edges too.
  ///
  /// libvips leaves out what is not a whole block (8.14: 199 pixels reduced by two are 99). The MCUs
  /// of a JPEG hold whole blocks always, so with its sides rounded up to blocks they stay as many,
  /// libjpeg decodes the same, and libvips has nothing to leave out.
  /// - Returns: nil when a side is then longer than libjpeg's largest, 65,500 pixels.
  func ofWholeJPEGBlocks(_ reduction: Reduction) -> PixelSize? {
    let width = reduction.reduced(width) * reduction.rawValue
    let height = reduction.reduced(height) * reduction.rawValue
    guard max(width, height) <= 65_500 else { return nil }
    return try? PixelSize(width: width, height: height)
  }
}
