internal import Synchronization

/// A seek index that grows as far as peeks need it; safe to use from several threads at once.
///
/// Points come from a stored index, from restart markers, from a pass over what is between them, and
/// from what peeks walk over themselves. While one peek has the index grow, others use what is known
/// already and do not wait.
final class GrowingIndex: Sendable {
  /// What peeks read: locked for moments only.
  struct Known {
    var points: PointTable
    /// Where points are read from first; nil where there is none, or it turned out to be damaged.
    var stored: StoredIndex?
    /// The first coded byte of each segment found.
    var starts: [Int]
    /// Up to which MCU a pass over a segment has come.
    var reaches: [Int: EntryPoint] = [:]
    /// The first MCU that is known to be irregular.
    var irregular = Int.max

    init(_ jpeg: JPEGStructure, _ spacing: Int, _ stored: StoredIndex?) {
      points = PointTable(
        spacing: spacing, componentCount: jpeg.components.count, mcuCount: jpeg.mcuCount)
      self.stored = stored
      starts = [jpeg.codedStart]
    }

    mutating func markIrregular(from mcu: Int) { irregular = min(irregular, mcu) }

    /// Adds points of a walk.
    /// - Returns: whether records can hold all of them; those of regular data they can.
    mutating func insert(_ found: [EntryPoint]) -> Bool {
      for point in found where !points.insert(point) {
        markIrregular(from: point.mcu)
        return false
      }
      return true
    }
  }

  /// What makes it grow: locked by one peek at a time.
  struct Growth {
    var finder: MarkerFinder
    var markers = 0
    /// How many parts to walk at once: fewer after parts that did not meet.
    var parts = EntropyPass.mostParts
    /// How often in a row none met: with codes that never do each walk would cost many times itself.
    var misses = 0
  }

  let spacing: Int
  /// MCUs from one restart marker that is remembered to the next, at least a row of them; all where
  /// there are no markers.
  let segmentLength: Int
  let file: any CodedSource
  let jpeg: JPEGStructure
  let tables: ScanTables
  let stored: StoredIndex?
  let known: Mutex<Known>
  let growth: Mutex<Growth>
  private let mean: Double

  /// Starts with the scan's first MCU, of a JPEG without a `scanRefusal`, or with the index that was
  /// stored for it.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, _ tables: ScanTables,
    stored: StoredIndex? = nil
  ) {
    self.file = file
    self.jpeg = jpeg
    self.tables = tables
    self.stored = stored
    spacing = stored?.header.spacing ?? SeekIndex.spacing(for: jpeg)
    let interval = jpeg.restartInterval
    let wanted = (jpeg.mcusPerRow + max(1, interval) - 1) / max(1, interval) * interval
    segmentLength = interval == 0 ? jpeg.mcuCount : min(wanted, jpeg.mcuCount)
    mean = Double(file.length - jpeg.codedStart) / Double(jpeg.mcuCount)
    known = Mutex(Known(jpeg, spacing, stored))
    growth = Mutex(Growth(finder: MarkerFinder(file: file, position: jpeg.codedStart)))
  }

  /// Goes back to how it started.
  func forget() {
    growth.withLock { growth in
      growth = Growth(finder: MarkerFinder(file: file, position: jpeg.codedStart))
      known.withLock { $0 = Known(jpeg, spacing, stored) }
    }
  }

  /// Whether anything is known but where the scan begins.
  var hasGrown: Bool {
    known.withLock { $0.stored != nil || $0.starts.count > 1 || $0.points.point(at: 0) != nil }
  }

  var segmentCount: Int { (jpeg.mcuCount - 1) / segmentLength + 1 }

  /// Whether a pass goes over segments ahead of the windows in them.
  ///
  /// Where markers stand at every row or two, walking from the marker costs less.
  var needsPass: Bool { segmentLength > 2 * jpeg.mcusPerRow }

  /// How many entry points there are and where each is from, in a few words.
  var summary: String {
    if let header = known.withLock({ $0.stored?.header }) {
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
  /// - Returns: no plans when the coded data is irregular above the windows' end; and what it took.
  /// - Throws: `PipelineError` when the file cannot be read.
  func plan(
    _ windows: [MCUWindow]
  ) throws(PipelineError) -> (plans: [WindowPlan]?, work: Work) {
    let end = windows.map { $0.end(jpeg) }.max() ?? 0
    let start = windows.map { $0.mcus(ofRow: $0.rows.lowerBound, jpeg).lowerBound }.min() ?? 0
    var work = Work.none
    // Once more where somebody else forgot what was just found.
    for _ in 0..<2 {
      work = work + load(windows)
      if known.withLock({ $0.stored == nil }) { work = work + (try grow(over: start..<end)) }
      let (plans, isIrregular) = known.withLock { known -> ([WindowPlan]?, Bool) in
        guard known.irregular >= end else { return (nil, true) }
        let plans = windows.compactMap { window in
          WindowPlan(
            window, jpeg, spacing: spacing, mean: mean,
            entry: { entry(before: $0, known) }, point: { known.points.point(at: $0) })
        }
        return (plans.count == windows.count ? plans : nil, false)
      }
      if plans != nil || isIrregular { return (plans, work) }
    }
    return (nil, work)
  }

  /// Adds points that a window's encoder has passed.
  func note(_ points: [EntryPoint]) {
    guard !points.isEmpty else { return }
    known.withLock { known in for point in points { _ = known.points.insert(point) } }
  }

  /// The nearest known point at or before an MCU; nil where its segment is not found yet.
  private func entry(before mcu: Int, _ known: Known) -> EntryPoint? {
    let segment = mcu / segmentLength
    // A stored index has every point; it needs no markers.
    let first = known.stored == nil ? segment * segmentLength : 0
    for number in stride(from: mcu / spacing, through: 0, by: -1) {
      guard number * spacing >= first else { break }
      if let point = known.points.point(at: number) { return point }
    }
    guard segment < known.starts.count else { return nil }
    return EntryPoint(mcu: first, bit: known.starts[segment] * 8, predictors: .zero)
  }

  /// Reads the stored points that windows need and that are not read yet.
  ///
  /// A damaged block is the end of the stored index: the picture itself is there still.
  private func load(_ windows: [MCUWindow]) -> Work {
    let (stored, missing) = known.withLock { known -> (StoredIndex?, Set<Int>) in
      guard known.stored != nil else { return (nil, []) }
      var blocks: Set<Int> = []
      for window in windows {
        for row in window.rows {
          let mcus = window.mcus(ofRow: row, jpeg)
          blocks.formUnion(
            known.points.unknownBlocks(
              of: mcus.lowerBound / spacing...(mcus.upperBound + spacing - 1) / spacing))
        }
      }
      return (known.stored, blocks)
    }
    guard let stored else { return .none }
    var bytesRead = 0
    for block in missing.sorted() {
      let records = try? stored.block(block)
      known.withLock { known in
        if let records {
          known.points.insert(records, asBlock: block)
        } else {
          known.stored = nil
        }
      }
      bytesRead += records?.count ?? 0
    }
    return Work(bytesRead: bytesRead, pixelsDecoded: 0, pixelsDelivered: 0)
  }
}
