/// The positions of a window's coded bits in the file, and the entry points to reach them from.
struct WindowPlan: Sendable, Hashable {
  /// Consecutive MCUs of the scan: those of one row, or of all rows if the rows are complete.
  struct Run: Sendable, Hashable {
    let mcus: Range<Int>
    /// The point from which the data is parsed to reach the first MCU.
    let entry: EntryPoint
    /// A point after the run's first MCU; the MCUs before it can be copied without parsing.
    let jump: EntryPoint?
    /// The number of bytes from the entry point to the end of the MCUs, or an estimate.
    let byteCount: Int

    /// The range of the file that is read first; a reader loads at least 64 bytes.
    var bytes: Range<Int> { entry.bit >> 3..<entry.bit >> 3 + max(64, byteCount) }
  }

  let window: MCUWindow
  let runs: [Run]

  /// Creates the plan of a window; nil if an entry point is missing.
  ///
  /// `mean` is the average number of bytes of an MCU in the coded data. `entry` returns the nearest
  /// known entry point at or before an MCU, `point` the point of a number, `spacing` MCUs apart.
  init?(
    _ window: MCUWindow, _ jpeg: JPEGStructure, spacing: Int, mean: Double,
    entry: (Int) -> EntryPoint?, point: (Int) -> EntryPoint?
  ) {
    self.window = window
    var runs: [Run] = []
    runs.reserveCapacity(window.rows.count)
    for row in window.rows {
      var mcus = window.mcus(ofRow: row)
      if window.columns.count == jpeg.mcusPerRow {
        guard runs.isEmpty else { break }
        mcus = window.span
      }
      guard let entry = entry(mcus.lowerBound) else { return nil }
      // A point at a restart is after the marker, so bits before it cannot be copied.
      let restart = jpeg.restart(after: mcus.lowerBound)
      var jump = restart < mcus.upperBound ? nil : point(mcus.upperBound / spacing)
      if let next = jump, next.mcu <= mcus.lowerBound + 1 || next.mcu >= restart { jump = nil }
      // The byte of the next point may hold the run's last bits, and be an FF with its stuffed
      // zero. In an overwritten file it may precede the entry, which a later check finds.
      let behind = point((mcus.upperBound + spacing - 1) / spacing).map { $0.bit >> 3 + 2 }
        .flatMap { $0 > entry.bit >> 3 ? $0 : nil }
      // A quarter more than the mean, because a second read costs more than some surplus bytes. The
      // mean says little if much data follows the scan.
      let count = mcus.upperBound - entry.mcu
      let guess = min(Double(count) * mean * 1.25 + 64, Double(ScanReader.largestStretch))
      let most = count * jpeg.longestMCU + 64
      let start = entry.bit >> 3
      runs.append(
        Run(
          mcus: mcus, entry: entry, jump: jump,
          byteCount: min(behind.map { $0 - start } ?? Int(guess), most)))
    }
    self.runs = runs
  }

  var mcusWalked: Int { runs.reduce(0) { $0 + $1.mcus.lowerBound - $1.entry.mcu } }
}
