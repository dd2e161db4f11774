extension JPEGStructure {
  /// Puts segments of metadata into a JPEG: first, but for JFIF's own, which JFIF wants first.
  /// - Parameters:
  ///   - segments: whole segments, each with its marker.
  ///   - encoded: a JPEG.
  static func insert(_ segments: [UInt8], into encoded: inout [UInt8]) {
    var place = 2
    if encoded.count > 6, encoded[2] == 0xFF, encoded[3] == 0xE0 {
      place += 2 + Int(encoded[4]) << 8 + Int(encoded[5])
    }
    encoded.insert(contentsOf: segments, at: min(place, encoded.count))
  }
}
