internal import ZoomGeometry

/// Decoded rows of a picture, in pieces as wide as the picture.
struct KeptRows: Sendable {
  private(set) var decoded = RangeSet<Int>()
  private var pieces: [(y: Int, pixels: Pixels)] = []

  /// The row after the last one that is kept.
  var foot: Int { decoded.ranges.last?.upperBound ?? 0 }

  /// Adds rows of the picture that are not kept yet.
  mutating func insert(_ pixels: Pixels, at y: Int) {
    decoded.insert(contentsOf: y..<y + pixels.size.height)
    pieces.append((y, pixels))
  }

  /// Returns the pixels of a stored region; nil if not all of its rows are kept.
  func pixels(of stored: PixelRegion) -> Pixels? {
    let wanted = stored.y..<stored.maxY
    guard decoded.isSuperset(of: RangeSet(wanted)), let first = pieces.first?.pixels
    else { return nil }
    let pixelBytes = first.bands * first.format.byteCount
    let rowBytes = stored.width * pixelBytes
    let count = rowBytes * stored.height
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      for (y, pixels) in pieces {
        let rows = (y..<y + pixels.size.height).clamped(to: wanted)
        unsafe pixels.bytes.withUnsafeBytes { source in
          for row in rows {
            let start = (row - y) * pixels.rowByteCount + stored.x * pixelBytes
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[((row - stored.y) * rowBytes)...])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + rowBytes]))
          }
        }
      }
      initialized = count
    }
    return Pixels(
      size: stored.size, bands: first.bands, format: first.format,
      interpretation: first.interpretation, bytes: bytes)
  }
}
