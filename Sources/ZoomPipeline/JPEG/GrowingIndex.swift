internal import Synchronization

/// A seek index that grows as far as peeks need it; safe to use from several threads at once.
///
/// Its points come from a stored index, restart markers, entropy passes and the windows of peeks.
/// While one peek extends the index, others use the known points without waiting.
final class GrowingIndex: EntryIndex {
  /// The state that peeks read; its lock is held only briefly.
  struct Known {
    var points: SeekIndex
    /// The stored index; nil without one, or after it was found to be damaged.
    var stored: Sidecar?
    /// The first coded byte of each segment found.
    var starts: [Int]
    /// The point that the pass over a segment has reached, by segment number.
    var reaches: [Int: EntryPoint] = [:]
    var irregular = Int.max

    init(_ jpeg: JPEGStructure, _ stored: Sidecar?) {
      let componentCount = jpeg.components.count
      points =
        stored.map { SeekIndex($0.header, componentCount: componentCount) }
        ?? SeekIndex(
          spacing: SeekIndex.spacing(for: jpeg), componentCount: componentCount,
          mcuCount: jpeg.mcuCount, codedStart: jpeg.codedStart)
      self.stored = stored
      starts = [jpeg.codedStart]
    }

    mutating func markIrregular(from mcu: Int) { irregular = min(irregular, mcu) }

    /// Adds the points that a pass has found.
    /// - Returns: Whether records can hold all of them, which is always so for regular data.
    mutating func insert(_ found: [EntryPoint]) -> Bool {
      for point in found where !points.insert(point) {
        markIrregular(from: point.mcu)
        return false
      }
      return true
    }
  }

  /// The state of growing; its lock is held by one peek at a time.
  struct Growth {
    var finder: MarkerFinder
    var markers = 0
    var parts = EntropyPass.Parts()
  }

  let spacing: Int
  /// The number of MCUs of a segment: restart intervals for a row, or all MCUs without markers.
  let segmentLength: Int
  let file: any CodedSource
  let jpeg: JPEGStructure
  let tables: ScanTables
  let known: Mutex<Known>
  let growth: Mutex<Growth>
  /// The average number of bytes of an MCU, if the coded data ends with the file.
  let mean: Double
  private let found: Sidecar?

