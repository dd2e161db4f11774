/// A pass over coded data between restart markers, which finds entry points without decoding.
///
/// Without markers, several parts of the scan are parsed in parallel. The position and the number
/// of an MCU in the middle of a scan are unknown, but a parser that starts at any bit synchronises
/// after a number of codes (Huffman codes do so by themselves), and then with the order of blocks.
/// So each part is parsed speculatively from its first byte, with DC values starting at 0. If the
/// pass over the previous part reaches an MCU boundary of this one, both agree from there on,
/// because a pass depends only on its tables and its position. MCU numbers and DC values are then
/// corrected by a constant. Parts that could not be joined are parsed again.
struct EntropyPass {
  let file: any CodedSource
  let jpeg: JPEGStructure
  let tables: ScanTables
  let spacing: Int

  struct Progress {
    var points: [EntryPoint]
    var end: EntryPoint
    var bytesRead: Int
    /// The number of MCUs parsed, including those parsed speculatively.
    var mcusWalked: Int
    /// The number of parts parsed at once, and of those joined, counted from the first.
    var partsWalked = 1
    var partsJoined = 1
    /// Whether the data is irregular at `end`.
    var isIrregular = false
  }

  /// The number of parts to parse at once.
  struct Parts {
    /// Reduced after parts that could not be joined.
    private(set) var count = EntropyPass.mostParts
    /// The number of consecutive passes that joined no parts; each costs many times a serial pass.
    private(set) var misses = 0

    mutating func adapt(to progress: Progress) {
      guard progress.partsWalked > 1 else { return }
      misses = progress.partsJoined > 1 ? 0 : misses + 1
      count = misses > 2 ? 1 : min(EntropyPass.mostParts, max(2, 2 * progress.partsJoined))
    }
  }

  /// The length of a part in bytes: it takes some milliseconds, and its records stay in the cache.
  static let partLength = 1 << 17
  /// The bytes of the next part that a pass also parses; on photographs some hundred are enough.
  static let overlap = 1 << 12
  /// The maximum number of parts, fixed so that reads do the same work on every machine.
  static let mostParts = 16

  /// Parses from a point towards an MCU, up to `most` parts at once; may end before or after it.
  /// - Throws: `PipelineError` when the file cannot be read, or ends inside the scan.
  func advance(
    from start: EntryPoint, to target: Int, parts most: Int
  ) throws(PipelineError) -> Progress {
    let here = start.bit >> 3
    let mean = Double(file.length - here) / Double(jpeg.mcuCount - start.mcu)
    // A little more than the mean suggests, so that the last part is seldom too short.
    let expected = Double(target - start.mcu) * mean * 1.03
    let parts = min(most, Int(min(expected, 1e15)) / Self.partLength)
    if parts < 2 {
      return try walkSerially(from: start, to: min(target, start.mcu + Self.serialMCUs))
    }
    let walks = try concurrently(parts) { number throws(PipelineError) in
      try PartWalk(
        self, at: number == 0 ? start.bit : (here + number * Self.partLength) << 3,
        end: here + (number + 1) * Self.partLength, isSpeculative: number > 0,
        predictors: number == 0 ? start.predictors : .zero)
    }
    if let progress = join(walks, from: start) { return progress }
    // The first part yielded nothing; a serial pass over its first MCU finds the reason.
    var progress = try walkSerially(from: start, to: start.mcu + 1)
    progress.partsWalked = parts
    return progress
  }

  /// The maximum number of MCUs in a serial step; other threads can use its points after each step.
  private static let serialMCUs = 1 << 14

  private func walkSerially(
    from start: EntryPoint, to target: Int
  ) throws(PipelineError) -> Progress {
    let mean = (file.length - start.bit >> 3) / (jpeg.mcuCount - start.mcu) + 1
    let (expected, overflow) = (target - start.mcu).multipliedReportingOverflow(by: mean * 5 / 4)
    var isIrregular = false
    let progress = try ScanFault.reading { () throws(ScanFault) in
      var reader = try ScanReader(
        file, jpeg, tables, spacing: spacing, at: start,
        expecting: overflow
          ? ScanReader.largestStretch : min(expected + 4096, ScanReader.largestStretch))
      do throws(ScanFault) {
        try reader.skip(to: target)
        // An entry point is the position after its restart marker.
        if reader.mcu < jpeg.mcuCount { try reader.settle() }
      } catch {
        guard case .irregular = error else { throw error }
        isIrregular = true
        // Parses the last MCUs one by one, up to the irregular one.
        do throws(ScanFault) {
          while true { try reader.skip(to: reader.mcu + 1) }
        } catch {
          guard case .irregular = error else { throw error }
        }
      }
      return Progress(
        points: reader.found,
        end: EntryPoint(mcu: reader.mcu, bit: reader.fileBit, predictors: reader.predictors),
        bytesRead: reader.bytesRead, mcusWalked: reader.mcusWalked, isIrregular: isIrregular)
    }
    guard let progress else { preconditionFailure("irregular codes end a pass without a fault") }
    return progress
  }

