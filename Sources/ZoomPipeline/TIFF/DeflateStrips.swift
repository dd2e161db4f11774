internal import Synchronization

/// Whether deflate strips hold just their rows, and no more.
///
/// libdeflate, which libtiff (4.5) uses, ends before a match that goes beyond the rows it is asked for, and libtiff
/// takes that for a whole strip. The match's bytes in the last row stay what they were in the buffer, which
/// depends on what else was decoded. So a strip is inflated here once before libtiff is trusted with it.
final class DeflateStrips: Sendable {
  private let strips: TIFFStrips
  /// By plane and strip.
  private let whole = Mutex<Set<Int>>([])

  /// Strips that are remembered, so that memory stays bounded.
  private static let mostRemembered = 1 << 16

  init(_ strips: TIFFStrips) { self.strips = strips }

  /// Whether these strips of the only plane are known to be whole.
  func areWhole(_ numbers: Range<Int>) -> Bool {
    whole.withLock { whole in numbers.allSatisfy(whole.contains) }
  }

  /// Takes down that a strip was inflated to its end.
  func note(_ number: Int) {
    whole.withLock { whole in
      if whole.count >= Self.mostRemembered { whole.removeAll() }
      whole.insert(number)
    }
  }

  /// Inflates a strip, unless that has been done.
  func isWhole(
    _ strip: Int, plane: Int, _ place: TIFFStrips.Place, in file: FileReader
  ) throws(PipelineError) -> Bool {
    let number = plane * strips.stripsPerPlane + strip
    if whole.withLock({ $0.contains(number) }) { return true }
    // Rows of subsampled colours are packed in another way.
    guard strips.directory.looseNumber(TIFFTag.photometric) != 6,
      strips.directory.looseNumber(TIFFTag.fillOrder) ?? 1 == 1,
      let rows = try DeflatedRows(
        of: place, rows: strips.rows(of: strip).count, rowBytes: strips.rowByteCount, in: file),
      try unsafe RowIndex(file, rows, spacing: rows.count + 1).grow(to: rows.count, { _, _ in })
        != nil
    else { return false }
    note(number)
    return true
  }
}

extension DeflatedRows {
  /// The rows of a strip; nil where it does not begin as a zlib stream (RFC 1950) does.
  init?(
    of place: TIFFStrips.Place, rows count: Int, rowBytes: Int, in file: FileReader
  ) throws(PipelineError) {
    guard place.count > 2 else { return nil }
    let head = try file.bytes(at: place.offset, count: 2)
    let (method, flags) = (Int(head.first ?? 0), Int(head.last ?? 0))
    // Of a file that has become shorter in between there is nothing.
    guard method & 15 == 8, method >> 4 <= 7, (method << 8 | flags) % 31 == 0, flags & 0x20 == 0
    else { return nil }
    let start = StreamPlace(offset: place.offset + 2, rest: place.count - 2, bit: 0)
    self.init(
      count: count, rowBytes: rowBytes, filterUnit: nil,
      start: InflateEntry(block: start, symbol: start, stored: 0),
      // libtiff stops at the last row, in front of the checksum.
      reach: 1 << (method >> 4 + 8), startChecks: nil, isInChunks: false)
  }
}
