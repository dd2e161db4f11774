internal import ZoomGeometry
internal import ZoomPipeline

extension Pixels {
  /// Creates a picture in which a sample from a wrong place almost always has a wrong value.
  ///
  /// Patches of 5x3 pixels give chroma and filters something to carry across a region's edge,
  /// gradients make patches differ, and noise makes neighbours differ. Sides are at most 256, so
  /// that the sum stays below 65,536. Only integers are used: it is the same everywhere. Samples of
  /// fewer than 8 bits have a byte each; those of 32 bits are floats.
  init(
    pattern width: Int, _ height: Int, bands: Int = 3, bits: Int = 8,
    _ interpretation: ColourInterpretation? = nil
  ) {
    let format: SampleFormat = bits == 32 ? .float32 : bits == 16 ? .uint16 : .uint8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * bands * format.byteCount)
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands {
          let key = 43 + UInt64(band) * 1009
          let patch = LatticeHash.below(32_768, key, x / 5, y / 3)
          let grain = LatticeHash.below(8_192, key + 1, x, y)
          let value = patch + x * 52 + y * 43 + grain
          let sample =
            switch format {
            // Quarters from 0 to 255.75, which a float holds exactly.
            case .float32: (Float(value >> 6) / 4).bitPattern
            case .uint16: UInt32(value)
            default: UInt32(value >> (16 - bits))
            }
          withUnsafeBytes(of: sample.littleEndian) { bytes += $0.prefix(format.byteCount) }
        }
      }
    }
    self.init(
      size: PixelRegion(uncheckedX: 0, y: 0, width: width, height: height).size, bands: bands,
      format: format, interpretation: interpretation ?? (bands < 3 ? .grey : .srgb), bytes: bytes)
  }

  /// Returns pixels of 8 bits with other samples, computed pixel by pixel.
  func mapped(bands: Int, _ pixel: (ArraySlice<UInt8>) -> [UInt8]) -> Pixels {
    let mapped = stride(from: 0, to: bytes.count, by: self.bands).flatMap { start in
      pixel(bytes[start..<start + self.bands])
    }
    return Pixels(
      size: size, bands: bands, format: .uint8, interpretation: bands < 3 ? .grey : .srgb,
      bytes: mapped)
  }

  /// The samples with the highest byte first; in memory it is the last.
  var bigEndian: [UInt8] {
    let count = format.byteCount
    return stride(from: 0, to: bytes.count, by: count).flatMap { start in
      bytes[start..<start + count].reversed()
    }
  }
}
