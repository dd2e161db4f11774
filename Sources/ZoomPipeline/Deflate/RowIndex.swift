internal import Synchronization
internal import ZoomGeometry

/// Rows that are coded one after the other, and can be entered somewhere above a region.
protocol RowReader: Sendable {
  /// Rows from one entry point to the next.
  var spacing: Int { get }
  /// The origin of the entry points, in one sentence without a full stop.
  var summary: String { get }
  /// Whether anything is known of the rows.
  var hasGrown: Bool { get }

  /// Whether all rows above `row` are known.
  func covers(_ row: Int) -> Bool

  /// Makes the rows known as far as they are needed, decodes them, and hands each to `take`.
  ///
  /// Of each `wantedBytes` must be decoded, from the left.
  /// - Returns: nil where the data breaks the rules.
  func read(
    _ rows: Range<Int>, wantedBytes: Int,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> RowsRead?

  /// Makes all rows known.
  func completeIndex() throws(PipelineError)

  func forget()
}

/// The work of reading some rows.
struct RowsRead {
  var bytesRead = 0
  /// Rows that were decoded whole, to know them.
  var whole = 0
  /// Rows that were decoded as far as they were wanted.
  var parts = 0

  /// Returns the work of a source, for which `width` pixels of a part are decoded.
  func work(pictureWidth: Int, width: Int) -> Work {
    Work(
      bytesRead: bytesRead, unitsDecoded: whole + parts, unit: .row,
      pixelsDecoded: whole * pictureWidth + parts * width, pixelsDelivered: 0)
  }
}

/// The entry points of a deflate stream of rows, as far as peeks have needed them.
///
/// The rows above a region are inflated once, as every decoder does; on the way a point is kept every some
/// rows. All checksums up to there are tested then.
final class RowIndex: RowReader {
  private struct Known {
    /// From the top; the first is the picture's first row.
    var points: [RowEntryPoint]
    /// The checksums at the last of them.
    var checks: StreamChecks
    /// Whether the last point still holds its whole window, as what follows it is not known.
    var isLastWhole = false
    /// Rows that were decoded and checked.
    var rows = 0
    /// Whether the data after them breaks the rules.
    var isIrregular = false
  }

  let layout: DeflatedRows
  /// Rows from one point to the next.
  let spacing: Int
  private let file: any CodedSource
  /// The stored index, which holds the points' windows and rows; nil without one.
  private let stored: PNGSidecar?
  private let known: Mutex<Known>
  private let start: Known
  /// Held by the thread that makes the index grow; other threads wait for its result.
  private let growing = Mutex(())

  /// Takes a picture, and its complete index where one was stored.
  init(
    _ file: any CodedSource, _ rows: DeflatedRows, stored: PNGSidecar? = nil, spacing: Int? = nil
  ) {
    self.file = file
    layout = rows
    self.stored = stored
    self.spacing = spacing ?? Self.spacing(forRowsOf: rows.codedRowBytes)
    start =
      if let stored {
        Known(points: stored.points, checks: rows.startChecks, rows: rows.count)
      } else {
        Known(points: [RowEntryPoint(startOf: rows)], checks: rows.startChecks)
      }
    known = Mutex(start)
  }

  /// With 64 rows a peek of 375 takes a tenth less time, and the index twice the room.
  ///
  /// Rows of few bytes have fewer entry points, because each point keeps a window of up to 32 KB.
  static func spacing(forRowsOf byteCount: Int, least: Int = 128) -> Int {
    max(least, (1 << 16) / byteCount)
  }

  /// The index's origin and reach, in one sentence without a full stop.
  var summary: String {
    if let count = stored?.entries.count {
      return "\(count) entry points every \(spacing) rows, all from an index found with the picture"
    }
    return "entry points found as peeks need them: one every \(spacing) rows by a pass over the"
      + " codes"
  }

  /// All points, when every row is known.
  var points: [RowEntryPoint]? {
    known.withLock { $0.rows == layout.count ? $0.points : nil }
  }

  var hasGrown: Bool { known.withLock { $0.rows > 0 } }

  func forget() { known.withLock { $0 = start } }

  /// The nearest known point at or above a row.
  func point(forRow row: Int) throws(InflateFault) -> RowEntryPoint {
    let (number, point) = known.withLock { known in
      let next = known.points.partitioningIndex { $0.row > row }
      return (next - 1, known.points[next - 1])
    }
    guard let stored, point.packed.isEmpty else { return point }
    do { return point.with(packed: try stored.packed(number)) } catch { throw .invalid }
  }

