internal import Synchronization
internal import ZoomGeometry

/// The entry points of a PNG, as far as peeks have needed them.
///
/// The rows above a region are inflated once, as every decoder does; on the way a point is kept every some
/// rows. All checksums up to there are tested then.
final class PNGIndex: Sendable {
  private struct Known {
    /// From the top; the first is the picture's first row.
    var points: [PNGEntryPoint]
    /// What checksums are at the last of them.
    var checks: StreamChecks
    /// Whether the last point still holds its whole window, as what follows it is not known.
    var isLastWhole = false
    /// Rows that were decoded and checked.
    var rows = 0
    /// Whether the data behind them breaks the rules.
    var isIrregular = false
  }

  let png: PNGHeaders
  private let file: any CodedSource
  private let known: Mutex<Known>
  private let start: Known
  /// Held by whoever makes the index grow; others wait for what he finds.
  private let growing = Mutex(())

  init(_ file: any CodedSource, _ png: PNGHeaders) {
    self.file = file
    self.png = png
    start = Known(points: [PNGEntryPoint(startOf: png)], checks: png.startChecks)
    known = Mutex(start)
  }

  /// Takes the complete index of a picture.
  init(_ file: any CodedSource, _ png: PNGHeaders, points: [PNGEntryPoint]) {
    self.file = file
    self.png = png
    start = Known(points: points, checks: png.startChecks, rows: png.size.height)
    known = Mutex(start)
  }

  /// Rows from one point to the next.
  ///
  /// With 64 a peek of 375 rows takes a tenth less time, and the index twice the room: 3 % of some files.
  /// Rows of few bytes are further apart, so that a point's window, of 32 KB at most, is small beside them.
  var spacing: Int { max(128, (1 << 16) / (png.rowBytes + 1)) }

  /// All points, when every row is known.
  var points: [PNGEntryPoint]? {
    known.withLock { $0.rows == png.size.height ? $0.points : nil }
  }

  /// Whether a later peek enters below the first row.
  var hasGrown: Bool { known.withLock { $0.points.count > 1 } }

  func forget() { known.withLock { $0 = start } }

  /// The nearest known point at or above a row.
  func point(forRow row: Int) -> PNGEntryPoint {
    known.withLock { known in
      let next = known.points.partitioningIndex { $0.row > row }
      return known.points[next - 1]
    }
  }

  /// Whether all rows above `row` are known.
  func covers(_ row: Int) -> Bool { known.withLock { $0.rows >= row } }

  /// What it took to make the index grow.
  struct Growth {
    var bytesRead = 0
    var rowsDecoded = 0
    /// The first of the rows that `take` was given; all behind it were, too.
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
      let pass = try PNGRowPass(file, png, at: last, checks: before.checks)
      growth.firstRow = last.row
      try unsafe walk(pass, to: row, redoing: before.isLastWhole ? last.row : nil, take)
      growth.bytesRead = pass.bytesRead
      growth.rowsDecoded = pass.row - last.row
      if row == png.size.height { try pass.finish() }
      known.withLock { $0.rows = max($0.rows, row) }
      return growth
    } catch {
      if case .unreadable(let error) = error { throw error }
      known.withLock { $0.isIrregular = true }
      return nil
    }
  }

  private func walk(
    _ pass: PNGRowPass, to end: Int, redoing: Int?,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(InflateFault) {
    var moment: PNGRowPass.Moment?
    func keep() {
      guard let made = moment else { return }
      let point = pass.point(of: made)
      let isWhole = !pass.isMomentOver
      known.withLock { known in
        if known.points.last?.row == point.row { known.points.removeLast() }
        known.points.append(point)
        (known.checks, known.isLastWhole) = (made.checks, isWhole)
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

extension [PNGEntryPoint] {
  /// The first place whose element, and all behind it, satisfies a condition.
  fileprivate func partitioningIndex(where isBehind: (PNGEntryPoint) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
