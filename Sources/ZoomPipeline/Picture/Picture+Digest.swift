internal import ZoomGeometry

extension Picture {
  /// A digest of the whole upright picture's pixels, taken strip by strip where the format allows.
  /// - Throws: `PipelineError` when the picture cannot be decoded, or not within its limits.
  public func digest() throws(PipelineError) -> PixelDigest {
    // Turning by 90 degrees needs columns where the decoder gives rows, so those decode whole.
    guard orientation != .up else {
      try assertPassFits("digest")
      return try Image.open(self, access: .sequential).digest(of: path)
    }
    let kept = try reserveRandomAccess("digest")
    defer { withExtendedLifetime(kept) {} }
    return try Image.open(self, access: .random).upright(from: orientation).digest(of: path)
  }
}
