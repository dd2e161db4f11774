internal import Dispatch
internal import Synchronization

/// A seek index that grows as far as peeks need it; safe to use from several threads at once.
///
/// Points come from a stored index, from restart markers, from a pass over what is between them, and
/// from what peeks walk over themselves. While one peek has the index grow, others use what is known
/// already and do not wait.
final class GrowingIndex: Sendable {
  /// What peeks read: locked for moments only.
  private struct Known {
    var points: PointTable
    /// Where points are read from first; nil where there is none, or it turned out to be damaged.
    var stored: StoredIndex?
    /// The first coded byte of each segment found.
    var starts: [Int]
    /// Up to which MCU a pass over a segment has come.
    var reaches: [Int: EntryPoint] = [:]
    /// The first MCU that is known to be irregular.
    var irregular = Int.max
  }

  /// What makes it grow: locked by one peek at a time.
  private struct Growth {
    var finder: MarkerFinder
    /// Restart markers found.
    var markers = 0
    /// How many parts to walk at once: one after parts that did not meet.
    var parts = EntropyPass.mostParts
  }

  let spacing: Int
  /// MCUs from one restart marker that is remembered to the next, at least a row of them; all where
  /// there are no markers.
  let segmentLength: Int
  private let file: any CodedSource
  private let jpeg: JPEGStructure
  private let tables: ScanTables
  private let stored: StoredIndex?
  private let mean: Double
  private let known: Mutex<Known>
  private let growth: Mutex<Growth>

