/// The entropy pass over what stands between restart markers; of a scan without any, several parts at
/// once.
///
/// Nobody knows which MCU stands in the middle of a scan, nor where it begins. But a reader that starts
/// at any bit synchronises with the codes after some of them (Huffman codes do so by themselves), and
/// then with the order of blocks. So each part is walked speculatively from its first byte, with DC
/// values starting at 0. Where the previous part's walk meets it at the first bit of an MCU, both agree
/// from there on, since a walk depends on nothing but its tables and its place. MCU numbers and DC
/// values are then corrected by a constant. A part that was not met is walked again.
struct EntropyPass {
  let file: any CodedSource
  let jpeg: JPEGStructure
  let tables: ScanTables
  let spacing: Int

  /// What a piece of the pass gave.
  struct Progress {
    /// Points at multiples of the spacing.
    var points: [EntryPoint]
    var end: EntryPoint
    var bytesRead: Int
    /// MCUs walked, those of speculative walks included.
    var mcusWalked: Int
    /// How many parts were walked at once, and how many of them, from the first on, were joined.
    var partsWalked = 1
    var partsJoined = 1
    /// Whether nothing can be followed from `end` on.
    var isIrregular = false
  }

  /// Bytes of a part: some milliseconds, and records of its MCUs that stay in the cache.
  static let partLength = 1 << 17
  /// How far a part is walked into the next one to meet its walk.
  ///
  /// On photographs they meet within a few hundred bytes.
  static let overlap = 1 << 12
  /// The same on every machine, for a read's work must be; cores share them.
  static let mostParts = 16

  /// Walks on to an MCU or somewhat beyond, `most` parts at once.
  /// - Throws: `PipelineError` when the file cannot be read, or ends inside the scan.
  func advance(
    from start: EntryPoint, to target: Int, parts most: Int
  ) throws(PipelineError) -> Progress {
    let here = start.bit >> 3
    let mean = Double(file.length - here) / Double(jpeg.mcuCount - start.mcu)
    // A little more than the mean has it, so that the last part is seldom too short.
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
    // What gave nothing is walked again, to tell why.
    var progress = try walkSerially(from: start, to: start.mcu + 1)
    progress.partsWalked = parts
    return progress
  }

  /// MCUs of a serial piece: others can use what is found after each.
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
        // An entry point lies behind its marker.
        if reader.mcu < jpeg.mcuCount { try reader.settle() }
      } catch {
        guard case .irregular = error else { throw error }
        isIrregular = true
        // As far as MCUs can be followed one by one.
        while (try? reader.skip(to: reader.mcu + 1)) != nil {}
      }
      return Progress(
        points: reader.found,
        end: EntryPoint(mcu: reader.mcu, bit: reader.fileBit, predictors: reader.predictors),
        bytesRead: reader.bytesRead, mcusWalked: reader.mcusWalked, isIrregular: isIrregular)
    }
    guard let progress else { preconditionFailure("irregular codes end a walk, and are no fault") }
    return progress
  }

  /// Puts the walks of parts together, as far as each met the next.
  private func join(_ walks: [PartWalk], from start: EntryPoint) -> Progress? {
    var progress = Progress(
      points: [], end: start, bytesRead: walks.reduce(0) { $0 + $1.bytesRead },
      mcusWalked: walks.reduce(0) { $0 + $1.walked }, partsWalked: walks.count, partsJoined: 0)
    // Where in a part the walk is known to be right, the MCU there, and what to add to its DC values.
    var place = 0
    var mcu = start.mcu
    var offset = Predictors.zero
    for (number, walk) in walks.enumerated() {
      let next = number + 1 < walks.count ? walk.meeting(walks[number + 1], from: place) : nil
      let last = min(next?.own ?? walk.steps.count - 1, place + jpeg.mcuCount - mcu)
      guard last >= place else { return number == 0 ? nil : progress }
      for step in place...last {
        let known = mcu + step - place
        guard known % spacing == 0 || step == last, known <= jpeg.mcuCount else { continue }
        let point = EntryPoint(
          mcu: known, bit: walk.steps[step].bit, predictors: walk.steps[step].predictors &+ offset)
        if known % spacing == 0, known < jpeg.mcuCount, step != last || next == nil {
          progress.points.append(point)
        }
        if step == last { progress.end = point }
      }
      mcu += last - place
      progress.partsJoined += 1
      guard let next, mcu < jpeg.mcuCount else { break }
      offset = progress.end.predictors &- walks[number + 1].steps[next.other].predictors
      place = next.other
    }
    return progress.end.mcu > start.mcu ? progress : nil
  }
}

/// A walk over a part of a scan, with a record of each MCU.
private struct PartWalk {
  struct Step {
    /// The MCU's first bit in the file.
    var bit: Int
    let predictors: Predictors
  }

  /// A flat picture has an MCU in a few bits; a part of it ends here, at 2 MB of records.
  private static let mostSteps = 1 << 16

  /// The MCUs since the walk began anew for the last time, and where the one behind them begins.
  private(set) var steps: [Step] = []
  private(set) var bytesRead = 0
  /// MCUs walked in all.
  private(set) var walked = 0
  /// The byte from which the next part is walked, too.
  private let end: Int

  /// Walks from a bit to `overlap` bytes behind the part's end, or as far as it can.
  ///
  /// Where it `isSpeculative` no MCU need begin there, and what is irregular is walked anew from the next
  /// byte on.
  init(
    _ pass: EntropyPass, at bit: Int, end: Int, isSpeculative: Bool, predictors: Predictors
  ) throws(PipelineError) {
    self.end = end
    var coded = CodedBytes()
    bytesRead = try coded.load(pass.file, at: bit >> 3, most: end + EntropyPass.overlap - bit >> 3)
    // A restart marker has no business here; what is in front of it can be used.
    let limit = coded.restarts.first.map { $0.offset * 8 } ?? coded.bitCount
    var records: [Step] = []
    records.reserveCapacity(1 << 13)
    var walked = 0
    _ = unsafe coded.withBytes { data in
      let walk = unsafe pass.tables.walk
      var (position, values) = (bit & 7, predictors)
      while position < limit, records.count < Self.mostSteps {
        records.append(Step(bit: position, predictors: values))
        let start = position
        let isRegular = unsafe values.withNumbers { unsafe walk.mcu(data, &position, $0) }
        if isRegular, position <= limit {
          walked += 1
          continue
        }
        // The last MCU may only lack its end.
        guard isSpeculative, !isRegular, position <= limit else { break }
        records.removeAll(keepingCapacity: true)
        (position, values) = ((start >> 3 + 1) << 3, .zero)
      }
    }
    self.walked = walked
    var place = 0
    for number in records.indices {
      records[number].bit = coded.fileBit(of: records[number].bit, after: &place)
    }
    steps = records
  }

  /// The first MCU, from one of ours on, that begins where one of the next part's does.
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
