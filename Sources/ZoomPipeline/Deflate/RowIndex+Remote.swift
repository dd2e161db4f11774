internal import ZoomGeometry

/// The plan of reads from a server.
extension RowIndex {
  /// The bytes at a block's start that hold its header, even if it lies in two chunks of a PNG.
  private static let headerLength = 1 << 11
  /// The bytes that `PieceStream` may read after the last one that it needs: two of its pieces, and
  /// the headers of chunks in them.
  private static let mostAhead = 1 << 17 + 1 << 12

  /// Announces the reads of bands of rows, if a stored index has their places.
  ///
  /// The places of the coded data are in the heads of the points, which are fetched at the same time
  /// as the points where the bands start.
  func expect(_ bands: [PixelRegion]) throws(PipelineError) {
    guard file.isRemote, let stored else { return }
    let places: [Range<Int>]
    do throws(SidecarRefusal) { places = try self.places(of: bands, stored) } catch {
      // Reading a point would wait as long again for a silent server.
      giveUpStored()
      return
    }
    try file.expect(places)
  }

  /// Returns the ranges of the picture's file that bands need.
  ///
  /// Only hints are taken from the heads, which are not checked here.
  private func places(
    of bands: [PixelRegion], _ stored: Sidecar
  ) throws(SidecarRefusal) -> [Range<Int>] {
    let header = stored.header
    func offsets(_ point: Int) throws(SidecarRefusal) -> (block: Int, symbol: Int) {
      guard point < header.pointCount else { return (header.end, header.end) }
      let head = try stored.start(ofBlock: point, count: RowEntryPoint.recordByteCount)
      guard head.count == RowEntryPoint.recordByteCount else { return (header.end, header.end) }
      // A place is an offset of six bytes, and five bytes of other fields.
      let numbers = [0, 11].map { head.integer(at: $0, byteCount: 6) }
      return (min(numbers[0], header.end), min(numbers[1], header.end))
    }
    let starts = bands.map { $0.y / spacing }
    let ends = bands.map { ($0.maxY + spacing - 1) / spacing }
    try stored.expect(
      blocks: starts, andStartsOf: ends.filter { $0 < header.pointCount },
      count: RowEntryPoint.recordByteCount)
    var places: [Range<Int>] = []
    for (start, end) in zip(starts, ends) {
      let first = try offsets(start)
      places.append(first.block..<first.block + Self.headerLength)
      let last = max(first.symbol, try offsets(end).symbol)
      places.append(first.symbol..<last + Self.mostAhead)
    }
    return places
  }
}
