internal import ZoomGeometry

/// Decoded rows of a picture, in pieces as wide as the picture, from the top.
///
/// The pieces hold their memory's reservation, so that it lasts as long as any copy of them.
struct KeptRows: Sendable {
  private struct Piece {
    let rows: Range<Int>
    let pixels: Pixels
    let reservation: MemoryBudget.Reservation
  }

  private(set) var decoded = RangeSet<Int>()
  private var pieces: [Piece] = []

  /// The row after the last one that is kept.
  var foot: Int { decoded.ranges.last?.upperBound ?? 0 }

  /// Adds rows of the picture that are not kept yet.
  mutating func insert(_ pixels: Pixels, at y: Int, _ reservation: MemoryBudget.Reservation) {
    let rows = y..<y + pixels.size.height
    decoded.insert(contentsOf: rows)
    pieces.insert(
      Piece(rows: rows, pixels: pixels, reservation: reservation), at: firstPiece(endingBelow: y))
  }

  /// Returns the number of pieces that end at a row or above it.
  private func firstPiece(endingBelow row: Int) -> Int {
    var range = 0..<pieces.count
    while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
      range =
        pieces[middle].rows.upperBound <= row
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
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
      for piece in pieces[firstPiece(endingBelow: stored.y)...] {
        guard piece.rows.lowerBound < stored.maxY else { break }
        unsafe piece.pixels.bytes.withUnsafeBytes { source in
          for row in piece.rows.clamped(to: wanted) {
            let start =
              (row - piece.rows.lowerBound) * piece.pixels.rowByteCount + stored.x * pixelBytes
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
