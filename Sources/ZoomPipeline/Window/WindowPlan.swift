/// Where the coded bits of a window's MCUs are in the file, and where to enter them.
struct WindowPlan: Sendable, Hashable {
  /// MCUs that follow each other in the scan: those of a row, or of all rows where they are whole.
  struct Run: Sendable, Hashable {
    let mcus: Range<Int>
    /// The point from which the first of them is walked to.
    let entry: EntryPoint
    /// A point among them, behind the first: what is before it need not be walked.
    let jump: EntryPoint?
    /// The bytes from the entry on that hold them, as far as they are known.
    let byteCount: Int
  }

  let window: MCUWindow
  let runs: [Run]

  /// Plans a window; nil where an entry point is missing.
  ///
  /// `mean` is the bytes of an MCU in the coded data, on the average. `entry` gives the nearest known
  /// entry point at or before an MCU, `point` the one of a number, `spacing` MCUs apart.
  init?(
    _ window: MCUWindow, _ jpeg: JPEGStructure, spacing: Int, mean: Double,
    entry: (Int) -> EntryPoint?, point: (Int) -> EntryPoint?
  ) {
    self.window = window
    let interval = jpeg.restartInterval
    var runs: [Run] = []
    runs.reserveCapacity(window.rows.count)
    for row in window.rows {
      var mcus = window.mcus(ofRow: row, jpeg)
      if window.columns.count == jpeg.mcusPerRow {
        guard runs.isEmpty else { break }
        mcus = mcus.lowerBound..<window.end(jpeg)
      }
      guard let entry = entry(mcus.lowerBound) else { return nil }
      // A point at a restart lies behind the marker, where nothing is copied from before it.
      let isOneSegment =
        interval == 0 || mcus.lowerBound / interval == (mcus.upperBound - 1) / interval
      var jump = isOneSegment ? point(mcus.upperBound / spacing) : nil
      if let place = jump,
        place.mcu <= mcus.lowerBound + 1
          || (interval > 0 && place.mcu / interval != mcus.lowerBound / interval)
      {
        jump = nil
      }
      // A point's byte may hold the run's last bits, and be an FF with its stuffed zero.
      // It stands before the entry where the file was written over between the two; that shows later.
      let behind = point((mcus.upperBound + spacing - 1) / spacing).map { $0.bit >> 3 + 2 }
        .flatMap { $0 > entry.bit >> 3 ? $0 : nil }
      // A quarter more than the mean: reading a second time costs more than some bytes. The mean says
      // little where much stands behind the scan.
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

  /// MCUs before the window's that have to be stepped over.
  var mcusWalked: Int { runs.reduce(0) { $0 + $1.mcus.lowerBound - $1.entry.mcu } }
}
