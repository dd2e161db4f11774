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

  /// Returns the pictures of other formats.
  func otherPictures() throws(PipelineError) -> [String: [ConformancePicture]] {
    let deep = pnm("pnm-grey-16", "P5\n# 16 bits\n", pattern(bands: 1, bits: 16))
    return [
      "last-row-at-a-buffer's-end": [pageEnd()],
      "pnm-16-bits": [deep],
      "avif-grid": [try known("grid-aperture.avif", PackageResources.grid_aperture_avif)],
      "webp-chroma-context": [try known("lossy.webp", PackageResources.lossy_webp)],
      "jp2-window": [
        try known("wavelet-53.jp2", PackageResources.wavelet_53_jp2),
        try known("wavelet-97.jp2", PackageResources.wavelet_97_jp2),
      ],
    ]
  }

  /// Returns a PPM, whose file ends where a page of 4 KB ends, by the length of its comment.
  private func pageEnd() -> ConformancePicture {
    let length = pnm("", "P6\n#\n", pattern()).bytes.count
    let filler = String(repeating: "-", count: (4096 - length % 4096) % 4096)
    return pnm("ends-at-a-page", "P6\n#\(filler)\n", pattern())
  }

  private func pnm(_ name: String, _ start: String, _ pixels: Pixels) -> ConformancePicture {
    let most = 1 << (8 * pixels.format.byteCount) - 1
    let header = "\(start)\(pixels.size.width) \(pixels.size.height)\n\(most)\n"
    return ConformancePicture(
      file: "\(name).\(pixels.bands == 1 ? "pgm" : "ppm")",
      bytes: Array(header.utf8) + pixels.bigEndian, expected: pixels)
  }
}
