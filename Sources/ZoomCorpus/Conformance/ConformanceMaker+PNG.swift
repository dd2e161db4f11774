internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceMaker {
  /// Returns the pictures for PNG, whose samples are exact.
  func pngPictures() -> [String: [ConformancePicture]] {
    var pictures: [String: [ConformancePicture]] = [:]
    pictures["png-filters"] = [
      png("filters-all", pattern()), png("filters-up", pattern()) { $0.filters = [2] },
      png("filters-average", pattern()) { $0.filters = [3] },
      png("filters-paeth", pattern()) { $0.filters = [4] },
    ]
    pictures["png-interlaced"] = [
      png("interlaced", pattern()) { $0.isInterlaced = true },
      png("interlaced-3x2", Pixels(pattern: 3, 2)) { $0.isInterlaced = true },
    ]
    pictures["png-16-bits"] = [
      png("rgb-16", pattern(bits: 16)), png("grey-16", pattern(bands: 1, bits: 16)),
    ]
    pictures["png-alpha"] = [
      png("alpha", pattern(bands: 4)), png("grey-alpha", pattern(bands: 2)),
    ]
    pictures["png-palette"] = [palette()]
    pictures["png-sub-byte"] = [1, 2, 4].map { bits in
      let pixels = pattern(bands: 1, bits: bits)
      let scale = UInt8(255 / (1 << bits - 1))
      let decoded = pixels.mapped(bands: 1) { $0.map { $0 * scale } }
      return png("grey-\(bits)", pixels, decoding: decoded) { $0.bits = bits }
    }
    pictures["png-transparent-colour"] = [
      transparent("grey-transparent", 1), transparent("rgb-transparent", 3),
    ]
    pictures["png-pieces"] = [
      png("pieces", pattern()) { $0.pieces = [1, 0, 2, 3, 997, 0, 64] }
    ]
    // With a filter per row, 128 rows of 255 pixels are 32 KB.
    pictures["last-row-at-a-buffer's-end"] = [
      png("ends-at-32-kb", Pixels(pattern: 255, 128, bands: 1))
    ]
    return pictures
  }

  /// Returns a PNG of samples; `decoded` replaces them as what its pixels should be.
  private func png(
    _ name: String, _ pixels: Pixels, decoding decoded: Pixels? = nil,
    _ adjust: (inout PNGFile) -> Void = { _ in }
  ) -> ConformancePicture {
    var file = PNGFile(pixels)
    adjust(&file)
    return ConformancePicture(
      file: "\(name).png", bytes: file.bytes, expected: decoded ?? pixels)
  }

  private func palette() -> ConformancePicture {
    let pixels = pattern(bands: 1, bits: 4)
    // Sixteen unlike colours; the first five are transparent in steps.
    let colours = (0..<16).map { number in
      (0..<3).map { UInt8(truncatingIfNeeded: number * 83 + $0 * 101) }
    }
    let alphas: [UInt8] = [0, 60, 120, 180, 240]
    let decoded = pixels.mapped(bands: 4) { pixel in
      let number = Int(pixel[pixel.startIndex])
      return colours[number] + [number < alphas.count ? alphas[number] : 255]
    }
    return png("palette", pixels, decoding: decoded) {
      $0.bits = 4
      $0.chunks = [("PLTE", Array(colours.joined())), ("tRNS", alphas)]
    }
  }

  /// Returns a picture of few colours, in which the first pixel's colour is transparent.
  private func transparent(_ name: String, _ bands: Int) -> ConformancePicture {
    let pixels = pattern(bands: bands, bits: 2).mapped(bands: bands) { $0.map { $0 * 80 } }
    let key = pixels.bytes.prefix(bands)
    let decoded = pixels.mapped(bands: bands + 1) { Array($0) + [$0.elementsEqual(key) ? 0 : 255] }
    return png(name, pixels, decoding: decoded) {
      $0.chunks = [("tRNS", key.flatMap { [0, $0] })]
    }
  }
}
