internal import ZoomGeometry

/// Carves TIFFs whose rows are all in one strip of deflate or LZW: decodes the rows of a region from the nearest
/// entry point on.
struct OneStripCarver: Carver {
  private let strips: TIFFStrips
  private let rows: any RowReader
  private let carver: TIFFRowCarver

  /// Takes a picture whose rows can be entered.
  /// - Throws: `unsupported`.
  init(_ picture: Picture, _ directory: TIFFDirectory) throws(PipelineError) {
    func refusal(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: "index", file: picture.path, reason: reason)
    }
    strips = try TIFFStrips(of: picture, directory)
    guard strips.stripsPerPlane == 1, strips.planes == 1 else {
      throw refusal("its rows are in more than one strip")
    }
    carver = try TIFFRowCarver(picture, strips)
    let file = picture.file
    guard let strip = try strips.places(0..<1, plane: 0, in: file)?.places.first,
      let rows = try carver.reader(of: strip, rows: strips.size.height, in: file)
    else { throw refusal("its strip does not begin as its coding does") }
    self.rows = rows
  }

  var explanation: String { rows.summary }
  var state: SourceState { rows.hasGrown ? .index : .openFile }
  func completeIndex() throws(PipelineError) { try rows.completeIndex() }
  func forget() { rows.forget() }

  func cost(of stored: PixelRegion) -> PeekCost {
    let width = strips.size.width
    let later = width * (stored.maxY - stored.y / rows.spacing * rows.spacing)
    let first = width * (strips.areReadWhole ? strips.size.height : stored.maxY)
    return PeekCost(first: rows.covers(stored.maxY) ? later : first, later: later)
  }

  func bands(of stored: PixelRegion) -> [PixelRegion] {
    stored.bands(ofRowBytes: strips.cut(of: stored).byteCount, enteredEvery: rows.spacing)
  }

  func carve(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    // No part of a strip may be shown that libtiff refuses: see `DecodedStrips`.
    let height = strips.size.height
    let end = strips.areReadWhole && !rows.covers(height) ? height : stored.maxY
    return try unsafe carver.carve(stored) { wantedBytes, take throws(PipelineError) in
      try unsafe rows.read(stored.y..<end, wantedBytes: wantedBytes) { row, bytes in
        if row < stored.maxY { unsafe take(row, bytes) }
      }?
      .work(pictureWidth: strips.size.width, width: stored.maxX)
    }
  }
}