  /// Joins the passes over parts, up to the first that did not meet the next.
  private func join(_ walks: [PartWalk], from start: EntryPoint) -> Progress? {
    var progress = Progress(
      points: [], end: start, bytesRead: walks.reduce(0) { $0 + $1.bytesRead },
      mcusWalked: walks.reduce(0) { $0 + $1.walked }, partsWalked: walks.count, partsJoined: 0)
    // The step from which a part's pass is right, its MCU, and the correction of its DC values.
    var place = 0
    var mcu = start.mcu
    var offset = Predictors.zero
    let mcuCount = jpeg.mcuCount
    for (number, walk) in walks.enumerated() {
      let next = number + 1 < walks.count ? walk.meeting(walks[number + 1], from: place) : nil
      let last = min(next?.own ?? walk.steps.count - 1, place + mcuCount - mcu)
      guard last >= place else { return number == 0 ? nil : progress }
      for step in place...last {
        let known = mcu + step - place
        guard known % spacing == 0 || step == last, known <= mcuCount else { continue }
        let point = EntryPoint(
          mcu: known, bit: walk.steps[step].bit, predictors: walk.steps[step].predictors &+ offset)
        if known % spacing == 0, known < mcuCount, step != last || next == nil {
          progress.points.append(point)
        }
        if step == last { progress.end = point }
      }
      mcu += last - place
      progress.partsJoined += 1
      guard let next, mcu < mcuCount else { break }
      offset = progress.end.predictors &- walks[number + 1].steps[next.other].predictors
      place = next.other
    }
    return progress.end.mcu > start.mcu ? progress : nil
  }
}

/// A pass over one part, with a record of each MCU.
private struct PartWalk {
  /// The maximum number of records, 2 MB; in a flat picture an MCU takes only a few bits.
  private static let mostSteps = 1 << 16

  /// The starts of the MCUs since the pass last restarted, and the start of the MCU after them,
  /// numbered from there.
  private(set) var steps: [EntryPoint] = []
  private(set) var bytesRead = 0
  private(set) var walked = 0
  /// The offset in the file at which the next part begins.
  private let end: Int

  /// Parses from a bit to `overlap` bytes after the part's end, or to the first irregular MCU.
  ///
  /// Where the bits are irregular, a speculative pass restarts at the next byte.
  init(
    _ pass: EntropyPass, at bit: Int, end: Int, isSpeculative: Bool, predictors: Predictors
  ) throws(PipelineError) {
    self.end = end
    var coded = CodedBytes()
    try coded.load(pass.file, at: bit >> 3, most: end + EntropyPass.overlap - bit >> 3)
    bytesRead = coded.loaded.count
    // A restart marker is an error here; the data before it is still usable.
    let limit = coded.restarts.first.map { $0.offset * 8 } ?? coded.bitCount
    var records: [EntryPoint] = []
    records.reserveCapacity(1 << 13)
    var walked = 0
    _ = unsafe coded.withBytes { data in
      let walk = unsafe pass.tables.walk
      var (position, values) = (bit & 7, predictors)
      while position < limit, records.count < Self.mostSteps {
        records.append(EntryPoint(mcu: records.count, bit: position, predictors: values))
        let start = position
        let isRegular = unsafe values.withNumbers { unsafe walk.mcu(data, &position, $0) }
        if isRegular, position <= limit {
          walked += 1
          continue
        }
        // The last MCU may merely be incomplete.
        guard isSpeculative, !isRegular, position <= limit else { break }
        records.removeAll(keepingCapacity: true)
        (position, values) = ((start >> 3 + 1) << 3, .zero)
      }
    }
    self.walked = walked
    for number in records.indices {
      records[number].bit = coded.fileBit(of: records[number].bit)
    }
    steps = records
  }

  /// Returns the first MCU boundary, from step `place` on, that is also one of the next part's.
  func meeting(_ next: PartWalk, from place: Int) -> (own: Int, other: Int)? {
    var own = steps.firstIndex { $0.bit >> 3 >= end } ?? steps.count
    own = max(own, place)
    var other = 0
    while own < steps.count, other < next.steps.count {
      let (one, two) = (steps[own].bit, next.steps[other].bit)
      if one == two { return (own, other) }
      if one < two { own += 1 } else { other += 1 }
    }
    return nil
  }
}
