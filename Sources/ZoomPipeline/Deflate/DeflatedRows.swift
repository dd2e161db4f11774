/// Rows of a picture that are coded one behind the other in one deflate stream: a PNG's, or those of a TIFF
/// whose rows are all in one strip.
struct DeflatedRows: Sendable, Hashable {
  let count: Int
  /// Bytes of a row, without its filter type.
  let rowBytes: Int
  /// Bytes from a byte to the one on its left that PNG's filters take; nil where rows have no filters.
  let filterUnit: Int?
  /// Where deflate data begins.
  let start: InflateEntry
  /// How far back a match may reach.
  let reach: Int
  /// The checks of everything before the start.
  let startChecks: StreamChecks
  /// Whether the stream is cut into chunks, as in a PNG; else it ends where `start.rest` does.
  let isInChunks: Bool

  /// Bytes of a row in the stream.
  var codedRowBytes: Int { rowBytes + (filterUnit == nil ? 0 : 1) }
}
