internal import Synchronization
internal import ZoomGeometry

/// A reader of rows that are coded one after the other and have entry points.
protocol RowReader: EntryIndex {
  /// The number of rows between two entry points.
  var spacing: Int { get }

  /// The number of rows that the index covers, from the top.
  var knownRows: Int { get }

  /// Extends the index as far as needed, decodes the rows and passes each to `take`.
  ///
  /// At least `wantedBytes` of each row are decoded, from the left.
  /// - Returns: nil if the data is irregular.
  func read(
    _ rows: Range<Int>, wantedBytes: Int,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> RowsRead?
}

extension RowReader {
  var hasGrown: Bool { knownRows > 0 }

  /// Whether the index covers all rows above `row`.
  func covers(_ row: Int) -> Bool { knownRows >= row }

  /// Returns the rows that a read decodes: from an entry point, or to extend the index.
  func keptUnit(of stored: PixelRegion) -> KeptUnit {
    .rows(min(knownRows, stored.y / spacing * spacing)..<stored.maxY)
  }

  /// Returns the cost of a region; `isReadWhole` if the first peek decodes all rows.
  func cost(of stored: PixelRegion, in size: PixelSize, isReadWhole: Bool = false) -> PeekCost {
    let later = size.width * (stored.maxY - stored.y / spacing * spacing)
    let first = size.width * (isReadWhole ? size.height : stored.maxY)
    return PeekCost(first: covers(stored.maxY) ? later : first, later: later)
  }
}

struct RowsRead {
  var bytesRead = 0
  /// Rows that were decoded whole, to extend the index.
  var whole = 0
  /// The first of them, if there are any.
  var firstWhole = Int.max
  /// Rows that were decoded as far as wanted.
  var parts = 0

  /// Returns the work of a source, counting `width` pixels for each partly decoded row.
  func work(pictureWidth: Int, width: Int) -> Work {
    Work(
      bytesRead: bytesRead, unitsDecoded: whole + parts, unit: .row,
      pixelsDecoded: whole * pictureWidth + parts * width, pixelsDelivered: 0)
  }
}

/// The entry points of a deflate stream of rows, as far as peeks have needed them.
///
/// The rows above a region are inflated once, as every decoder does. This pass keeps an entry point
/// every `spacing` rows and tests all checksums.
final class RowIndex: RowReader {
  private struct Known {
    /// The stored index; nil without one, or after a point of it could not be used.
    let stored: Sidecar?
    /// The points from the top, one every `spacing` rows; only the start if all are stored.
    var points: [RowEntryPoint]
    var checks: StreamChecks
    /// Whether the last point still holds its whole window, because the data after it is not known.
    var isLastWhole = false
    /// The number of rows that were decoded and checked, or all if they were for the stored index.
    var rows: Int
    var isIrregular = false

    init(_ stored: Sidecar?, _ layout: DeflatedRows) {
      self.stored = stored
      points = [RowEntryPoint(startOf: layout)]
      checks = layout.startChecks
      rows = stored == nil ? 0 : layout.count
    }
  }

  let layout: DeflatedRows
  let spacing: Int
  let file: any CodedSource
  private let known: Mutex<Known>
  private let found: Sidecar?
  /// Held by the thread that extends the index; other threads wait for its result.
  private let growing = Mutex(())

  init(
    _ file: any CodedSource, _ rows: DeflatedRows, stored: Sidecar? = nil, spacing: Int? = nil
  ) {
    self.file = file
    layout = rows
    found = stored
    self.spacing =
      stored?.header.spacing ?? spacing ?? Self.spacing(forRowsOf: rows.codedRowBytes)
    known = Mutex(Known(stored, rows))
  }

  /// Returns the number of rows between two points.
  ///
  /// With 64 rows instead of 128, a peek of 375 rows takes a tenth less time, and the index is
  /// twice as large. Short rows have fewer points, as each point keeps a window of up to 32 KB.
  static func spacing(forRowsOf byteCount: Int, least: Int = 128) -> Int {
    max(least, (1 << 16) / byteCount)
  }

  var stored: Sidecar? { known.withLock { $0.stored } }

  var summary: String {
    if let count = stored?.header.pointCount {
      return "\(count) entry points every \(spacing) rows, all from an index found with the picture"
    }
    return "entry points found as peeks need them: one every \(spacing) rows by a pass over the"
      + " codes"
  }

  /// Waits for a thread that extends the index: its next points would lack those above them.
  func forget() { growing.withLock { _ in known.withLock { $0 = Known(found, layout) } } }

  /// Forgets the stored index, so that a pass finds the points instead.
  func giveUpStored() { known.withLock { if $0.stored != nil { $0 = Known(nil, layout) } } }

  private func point(
    forRow row: Int, _ stored: Sidecar?
  ) throws(InflateFault) -> RowEntryPoint {
    guard let stored else {
      // Another thread may have dropped points since the index was extended.
      return known.withLock { $0.points[min(row / spacing, $0.points.count - 1)] }
    }
    do { return try RowEntryPoint(row / spacing, of: stored) } catch { throw .invalid }
  }

  /// Completes the index; throws `unsupported` if the data is irregular.
  func complete() throws(PipelineError) -> [RowEntryPoint] {
    guard try unsafe grow(to: layout.count, { _, _ in }) != nil,
      let points = known.withLock({ $0.rows == layout.count ? $0.points : nil })
    else {
      throw file.refusal("its coded data breaks the rules, or is cut off", operation: "index")
    }
    return points
  }

  func completeIndex() throws(PipelineError) { _ = try complete() }

  var knownRows: Int { known.withLock { $0.rows } }

  func read(
    _ rows: Range<Int>, wantedBytes: Int,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> RowsRead? {
    let stored = stored
    let growth = try unsafe grow(to: rows.upperBound) { row, bytes in
      if rows.contains(row) { unsafe take(row, bytes) }
    }
    guard var read = growth else { return nil }
    // Rows that the index was just extended over are already decoded.
    let end = min(read.firstWhole, rows.upperBound)
    guard rows.lowerBound < end else { return read }
    do throws(InflateFault) {
      let point = try point(forRow: rows.lowerBound, stored)
      if stored != nil { read.bytesRead += point.storedByteCount }
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
      guard stored != nil else { return nil }
      // The point is damaged, or does not fit the picture: a pass finds all points instead.
      giveUpStored()
      return try unsafe self.read(rows, wantedBytes: wantedBytes, take)
    }
    return read
  }

  /// Decodes all unknown rows above `row` and passes each to `take`.
  /// - Returns: nil if the data is irregular.
  private func grow(
    to row: Int, _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> RowsRead? {
    if covers(row) { return RowsRead() }
    return try growing.withLock { _ throws(PipelineError) -> RowsRead? in
      let before = known.withLock { $0 }
      if before.rows >= row { return RowsRead() }
      guard !before.isIrregular else { return nil }
      do throws(InflateFault) {
        let last = before.points[before.points.count - 1]
        let pass = try RowPass(file, layout, at: last, checks: before.checks)
        try unsafe walk(pass, to: row, redoing: before.isLastWhole ? last.row : nil, take)
        let read = RowsRead(
          bytesRead: pass.bytesRead, whole: pass.row - last.row, firstWhole: last.row)
        if row == layout.count { try pass.finish() }
        known.withLock { $0.rows = max($0.rows, row) }
        return read
      } catch {
        if case .unreadable(let error) = error { throw error }
        known.withLock { $0.isIrregular = true }
        return nil
      }
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
