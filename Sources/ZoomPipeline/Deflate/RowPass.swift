internal import CZlib

/// Decodes the rows of a deflate stream one after the other, from an entry point on.
@safe final class RowPass {
  private let rows: DeflatedRows
  private let inflater: Inflater
  /// Bytes of each row that are wanted, from the left.
  private let wantedBytes: Int
  /// The row that comes next, and where it begins in the inflater's output.
  private(set) var row: Int
  private var rowStart: Int
  /// The row above the next one, and the buffer for the next one; each preceded by zeros for the pixel on its left.
  private var above: UnsafeMutablePointer<UInt8>
  private var current: UnsafeMutablePointer<UInt8>
  private static let margin = 16
  private var adler: UInt?
  /// The row of the last moment, and its filter once it is decoded.
  private var momentRow = -1
  private var momentFilter: UInt8?

  /// Enters a picture; with `checks` all checksums are tested from there on.
  ///
  /// Of each row `wantedBytes` are decoded, from the left, or all.
  init(
    _ file: any CodedSource, _ rows: DeflatedRows, at point: RowEntryPoint, wantedBytes: Int? = nil,
    checks: StreamChecks? = nil
  ) throws(InflateFault) {
    self.rows = rows
    self.wantedBytes = wantedBytes ?? rows.rowBytes
    let rowLength = rows.codedRowBytes
    let (window, previous) = try point.unpacked(rows)
    inflater = try Inflater(
      file, rows, at: point.entry, window: window,
      // Large enough that sliding costs little.
      room: max(1 << 18, rowLength + Inflater.excess), crc: checks?.crc)
    (row, rowStart, adler) = (point.row, window.count - point.excess, checks?.adler)
    let capacity = Self.margin + rows.rowBytes + RowFilter.padding
    unsafe (above, current) = (.allocate(capacity: capacity), .allocate(capacity: capacity))
    unsafe above.initialize(repeating: 0, count: capacity)
    unsafe current.initialize(repeating: 0, count: capacity)
    for (place, byte) in previous.enumerated() { unsafe above[Self.margin + place] = byte }
  }

  deinit {
    unsafe above.deallocate()
    unsafe current.deallocate()
  }

  var bytesRead: Int { inflater.bytesRead }

  /// Decodes the next row; of the rows after row `stop`, at most some bytes are inflated.
  func decodeRow(notBehind stop: Int) throws(InflateFault) {
    let rowLength = rows.codedRowBytes
    if inflater.end < rowStart + rowLength {
      if rowStart + rowLength > inflater.capacity - (1 << 16) { dropUnneeded() }
      let wanted = rowStart + rowLength * max(1, min(stop - row, inflater.capacity / rowLength))
      try inflate(to: max(rowStart + rowLength, min(wanted, inflater.capacity)))
      guard inflater.end >= rowStart + rowLength else { throw .cutOff }
    }
    let coded = unsafe inflater.output + rowStart
    if let unit = rows.filterUnit {
      guard
        unsafe RowFilter.undo(
          coded.pointee, of: coded + 1, into: current + Self.margin,
          above: above + Self.margin, count: wantedBytes, unit: unit)
      else { throw .invalid }
      if row == momentRow { momentFilter = unsafe coded.pointee }
      unsafe (above, current) = (current, above)
    } else {
      unsafe (above + Self.margin).update(from: coded, count: wantedBytes)
    }
    rowStart += rowLength
    row += 1
  }

  /// The bytes of the row that was decoded last, from the left.
  func withRow<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    defer { extendLifetime(self) }
    return unsafe body(above + Self.margin)
  }

  /// Drops output that neither the next row nor a match needs.
  private func dropUnneeded() {
    let start = min(rowStart, max(0, inflater.end - Inflater.windowLength))
    inflater.slide(from: start)
    rowStart -= start
  }

  /// Reads the end of the stream: the last row must be the last output, and the Adler-32 that of all output.
  ///
  /// More output is a warning of libpng's. libtiff (4.5, by libdeflate) accepts it, too, but may leave the last
  /// bytes of the rows as they were in its buffer. Such pictures are left to libvips.
  func finish() throws(InflateFault) {
    if !inflater.isDone {
      // The end-of-block code produces no output, but the inflater reads it only if the buffer has free space.
      if inflater.end >= inflater.capacity { dropUnneeded() }
      try inflate(to: inflater.end + 1)
    }
    guard inflater.isDone, inflater.end == rowStart else { throw .invalid }
    let sum = try inflater.adler()
    guard adler == nil || sum == adler else { throw .invalid }
    // Of the last chunk, too.
    _ = try inflater.crc()
  }

  private func inflate(to limit: Int) throws(InflateFault) {
    let start = inflater.end
    try inflater.inflate(to: min(limit, inflater.capacity))
    if let sum = adler {
      adler = unsafe adler32_z(sum, inflater.output + start, inflater.end - start)
    }
  }

  // MARK: Entry points

  /// The parts of an entry point at the next row, copied because later rows overwrite them.
  struct Moment {
    let entry: InflateEntry
    let row: Int
    /// Bytes of the window that belong to this row and those below.
    let excess: Int
    var window: [UInt8]
    /// The row above.
    var above: [UInt8]
    let checks: StreamChecks
  }

  /// Takes down where the next row begins, and begins to mark which bytes of the window are used from here on.
  func moment() throws(InflateFault) -> Moment {
    // The entry is after all output so far, which ends less than a row after the next row's start.
    let count = min(inflater.end, Inflater.windowLength)
    let window = unsafe Array(
      UnsafeBufferPointer(start: inflater.output + inflater.end - count, count: count))
    let row = unsafe Array(UnsafeBufferPointer(start: above + Self.margin, count: rows.rowBytes))
    let moment = Moment(
      entry: inflater.entry, row: self.row, excess: inflater.end - rowStart, window: window,
      above: row, checks: StreamChecks(crc: try inflater.crc(), adler: adler ?? 1))
    inflater.beginMarking()
    (momentRow, momentFilter) = (self.row, nil)
    return moment
  }

  /// Whether no code after the last moment can use its window any more.
  var isMomentOver: Bool { inflater.isMarkingDone }

  /// The entry point of the last moment; with its whole window where more could still use it.
  func point(of moment: Moment) -> RowEntryPoint {
    var moment = moment
    if isMomentOver {
      let own = Array(moment.window.suffix(moment.excess))
      inflater.clearUnused(of: &moment.window)
      moment.window.replaceSubrange((moment.window.count - own.count)..., with: own)
    }
    // Filters 0 and 1 do not look at the row above, nor do rows without filters.
    if rows.filterUnit == nil || momentFilter.map({ $0 < 2 }) ?? false {
      moment.above = [UInt8](repeating: 0, count: rows.rowBytes)
    }
    return RowEntryPoint(moment, rows)
  }
}
