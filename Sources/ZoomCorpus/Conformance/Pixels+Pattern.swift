internal import ZoomGeometry
internal import ZoomPipeline

extension Pixels {
  /// Creates a picture in which a sample from a wrong place almost always has a wrong value.
  ///
  /// Patches of 5x3 pixels give chroma and filters something to carry across a region's edge,
  /// gradients make patches differ, and noise makes neighbours differ. Sides are at most 256, so
  /// that the sum stays below 65,536. Only integers are used: it is the same everywhere. Rows of
  /// 32 bits are what predictor 3 makes of floats from 32 to 128: the highest bytes, all 0x42, as
  /// differences, and then bytes of any value.
  init(pattern width: Int, _ height: Int, bands: Int = 3, bits: Int = 8) {
    var bytes: [UInt8] = []
    for y in 0..<height {
      if bits == 32 {
        bytes += [UInt8](repeating: 0x42, count: bands)
        bytes += [UInt8](repeating: 0, count: (width - 1) * bands)
        bytes += (0..<3 * width * bands).map { UInt8(LatticeHash.below(256, 42, $0, y)) }
        continue
      }
      for sample in 0..<width * bands {
        let (x, key) = (sample / bands, 43 + UInt64(sample % bands) * 1009)
        let patch = LatticeHash.below(32_768, key, x / 5, y / 3)
        let grain = LatticeHash.below(8_192, key + 1, x, y)
        let value = patch + x * 52 + y * 43 + grain
        if bits == 16 { bytes.append(UInt8(value & 0xFF)) }
        bytes.append(UInt8(value >> 8))
      }
    }
    self.init(
      size: PixelRegion(uncheckedX: 0, y: 0, width: width, height: height).size, bands: bands,
      format: bits == 32 ? .float32 : bits == 16 ? .uint16 : .uint8,
      interpretation: bands < 3 ? .grey : .srgb, bytes: bytes)
  }

  /// Returns a PGM or PPM, with a comment of a length.
  func pnm(commentLength: Int?) -> [UInt8] {
    let most = 1 << (8 * format.byteCount) - 1
    let comment = commentLength.map { "#\(String(repeating: "-", count: $0 - 2))\n" } ?? ""
    let header = "P\(bands == 1 ? 5 : 6)\n\(comment)\(size.width) \(size.height)\n\(most)\n"
    return Array(header.utf8) + bigEndian
  }

  /// The samples, of one or two bytes, with the highest byte first; in memory it is the last.
  var bigEndian: [UInt8] { bytes.indices.map { bytes[$0 ^ (format.byteCount - 1)] } }
}