  /// Makes the index complete.
  /// - Throws: `unsupported` where the data breaks the rules.
  func complete() throws(PipelineError) -> [RowEntryPoint] {
    guard try unsafe grow(to: layout.count, { _, _ in }) != nil, let points else {
      throw PipelineError(
        .unsupported, operation: "index", file: file.path,
        reason: "its coded data breaks the rules, or is cut off")
    }
    return points
  }

  func completeIndex() throws(PipelineError) { _ = try complete() }

  func covers(_ row: Int) -> Bool { known.withLock { $0.rows >= row } }

  func read(
    _ rows: Range<Int>, wantedBytes: Int,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> RowsRead? {
    var read = RowsRead()
    var first = Int.max
    if !covers(rows.upperBound) {
      let found = try unsafe grow(to: rows.upperBound) { row, bytes in
        if rows.contains(row) { unsafe take(row, bytes) }
      }
      guard let growth = found else { return nil }
      first = growth.firstRow ?? .max
      read = RowsRead(bytesRead: growth.bytesRead, whole: growth.rowsDecoded)
    }
    // Rows that the index has just grown over need not be decoded again.
    let end = min(first, rows.upperBound)
    guard rows.lowerBound < end else { return read }
    do throws(InflateFault) {
      let point = try point(forRow: rows.lowerBound)
      let pass = try RowPass(file, layout, at: point, wantedBytes: wantedBytes)
      while pass.row < end {
        let row = pass.row
        try pass.decodeRow(notBehind: end)
        if row >= rows.lowerBound { unsafe pass.withRow { unsafe take(row, $0) } }
      }
      read.bytesRead += pass.bytesRead
      read.parts = end - point.row
    } catch {
      if case .unreadable(let error) = error { throw error }
      return nil
    }
    return read
  }

  /// The work of making the index grow.
  struct Growth {
    var bytesRead = 0
    var rowsDecoded = 0
    /// The first row that was passed to `take`; all rows after it were passed, too.
    var firstRow: Int?
  }

  /// Decodes all rows above `row` that are not known yet, and hands each to `take`.
  /// - Returns: nil where the data breaks the rules.
  func grow(
    to row: Int, _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> Growth? {
    let result = growing.withLock { _ in
      Result { () throws(PipelineError) in try unsafe growAlone(to: row, take) }
    }
    return try result.get()
  }

  private func growAlone(
    to row: Int, _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> Growth? {
    let before = known.withLock { $0 }
    if before.rows >= row { return Growth() }
    guard !before.isIrregular else { return nil }
    var growth = Growth()
    do throws(InflateFault) {
      let last = before.points[before.points.count - 1]
      let pass = try RowPass(file, layout, at: last, checks: before.checks)
      growth.firstRow = last.row
      try unsafe walk(pass, to: row, redoing: before.isLastWhole ? last.row : nil, take)
      growth.bytesRead = pass.bytesRead
      growth.rowsDecoded = pass.row - last.row
      if row == layout.count { try pass.finish() }
      known.withLock { $0.rows = max($0.rows, row) }
      return growth
    } catch {
      if case .unreadable(let error) = error { throw error }
      known.withLock { $0.isIrregular = true }
      return nil
    }
  }

  private func walk(
    _ pass: RowPass, to end: Int, redoing: Int?,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(InflateFault) {
    var moment: RowPass.Moment?
    func keep() {
      guard let made = moment else { return }
      let point = pass.point(of: made)
      let isWhole = !pass.isMomentOver
      known.withLock { known in
        if known.points.last?.row == point.row { known.points.removeLast() }
        known.points.append(point)
        known.checks = made.checks
        known.isLastWhole = isWhole
      }
      moment = nil
    }
    if pass.row == redoing { moment = try pass.moment() }
    let first = pass.row
    while pass.row < end {
      if pass.row > first, pass.row % spacing == 0 {
        keep()
        moment = try pass.moment()
      }
      let row = pass.row
      try pass.decodeRow(notBehind: min(end, (row / spacing + 1) * spacing))
      unsafe pass.withRow { unsafe take(row, $0) }
      if moment != nil, pass.isMomentOver { keep() }
    }
    keep()
  }
}

extension [RowEntryPoint] {
  /// Returns the first index whose element, and all after it, satisfy a condition.
  fileprivate func partitioningIndex(where isAfter: (RowEntryPoint) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
