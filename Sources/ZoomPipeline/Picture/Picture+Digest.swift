internal import ZoomGeometry

extension Picture {
  /// A digest of the whole upright picture's pixels, taken strip by strip where the format allows.
  /// - Throws: `PipelineError` when the picture cannot be decoded.
  public func digest() throws(PipelineError) -> PixelDigest {
    // Turning by 90 degrees needs columns where the decoder gives rows, so those decode whole.
    let image = try Image.open(path, access: orientation == .up ? .sequential : .random)
    return try image.upright(from: orientation).digest(of: path)
  }
}
