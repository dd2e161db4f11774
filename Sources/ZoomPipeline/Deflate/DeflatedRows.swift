/// Rows of a picture that follow each other in one zlib stream, in a PNG or a strip of a TIFF.
struct DeflatedRows: Sendable, Hashable {
  let count: Int
  /// The bytes of a row without its filter type.
  let rowBytes: Int
  /// The distance in bytes to the left neighbour in PNG's filters; nil for rows without filters.
  let filterUnit: Int?
  let start: InflateEntry
  /// The largest distance of a match.
  let reach: Int
  /// The checksums of everything before the start.
  let startChecks: StreamChecks

  /// Creates rows that start after a zlib header (RFC 1950); nil if `header` is not one.
  ///
  /// `crc` is the chunk's CRC up to the start; nil for a stream without chunks.
  init?(
    _ count: Int, rowBytes: Int, filterUnit: Int? = nil, after header: (method: Int, flags: Int),
    at start: StreamPlace, crc: UInt? = nil
  ) {
    let (method, flags) = header
    guard method & 15 == 8, method >> 4 <= 7, (method << 8 | flags) % 31 == 0, flags & 0x20 == 0
    else { return nil }
    (self.count, self.rowBytes, self.filterUnit) = (count, rowBytes, filterUnit)
    self.start = InflateEntry(block: start, symbol: start, stored: 0)
    reach = 1 << (method >> 4 + 8)
    startChecks = StreamChecks(crc: crc, adler: 1)
  }

  /// Creates the rows of a strip; nil if it does not begin like a zlib stream.
  init?(
    of place: TIFFStrips.Place, rows count: Int, rowBytes: Int, in file: FileReader
  ) throws(PipelineError) {
    guard place.count > 2 else { return nil }
    let head = try file.bytes(at: place.offset, count: 2)
    // A truncated file yields no bytes.
    self.init(
      count, rowBytes: rowBytes, after: (method: Int(head.first ?? 0), flags: Int(head.last ?? 0)),
      at: StreamPlace(offset: place.offset + 2, rest: place.count - 2, bit: 0))
  }

  /// Whether the stream is in PNG chunks; otherwise it ends where `start.rest` does.
  var isInChunks: Bool { startChecks.crc != nil }

  var codedRowBytes: Int { rowBytes + (filterUnit == nil ? 0 : 1) }
}
