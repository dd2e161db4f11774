extension TIFFStrips {
  /// Returns whether a deflate strip decodes to exactly its rows.
  func holdsJustItsRows(
    _ strip: Int, _ place: Place, in file: FileReader
  ) throws(PipelineError) -> Bool {
    // Rows of subsampled colours are packed in another way.
    guard directory.looseNumber(TIFFTag.photometric) != Photometric.yCbCr,
      directory.looseNumber(TIFFTag.fillOrder) ?? 1 == 1,
      let rows = try DeflatedRows(
        of: place, rows: rows(of: strip).count, rowBytes: rowByteCount, in: file)
    else { return false }
    return try unsafe RowIndex(file, rows, spacing: rows.count + 1).grow(to: rows.count) { _, _ in }
      != nil
  }
}

extension DeflatedRows {
  /// Creates the rows of a strip; nil if it does not begin like a zlib stream (RFC 1950).
  init?(
    of place: TIFFStrips.Place, rows count: Int, rowBytes: Int, in file: FileReader
  ) throws(PipelineError) {
    guard place.count > 2 else { return nil }
    let head = try file.bytes(at: place.offset, count: 2)
    // A truncated file yields no bytes.
    let (method, flags) = (Int(head.first ?? 0), Int(head.last ?? 0))
    guard method & 15 == 8, method >> 4 <= 7, (method << 8 | flags) % 31 == 0, flags & 0x20 == 0
    else { return nil }
    let start = StreamPlace(offset: place.offset + 2, rest: place.count - 2, bit: 0)
    self.init(
      count: count, rowBytes: rowBytes, filterUnit: nil,
      start: InflateEntry(block: start, symbol: start, stored: 0),
      reach: 1 << (method >> 4 + 8), startChecks: StreamChecks(crc: nil, adler: 1),
      isInChunks: false)
  }
}