  /// Creates an index of a JPEG without `scanRefusal`, with the points of a stored index if given.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, _ tables: ScanTables,
    stored: Sidecar? = nil
  ) {
    self.file = file
    self.jpeg = jpeg
    self.tables = tables
    found = stored
    spacing = stored?.header.spacing ?? SeekIndex.spacing(for: jpeg)
    segmentLength = min(jpeg.restart(after: jpeg.mcusPerRow - 1), jpeg.mcuCount)
    mean = Double(file.length - jpeg.codedStart) / Double(jpeg.mcuCount)
    known = Mutex(Known(jpeg, stored))
    growth = Mutex(Growth(finder: MarkerFinder(file: file, position: jpeg.codedStart)))
  }

  func forget() {
    growth.withLock { growth in
      growth = Growth(finder: MarkerFinder(file: file, position: jpeg.codedStart))
      known.withLock { $0 = Known(jpeg, found) }
    }
  }

  var stored: Sidecar? { known.withLock { $0.stored } }

  /// A copy for readers who would hold the lock for long; it shares its memory until points are added.
  var snapshot: Known { known.withLock { $0 } }

  var hasGrown: Bool {
    known.withLock { $0.stored != nil || $0.starts.count > 1 || $0.points.point(at: 0) != nil }
  }

  /// Returns the bytes to count for a read of coded data: 0 in a sequential form, whose bytes were
  /// counted when its index was opened.
  func countedBytes(_ count: Int) -> Int { found?.payload == nil ? count : 0 }

  var segmentCount: Int { (jpeg.mcuCount - 1) / segmentLength + 1 }

  /// Whether entropy passes are made: where markers are close, parsing from the marker costs less.
  var needsPass: Bool { segmentLength > 2 * jpeg.mcusPerRow }

  var summary: String {
    if let header = stored?.header {
      return "\(header.pointCount) entry points every \(spacing) MCUs, all from"
        + (header.payloadCount > 0 ? " the index of its sequential form," : " an index")
        + " found with the picture"
    }
    let markers = "\(segmentCount - 1) at restart markers"
    let pass = "one every \(spacing) MCUs by a pass over the codes"
    let parts = segmentCount == 1 ? [pass] : needsPass ? [markers, pass] : [markers]
    return "entry points found as peeks need them: " + parts.joined(separator: ", ")
  }

  // MARK: Peeks

  /// Extends the index to cover windows, and plans them.
  /// - Returns: The work done, and the plans; nil if the data before the end of the windows is
  ///   irregular, or other threads have dropped the points twice.
  /// - Throws: `PipelineError` when the file cannot be read.
  func plan(
    _ windows: [MCUWindow]
  ) throws(PipelineError) -> (plans: [WindowPlan]?, work: Work) {
    let start = windows.map(\.span.lowerBound).min() ?? 0
    let end = windows.map(\.span.upperBound).max() ?? 0
    var work = Work.none
    // Retries once if another thread has dropped the points that were just found.
    for _ in 0..<2 {
      work = work + load(windows)
      if stored == nil { work = work + (try grow(over: start..<end)) }
      let known = snapshot
      guard known.irregular >= end else { return (nil, work) }
      let plans = windows.compactMap { window in
        WindowPlan(
          window, jpeg, spacing: spacing, mean: mean,
          entry: { entry(before: $0, known) }, point: { known.points.point(at: $0) })
      }
      if plans.count == windows.count { return (plans, work) }
    }
    return (nil, work)
  }

  /// Announces the reads of the coded bits of planned windows.
  func expect(_ plans: [WindowPlan]) throws(PipelineError) {
    guard file.isRemote else { return }
    try file.expect(plans.flatMap { $0.runs.map(\.bytes) })
  }

  /// Returns the nearest known point at or before an MCU; nil if its segment is not yet found.
  private func entry(before mcu: Int, _ known: Known) -> EntryPoint? {
    let segment = mcu / segmentLength
    // A stored index has every point, so it needs no markers.
    let first = known.stored == nil ? segment * segmentLength : 0
    for number in stride(from: mcu / spacing, through: 0, by: -1) {
      guard number * spacing >= first else { break }
      if let point = known.points.point(at: number) { return point }
    }
    guard segment < known.starts.count else { return nil }
    return EntryPoint(mcu: first, bit: known.starts[segment] * 8, predictors: .zero)
  }

  /// Reads the stored points that windows need; gives up the stored index if a block is damaged.
  private func load(_ windows: [MCUWindow]) -> Work {
    guard let stored else { return .none }
    let missing = known.withLock { known in
      windows.reduce(into: Set<Int>()) { blocks, window in
        for row in window.rows {
          let mcus = window.mcus(ofRow: row)
          let numbers = mcus.lowerBound / spacing...(mcus.upperBound + spacing - 1) / spacing
          blocks.formUnion(known.points.unknownBlocks(of: numbers))
        }
      }
    }
    var bytesRead = 0
    do throws(SidecarRefusal) {
      try stored.expect(blocks: missing)
      for block in missing.sorted() {
        let records = try stored.block(block)
        bytesRead += records.count
        guard known.withLock({ $0.points.insert(records, asBlock: block) }) else {
          throw .damaged("the points of a block do not ascend")
        }
      }
    } catch {
      // No other block is requested: a silent server would take the whole time limit for each.
      known.withLock { $0.stored = nil }
    }
    return Work(bytesRead: bytesRead, pixelsDecoded: 0, pixelsDelivered: 0)
  }
}