  /// Starts with the scan's first MCU.
  /// - Parameters:
  ///   - file: the picture's bytes.
  ///   - jpeg: its headers; `jpeg.scanRefusal` is nil.
  ///   - tables: its Huffman tables.
  ///   - stored: its index, if it was made before.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, _ tables: ScanTables,
    stored: StoredIndex? = nil
  ) {
    self.file = file
    self.jpeg = jpeg
    self.tables = tables
    self.stored = stored
    spacing = stored?.spacing ?? SeekIndex.spacing(for: jpeg)
    let interval = jpeg.restartInterval
    let wanted = (jpeg.mcusPerRow + max(1, interval) - 1) / max(1, interval) * interval
    segmentLength = interval == 0 ? jpeg.mcuCount : min(wanted, jpeg.mcuCount)
    mean = Double(file.length - jpeg.codedStart) / Double(jpeg.mcuCount)
    known = Mutex(Self.start(jpeg, spacing, stored))
    growth = Mutex(Growth(finder: MarkerFinder(file: file, position: jpeg.codedStart)))
  }

  private static func start(
    _ jpeg: JPEGStructure, _ spacing: Int, _ stored: StoredIndex?
  ) -> Known {
    let points = PointTable(
      spacing: spacing, componentCount: jpeg.components.count, mcuCount: jpeg.mcuCount)
    return Known(points: points, stored: stored, starts: [jpeg.codedStart])
  }

  /// Goes back to how it started.
  func forget() {
    growth.withLock { growth in
      growth = Growth(finder: MarkerFinder(file: file, position: jpeg.codedStart))
      known.withLock { $0 = Self.start(jpeg, spacing, stored) }
    }
  }

  /// Whether anything is known but where the scan begins.
  var hasGrown: Bool {
    known.withLock { $0.stored != nil || $0.starts.count > 1 || $0.points.point(at: 0) != nil }
  }

  /// Whether a pass goes over segments ahead of the windows in them.
  ///
  /// Where markers stand at every row or two, walking from the marker costs less.
  private var needsPass: Bool { segmentLength > 2 * jpeg.mcusPerRow }

  // MARK: Peeks

  /// Makes the index grow as far as windows need it, and plans them.
  /// - Returns: no plans when the coded data is irregular above the windows' end; and what it took.
  /// - Throws: `PipelineError` when the file cannot be read.
  func plan(
    _ windows: [MCUWindow]
  ) throws(PipelineError) -> (plans: [WindowPlan]?, work: Work) {
    let end = windows.map { $0.end(jpeg) }.max() ?? 0
    let start = windows.map { $0.mcus(ofRow: $0.rows.lowerBound, jpeg).lowerBound }.min() ?? 0
    var work = load(windows)
    if known.withLock({ $0.stored == nil }) { work = work + (try grow(over: start..<end)) }
    let plans = known.withLock { known -> [WindowPlan]? in
      guard known.irregular >= end else { return nil }
      let plans = windows.compactMap { window in
        WindowPlan(
          window, jpeg, spacing: spacing, mean: mean,
          entry: { entry(before: $0, known) }, point: { known.points.point(at: $0) })
      }
      return plans.count == windows.count ? plans : nil
    }
    return (plans, work)
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

  // MARK: Growth

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
          let last = min((mcus.upperBound + spacing - 1) / spacing, known.points.pointCount - 1)
          for block in known.points.blocks(of: mcus.lowerBound / spacing...last)
          where !known.points.isKnown(block: block) {
            blocks.insert(block)
          }
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

  /// Finds the markers and has the passes made that a stretch of MCUs needs.
  /// - Returns: what it took; nothing where all was known.
  private func grow(over mcus: Range<Int>) throws(PipelineError) -> Work {
    if isKnown(mcus) { return .none }
    let result = growth.withLock { growth in
      Result { () throws(PipelineError) in try grow(over: mcus, &growth) }
    }
    return try result.get()
  }

  private func isKnown(_ mcus: Range<Int>) -> Bool {
    known.withLock { known in
      guard known.irregular >= mcus.upperBound else { return true }
      let segments = segments(of: mcus)
      guard segments.upperBound <= known.starts.count else { return false }
      return !needsPass
        || segments.allSatisfy { segment in
          known.reaches[segment].map { $0.mcu >= last(of: mcus, in: segment) } ?? false
        }
    }
  }

  private func segments(of mcus: Range<Int>) -> Range<Int> {
    mcus.lowerBound / segmentLength..<(mcus.upperBound - 1) / segmentLength + 1
  }

  private func last(of mcus: Range<Int>, in segment: Int) -> Int {
    min(mcus.upperBound, (segment + 1) * segmentLength)
  }

  private func grow(over mcus: Range<Int>, _ growth: inout Growth) throws(PipelineError) -> Work {
    // Somebody else may have been here meanwhile.
    if isKnown(mcus) { return .none }
    let segments = segments(of: mcus)
    let before = growth.finder.position
    try findMarkers(upTo: segments.upperBound, &growth)
    var work = Work(
      bytesRead: growth.finder.position - before, pixelsDecoded: 0, pixelsDelivered: 0)
    guard needsPass else { return work }
    for segment in segments where known.withLock({ segment < $0.starts.count }) {
      work = work + (try pass(over: segment, to: last(of: mcus, in: segment), &growth))
    }
    return work
  }

  /// Finds the starts of so many segments, one marker after the other: they are numbered modulo 8 only,
  /// so that none can be left out.
  ///
  /// A marker out of turn, or another one, makes all behind it irregular: decoders guess then, each in
  /// its own way.
  private func findMarkers(upTo segments: Int, _ growth: inout Growth) throws(PipelineError) {
    let interval = jpeg.restartInterval
    guard interval > 0 else { return }
    let perSegment = segmentLength / interval
    var starts: [Int] = []
    let had = known.withLock { $0.starts.count }
    var irregular: Int?
    while had + starts.count < segments {
      let marker = try growth.finder.next()
      guard let marker, (0xD0...0xD7).contains(marker.code),
        Int(marker.code & 7) == growth.markers % 8
      else {
        irregular = (growth.markers + 1) * interval
        break
      }
      growth.markers += 1
      if growth.markers % perSegment == 0 { starts.append(marker.end) }
    }
    known.withLock { known in
      known.starts += starts
      if let irregular { known.irregular = min(known.irregular, irregular) }
    }
  }

  /// Walks on over a segment.
  private func pass(
    over segment: Int, to target: Int, _ growth: inout Growth
  ) throws(PipelineError) -> Work {
    var place = known.withLock { known in
      known.reaches[segment]
        ?? EntryPoint(
          mcu: segment * segmentLength, bit: known.starts[segment] * 8, predictors: .zero)
    }
    let pass = EntropyPass(file: file, jpeg: jpeg, tables: tables, spacing: spacing)
    var work = Work.none
    while place.mcu < target {
      // Between markers parts would have to step over more of them.
      let parts = jpeg.restartInterval == 0 ? growth.parts : 1
      let progress = try pass.advance(from: place, to: target, parts: parts)
      let isRegular = known.withLock { known in
        for point in progress.points where !known.points.insert(point) {
          known.irregular = min(known.irregular, point.mcu)
          return false
        }
        known.reaches[segment] = progress.end
        if progress.isIrregular { known.irregular = min(known.irregular, progress.end.mcu) }
        return !progress.isIrregular
      }
      growth.parts = min(EntropyPass.mostParts, max(2, 2 * progress.partsJoined))
      place = progress.end
      work =
        work
        + Work(
          bytesRead: progress.bytesRead, unit: .mcu, unitsWalked: progress.mcusWalked,
          pixelsDecoded: 0, pixelsDelivered: 0)
      if !isRegular { break }
    }
    return work
  }

  // MARK: All of it

  /// Makes the whole index, on several cores where there are.
  /// - Returns: the index; the picture is known to end where its last MCU does.
  /// - Throws: `PipelineError`: `unsupported` when the data is irregular anywhere, `damaged` when the
  ///   file is cut off.
  @discardableResult
  func complete() throws(PipelineError) -> SeekIndex {
    if let whole = try? stored?.whole() { return whole }
    let result = growth.withLock { growth in
      Result { () throws(PipelineError) in try complete(&growth) }
    }
    return try result.get()
  }

  private func complete(_ growth: inout Growth) throws(PipelineError) -> SeekIndex {
    let segments = (jpeg.mcuCount - 1) / segmentLength + 1
    try findMarkers(upTo: segments, &growth)
    let end =
      segments == 1
      ? try completeSegment(&growth) : try completeSegments(segments)
    let records = known.withLock { known in
      known.irregular == .max && end != nil ? known.points.records : nil
    }
    guard let records else { throw irregular }
    guard let end,
      let index = SeekIndex(
        spacing: spacing, componentCount: jpeg.components.count, mcuCount: jpeg.mcuCount,
        codedStart: jpeg.codedStart, scanEnd: end, records: records)
    else { throw irregular }
    return index
  }

  private var irregular: PipelineError {
    PipelineError(
      .unsupported, operation: "index", file: file.path,
      reason: "its coded data breaks the rules"
        + (known.withLock { $0.irregular == .max ? " at its end" : " at MCU \($0.irregular)" }))
  }

  private func completeSegment(_ growth: inout Growth) throws(PipelineError) -> Int? {
    _ = try pass(over: 0, to: jpeg.mcuCount, &growth)
    guard let last = known.withLock({ $0.reaches[0] }), last.mcu == jpeg.mcuCount else {
      return nil
    }
    return try reading { () throws(ScanFault) in
      var reader = try ScanReader(
        file, jpeg, tables, spacing: spacing, at: last, expecting: 4096)
      return try reader.findEnd()
    }
  }

  /// Walks over groups of segments, each from its marker to the next group's.
  private func completeSegments(_ count: Int) throws(PipelineError) -> Int? {
    let starts = known.withLock { $0.starts }
    guard starts.count == count else { return nil }
    let groups = max(1, min(EntropyPass.mostParts, count, file.length / EntropyPass.partLength))
    let ends = Mutex([Result<Int?, PipelineError>?](repeating: nil, count: groups))
    DispatchQueue.concurrentPerform(iterations: groups) { group in
      let own = group * count / groups..<(group + 1) * count / groups
      let end = Result { () throws(PipelineError) in
        try reading { () throws(ScanFault) in try walk(own, starts) }
      }
      ends.withLock { $0[group] = end }
    }
    var last: Int?
    for case .some(let end) in ends.withLock({ $0 }) {
      last = try end.get()
      if last == nil { break }
    }
    return last
  }

  /// Walks over segments, of which the last ends where the next one's marker, or the scan's end, is.
  private func walk(_ segments: Range<Int>, _ starts: [Int]) throws(ScanFault) -> Int {
    let entry = EntryPoint(
      mcu: segments.lowerBound * segmentLength, bit: starts[segments.lowerBound] * 8,
      predictors: .zero)
    var reader = try ScanReader(
      file, jpeg, tables, spacing: spacing, at: entry, expecting: ScanReader.largestStretch)
    let target = min(segments.upperBound * segmentLength, jpeg.mcuCount)
    do throws(ScanFault) {
      try reader.skip(to: target)
      if target < jpeg.mcuCount {
        try reader.settle()
        guard reader.fileBit == starts[segments.upperBound] * 8 else { throw .irregular }
      }
    } catch {
      known.withLock { $0.irregular = min($0.irregular, reader.mcu) }
      throw error
    }
    let isHeld = known.withLock { known in
      reader.found.allSatisfy { known.points.insert($0) }
    }
    guard isHeld else { throw .irregular }
    return target < jpeg.mcuCount ? starts[segments.upperBound] : try reader.findEnd()
  }

  /// Gives nil for irregular data.
  private func reading<Result>(
    _ body: () throws(ScanFault) -> Result
  ) throws(PipelineError) -> Result? {
    do throws(ScanFault) {
      return try body()
    } catch {
      if case .file(let error) = error { throw error }
      return nil
    }
  }
}

extension SeekIndex {
  /// MCUs between points: those of 128 pixels.
  ///
  /// At 4:2:0 that is 8: 6 KB a megapixel. With 16 a peek of 375 pixels takes 5 % longer, with 64 a
  /// third.
  static func spacing(for jpeg: JPEGStructure) -> Int { max(1, 128 / jpeg.mcuSize.width) }

  /// Makes the whole index of a JPEG.
  /// - Throws: `PipelineError`: `unsupported` when it cannot be entered or is irregular, `damaged`
  ///   when it is cut off.
  static func build(
    of file: any CodedSource, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> SeekIndex {
    if let reason = jpeg.scanRefusal {
      throw PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
    }
    return try GrowingIndex(file, jpeg, try ScanTables(jpeg, of: file.path)).complete()
  }
}
