internal import Synchronization

/// The strips that were decoded to their ends without an error.
///
/// A strip that libtiff (4.5) refuses must not be shown in part. libtiff decodes most strips whole,
/// so the first peek decodes each strip whole; later peeks decode what they show. Deflate has a
/// second reason: libdeflate stops before a match or stored block that exceeds the rows, and
/// libtiff accepts that. The missing bytes keep what the buffer held before, which depends on
/// earlier strips. A pass from the top decodes such strips.
final class DecodedStrips: Sendable {
  private let strips: TIFFStrips
  /// The strips' numbers: the plane times the strips per plane, plus the strip.
  private let whole = Mutex<Set<Int>>([])

  /// The most strips that are remembered, to bound the memory.
  private static let mostRemembered = 1 << 16

  init(_ strips: TIFFStrips) { self.strips = strips }

  /// Whether all strips with these numbers were decoded.
  func contain(_ numbers: Range<Int>) -> Bool {
    whole.withLock { whole in numbers.allSatisfy(whole.contains) }
  }

  func insert(_ number: Int) {
    whole.withLock { whole in
      if whole.count >= Self.mostRemembered { whole.removeAll() }
      whole.insert(number)
    }
  }

  /// Returns whether a deflate strip decodes to exactly its rows.
  func holdsJustItsRows(
    _ strip: Int, plane: Int, _ place: TIFFStrips.Place, in file: FileReader
  ) throws(PipelineError) -> Bool {
    let number = plane * strips.stripsPerPlane + strip
    if contain(number..<number + 1) { return true }
    // Rows of subsampled colours are packed in another way.
    guard strips.directory.looseNumber(TIFFTag.photometric) != Photometric.yCbCr,
      strips.directory.looseNumber(TIFFTag.fillOrder) ?? 1 == 1,
      let rows = try DeflatedRows(
        of: place, rows: strips.rows(of: strip).count, rowBytes: strips.rowByteCount, in: file),
      try unsafe RowIndex(file, rows, spacing: rows.count + 1).grow(to: rows.count, { _, _ in })
        != nil
    else { return false }
    insert(number)
    return true
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
