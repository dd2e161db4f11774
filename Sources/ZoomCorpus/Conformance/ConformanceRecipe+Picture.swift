internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceRecipe {
  /// The files that no encoder writes alike everywhere.
  private static let embedded = [
    "grid-aperture.avif": PackageResources.grid_aperture_avif,
    "lossy.webp": PackageResources.lossy_webp, "lzw.tif": PackageResources.lzw_tif,
    "pieces.png": PackageResources.pieces_png, "wavelet-53.jp2": PackageResources.wavelet_53_jp2,
    "wavelet-97.jp2": PackageResources.wavelet_97_jp2,
  ]

  /// Makes the picture; files that are decoded to learn what is expected are written to a folder.
  ///
  /// What is expected of a JPEG are the pixels of libjpeg-turbo's accurate inverse DCT and smooth
  /// upsampling, its defaults.
  func picture(in scratch: ScratchFolder) throws(PipelineError) -> ConformancePicture {
    if let bytes = Self.embedded[file] { return try decoded(bytes, in: scratch) }
    if file.hasSuffix(".png") { return try decoded(PNGFile.noise(self), in: scratch) }
    let pixels = Pixels(pattern: sides.width, sides.height, bands: bands ?? 3, bits: bits ?? 8)
    if let jpeg {
      guard let encoding = try? jpeg.jpegEncoding(for: file) else {
        preconditionFailure("the embedded recipes are right")
      }
      let plain = try JPEGEncoder.encode(pixels.bytes, size: pixels.size, encoding)
      var picture = try decoded(plain, in: scratch)
      if let change { picture.bytes = change.applied(to: plain) }
      return picture
    }
    guard file.hasSuffix(".tif") else {
      return try decoded(pixels.pnm(commentLength: commentLength), in: scratch)
    }
    let levels = levelsRoundUp == nil ? [] : [halved(pixels), halved(halved(pixels))]
    let bytes = try TIFFFile(recipe: self, images: [pixels] + levels).bytes()
    if isPlain == true { return ConformancePicture(file: file, bytes: bytes, expected: pixels) }
    var picture = try decoded(bytes, in: scratch)
    picture.levels = levels
    return picture
  }

  /// Returns a picture whose file is decoded by libvips to learn what is expected.
  private func decoded(
    _ bytes: [UInt8], in scratch: ScratchFolder
  ) throws(PipelineError) -> ConformancePicture {
    let path = scratch.path.appending(file)
    try AtomicFile.write(bytes, to: path)
    let picture = try Picture(path, limits: PictureLimits(loaders: .all))
    return ConformancePicture(
      file: file, bytes: bytes,
      expected: try picture.storedPixels().upright(from: picture.orientation),
      orientation: picture.orientation)
  }

  /// Returns a copy; unless sides are rounded up, it lacks the last column or row of an odd side.
  private func halved(_ pixels: Pixels) -> Pixels {
    let (width, height) = (pixels.size.width, pixels.size.height)
    let even = PixelRegion(uncheckedX: 0, y: 0, width: width & ~1, height: height & ~1)
    return (levelsRoundUp == true ? pixels : pixels.cut(even)).reduced(by: .half)
  }
}
