/// Rows of a picture that follow each other in one deflate stream, in a PNG or a one-strip TIFF.
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
  /// Whether the stream is in PNG chunks; otherwise it ends where `start.rest` does.
  let isInChunks: Bool

  var codedRowBytes: Int { rowBytes + (filterUnit == nil ? 0 : 1) }
}
