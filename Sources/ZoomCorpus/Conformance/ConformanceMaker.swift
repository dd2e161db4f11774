internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Makes the pictures of the conformance set.
struct ConformanceMaker {
  /// The files that no encoder writes alike everywhere.
  private static let embedded = [
    "grid-aperture.avif": PackageResources.grid_aperture_avif,
    "lossy.webp": PackageResources.lossy_webp, "lzw.tif": PackageResources.lzw_tif,
    "pieces.png": PackageResources.pieces_png, "wavelet-53.jp2": PackageResources.wavelet_53_jp2,
    "wavelet-97.jp2": PackageResources.wavelet_97_jp2,
  ]

  /// The folder for files that are decoded to learn what is expected.
  private let scratch: ScratchFolder

  init() throws(PipelineError) { scratch = try ScratchFolder() }

  /// Makes a picture.
  ///
  /// What is expected of a JPEG are the pixels of libjpeg-turbo's accurate inverse DCT and smooth
  /// upsampling, its defaults.
  func picture(_ recipe: ConformanceRecipe) throws(PipelineError) -> ConformancePicture {
    let file = recipe.file
    if let bytes = Self.embedded[file] { return try known(file, bytes) }
    if file.hasSuffix(".png") { return try known(file, PNGFile(recipe).bytes) }
    let pixels = Pixels(
      pattern: recipe.sides.width, recipe.sides.height, bands: recipe.bands ?? 3,
      bits: recipe.bits ?? 8)
    if let jpeg = recipe.jpeg {
      guard let encoding = try? jpeg.jpegEncoding(for: file) else {
        preconditionFailure("the embedded recipes are right")
      }
      let plain = try JPEGEncoder.encode(pixels.bytes, size: pixels.size, encoding)
      var picture = try known(file, plain)
      if let change = recipe.change { picture.bytes = change.applied(to: plain) }
      return picture
    }
    guard file.hasSuffix(".tif") else {
      let bytes = pixels.pnm(commentLength: recipe.commentLength)
      return ConformancePicture(file: file, bytes: bytes, expected: pixels)
    }
    var levels: [Pixels] = []
    if let rounding = recipe.levels {
      levels = [halved(pixels, rounding), halved(halved(pixels, rounding), rounding)]
    }
    let bytes = try TIFFFile(recipe: recipe, images: [pixels] + levels).bytes()
    var picture =
      try recipe.isPlain == true
      ? ConformancePicture(file: file, bytes: bytes, expected: pixels) : known(file, bytes)
    picture.levels = levels
    return picture
  }

  /// Returns a picture whose file is decoded by libvips to learn what is expected.
  private func known(_ file: String, _ bytes: [UInt8]) throws(PipelineError) -> ConformancePicture {
    let path = scratch.path.appending(file)
    try AtomicFile.write(bytes, to: path)
    let picture = try Picture(path, limits: PictureLimits(loaders: .all))
    return ConformancePicture(
      file: file, bytes: bytes,
      expected: try picture.storedPixels().upright(from: picture.orientation),
      orientation: picture.orientation)
  }

  /// Returns a copy; unless sides are rounded up, it lacks the last column or row of an odd side.
  private func halved(_ pixels: Pixels, _ rounding: ConformanceRecipe.Levels) -> Pixels {
    let (width, height) = (pixels.size.width, pixels.size.height)
    let even = PixelRegion(uncheckedX: 0, y: 0, width: width & ~1, height: height & ~1)
    return (rounding == .up ? pixels : pixels.cut(even)).reduced(by: .half)
  }
}
