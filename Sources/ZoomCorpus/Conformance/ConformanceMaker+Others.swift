internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceMaker {
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
