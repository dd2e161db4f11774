internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceMaker {
  /// Returns the traps of other formats, and of buffers.
  func otherTraps() throws(PipelineError) -> [ConformanceTrap] {
    // With a filter per row, 128 rows of 255 pixels are 32 KB; as many of 256 are it without.
    let inflated = Raster(256, 128, bands: 1)
    var strip = TIFFFile(raster: inflated, photometric: 1, blockHeight: 128)
    strip.coding = .deflate
    return [
      ConformanceTrap(
        name: "last-row-at-a-buffer's-end",
        why: "The last row ends exactly where a buffer of 32 KB or a page of 4 KB ends; asking for "
          + "one byte more must not lose it.",
        pictures: [
          png("ends-at-32-kb", Raster(255, 128, bands: 1)),
          ConformancePicture(
            file: "strip-of-32-kb.tif", bytes: try strip.bytes(), expected: inflated),
          pageEnd(),
        ]),
      ConformanceTrap(
        name: "pnm-16-bits",
        why: "Samples above 255 have two bytes, the higher first, and a comment may be anywhere in "
          + "the header.",
        differences: [.eightBits],
        pictures: [
          pnm("pnm-grey-16", "P5\n# 16 bits\n", Raster(Self.width, 117, bands: 1, bits: 16))
        ]),
      ConformanceTrap(
        name: "avif-grid",
        why:
          "A grid's last tiles are cut, a clean aperture cuts the grid at odd places, and a turn "
          + "follows; regions are of what is left.",
        differences: [
          ConformanceDifference(
            family: "another rounding of grey to RGB", largest: 1, mean: 0.5)
        ],
        unit: 64,
        pictures: [
          try known("grid-aperture.avif", PackageResources.grid_aperture_avif)
        ]),
      ConformanceTrap(
        name: "webp-chroma-context",
        why: "A decoder that crops before it enlarges chroma takes the region's edge for the "
          + "picture's.",
        differences: [.otherUpsampling], isThorough: true,
        pictures: [try known("lossy.webp", PackageResources.lossy_webp)]),
      ConformanceTrap(
        name: "jp2-window",
        why: "A wavelet reaches over the edges of a region: some code blocks beside it are needed.",
        differences: [
          ConformanceDifference(
            family: "another precision of the 9/7 wavelet", largest: 2, mean: 0.2)
        ],
        isThorough: true,
        pictures: [
          try known("wavelet-53.jp2", PackageResources.wavelet_53_jp2),
          try known("wavelet-97.jp2", PackageResources.wavelet_97_jp2),
        ]),
    ]
  }

  /// Returns a PPM, whose file ends where a page of 4 KB ends, by the length of its comment.
  private func pageEnd() -> ConformancePicture {
    let raster = Raster(Self.width, 117)
    let length = pnm("", "P6\n#\n", raster).bytes.count
    let filler = String(repeating: "-", count: (4096 - length % 4096) % 4096)
    return pnm("ends-at-a-page", "P6\n#\(filler)\n", raster)
  }

  private func pnm(_ name: String, _ start: String, _ raster: Raster) -> ConformancePicture {
    let header = "\(start)\(raster.width) \(raster.height)\n\(1 << raster.bits - 1)\n"
    let samples = raster.values.flatMap { value in
      stride(from: raster.bits - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: value >> UInt32($0))
      }
    }
    return ConformancePicture(
      file: "\(name).\(raster.bands == 1 ? "pgm" : "ppm")", bytes: Array(header.utf8) + samples,
      expected: raster)
  }
}
