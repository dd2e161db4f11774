/// Where the coded bits of a window's MCUs are in the file, and where to enter them.
struct WindowPlan: Sendable, Hashable {
  /// A run of MCUs within one restart segment, in scan order.
  struct Run: Sendable, Hashable {
    let mcus: Range<Int>
    /// A point inside, behind the first MCU: what is before it need not be parsed.
    let jump: SeekIndex.Point?
  }

  /// Some rows of the window, with one entry: narrow pictures have several between two points.
  struct Stretch: Sendable, Hashable {
    /// The point from which their first MCU is walked to.
    let entry: SeekIndex.Point
    /// From the entry's byte to that of a point behind the rows.
    fileprivate(set) var bytes: Range<Int>
    /// Their MCUs, cut where rows end and where restart markers are.
    fileprivate(set) var runs: [Run]
  }

  let window: MCUWindow
  let stretches: [Stretch]

  /// Plans a window, if the index reaches to its end.
  ///
  /// - Parameters:
  ///   - window: the MCUs.
  ///   - jpeg: the picture's headers.
  ///   - index: points up to the window's last MCU at least.
  ///   - reach: an offset in the file behind the last MCU that the index knows of.
  init?(_ window: MCUWindow, _ jpeg: JPEGStructure, _ index: SeekIndex, reach: Int) {
    var stretches: [Stretch] = []
    stretches.reserveCapacity(window.rows.count)
    for row in window.rows {
      let mcus = window.mcus(ofRow: row, jpeg)
      guard let entry = index.point(before: mcus.lowerBound) else { return nil }
      let behind = index.point(at: (mcus.upperBound + index.spacing - 1) / index.spacing)
      // The point's byte may hold the row's last bits, and be an FF with its stuffed zero. Where no
      // point is behind, the scan's end may be far: bytes without meaning may stand before it.
      let longest = (mcus.upperBound - entry.mcu) * jpeg.longestMCU
      let end =
        behind.map { $0.bit >> 3 + 2 }
        ?? min(index.scanEnd ?? reach, entry.bit >> 3 + longest)
      let start = entry.bit >> 3
      guard end > start else { return nil }
      let runs = Self.runs(of: mcus, jpeg.restartInterval, index)
      if let last = stretches.last, last.entry.mcu == entry.mcu {
        stretches[stretches.count - 1].bytes = start..<max(end, last.bytes.upperBound)
        stretches[stretches.count - 1].runs += runs
      } else {
        stretches.append(Stretch(entry: entry, bytes: start..<end, runs: runs))
      }
    }
    self.window = window
    self.stretches = stretches
  }

  /// MCUs beside the window that have to be stepped over.
  var mcusWalked: Int {
    stretches.reduce(0) { sum, stretch in
      let span = (stretch.runs.last?.mcus.upperBound ?? stretch.entry.mcu) - stretch.entry.mcu
      return sum + span - stretch.runs.reduce(0) { $0 + $1.mcus.count }
    }
  }

  private static func runs(of mcus: Range<Int>, _ interval: Int, _ index: SeekIndex) -> [Run] {
    var runs: [Run] = []
    var start = mcus.lowerBound
    while start < mcus.upperBound {
      let restart = interval > 0 ? (start / interval + 1) * interval : .max
      let end = min(mcus.upperBound, restart)
      // The point at a restart lies behind the marker, and what is before it is no copy's.
      let last = end == restart ? end - 1 : end
      let jump = index.point(before: last)
      runs.append(Run(mcus: start..<end, jump: jump.flatMap { $0.mcu > start + 1 ? $0 : nil }))
      start = end
    }
    return runs
  }

  /// What to read at once: stretches near each other in the file.
  ///
  /// A read costs about as much as copying `nearby` bytes, and from a disk much more.
  var reads: [(bytes: Range<Int>, stretches: Range<Int>)] {
    let nearby = 16_384
    var reads: [(bytes: Range<Int>, stretches: Range<Int>)] = []
    for (number, stretch) in stretches.enumerated() {
      if let last = reads.last, stretch.bytes.lowerBound <= last.bytes.upperBound + nearby {
        reads[reads.count - 1] = (
          last.bytes.lowerBound..<max(last.bytes.upperBound, stretch.bytes.upperBound),
          last.stretches.lowerBound..<number + 1
        )
      } else {
        reads.append((stretch.bytes, number..<number + 1))
      }
    }
    return reads
  }
}
