internal import ZoomGeometry

/// Reads TIFFs with all rows in one deflate or LZW strip, from the nearest entry point.
struct TIFFOneStripReader: RegionReader {
  private let strips: TIFFStrips
  private let rows: any RowReader
  private let carver: TIFFRowCarver

  /// Reads a picture's only strip; throws `unsupported` if it lacks entry points.
  init(_ picture: Picture, _ strips: TIFFStrips) throws(PipelineError) {
    let file = picture.file
    self.strips = strips
    carver = try TIFFRowCarver(picture, strips)
    guard let strip = try strips.places(0..<1, in: file)?.places.first,
      let rows = try carver.reader(of: strip, rows: strips.size.height, in: file)
    else { throw file.refusal("its strip's first bytes do not fit its coding", operation: "index") }
    self.rows = rows
  }

  var index: (any EntryIndex)? { rows }

  func cost(of stored: PixelRegion) -> PeekCost {
    rows.cost(of: stored, in: strips.size, isReadWhole: strips.areReadWhole)
  }

  func keptUnit(of stored: PixelRegion) -> KeptUnit { rows.keptUnit(of: stored) }

  func plan(_ stored: PixelRegion) -> RegionPlan {
    RegionPlan(
      stored.bands(ofRowBytes: strips.cut(of: stored).byteCount, enteredEvery: rows.spacing))
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let stored = band.region
    // A strip that libtiff refuses must not be shown in part: see `TIFFStripReader.checked`.
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
