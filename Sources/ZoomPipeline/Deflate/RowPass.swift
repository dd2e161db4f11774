internal import CZlib

/// Decodes the rows of a deflate stream one after the other from an entry point.
@safe final class RowPass {
  private let rows: DeflatedRows
  private let inflater: Inflater
  /// The number of wanted bytes of each row, from the left.
  private let wantedBytes: Int
  /// The next row and, below, its start in the inflater's output.
  private(set) var row: Int
  private var rowStart: Int
  /// The row above and the buffer for the next row, each preceded by zeros for the left neighbour.
  private var above: UnsafeMutablePointer<UInt8>
  private var current: UnsafeMutablePointer<UInt8>
  private static let margin = 16
  private var adler: UInt?
  /// The row of the last moment, and its filter once it is decoded.
  private var momentRow = -1
  private var momentFilter: UInt8?

  /// Starts at an entry point; with `checks`, all checksums are tested from there on.
  ///
  /// `wantedBytes` of each row are decoded, from the left, or all.
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
      // Large enough that moving the output costs little.
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

  /// Decodes the next row; inflates at most some bytes of the rows after row `stop`.
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

  /// Calls the body with the bytes of the last decoded row.
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

  /// Reads the end of the stream; throws unless it follows the last row and the Adler-32 matches.
  ///
  /// libpng warns of more output. libtiff (4.5, by libdeflate) accepts it, too, but may leave the
  /// rows' last bytes as they were in its buffer. libvips decodes such pictures.
  func finish() throws(InflateFault) {
    if !inflater.isDone {
      // The inflater reads the end-of-block code, which yields no output, only if the buffer has
      // space.
      if inflater.end >= inflater.capacity { dropUnneeded() }
      try inflate(to: inflater.end + 1)
    }
    guard inflater.isDone, inflater.end == rowStart else { throw .invalid }
    let sum = try inflater.adler()
    guard adler == nil || sum == adler else { throw .invalid }
    // Checks the CRC of the last chunk.
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
    /// The bytes of the window that belong to this row and those below.
    let excess: Int
    var window: [UInt8]
    var above: [UInt8]
    let checks: StreamChecks
  }

  /// Copies the state at the next row, and starts to mark the used bytes of the window.
  func moment() throws(InflateFault) -> Moment {
    // The entry follows all output so far, which ends less than a row after the next row's start.
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

  /// Whether later codes can no longer use the window of the last moment.
  var isMomentOver: Bool { inflater.isMarkingDone }

  /// Returns the entry point of the last moment, with its whole window if later codes can use it.
  func point(of moment: Moment) -> RowEntryPoint {
    var moment = moment
    if isMomentOver { inflater.clearUnused(of: &moment.window, keeping: moment.excess) }
    // Filters 0 and 1, and rows without filters, do not use the row above.
    if rows.filterUnit == nil || momentFilter.map({ $0 < 2 }) ?? false {
      moment.above = [UInt8](repeating: 0, count: rows.rowBytes)
    }
    return RowEntryPoint(moment, rows)
  }
}
