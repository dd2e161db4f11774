/// Why coded bits cannot be followed, or not be written anew.
enum ScanFault: Error {
  /// They are not as the standard has it, or not what an index says. Decoders differ in what
  /// they make of them.
  case irregular
  /// The tables have no code for a DC difference.
  case missingCode
  /// The file cannot be read, or ends inside the scan.
  case file(PipelineError)

  /// What `body` gives; nil where the codes cannot be followed or written anew.
  static func reading<Result>(
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

/// Steps through a scan MCU by MCU, over restart markers, from an entry point on; reads the file as it
/// goes and notes the entry points that it passes.
///
/// Coefficients are not decoded: only lengths are followed, and the DC predictors.
struct ScanReader: ~Copyable {
  private let file: any CodedSource
  private let jpeg: JPEGStructure
  private let tables: ScanTables
  private var coded = CodedBytes()
  /// Which part of the file `coded` was loaded from.
  private var loadedStart = 0
  private var loadedCount = 0
  private var loadedMost = 0
  /// The next bit, in `coded`.
  private var position = 0
  /// The restart markers of `coded` that are passed.
  private var restartsPassed = 0
  /// Whether the restart marker before the next MCU is passed, where one is due.
  private var isBehindRestart = true
  /// The next MCU.
  private(set) var mcu: Int
  /// What its DC values are coded against.
  private(set) var predictors: Predictors
  private(set) var bytesRead = 0
  /// MCUs stepped over in all.
  private(set) var mcusWalked = 0
  /// Points at multiples of `spacing` that were passed.
  private(set) var found: [EntryPoint] = []
  private let spacing: Int

  /// Large enough to make system calls rare, small enough to stay in the second-level cache.
  static let largestStretch = 1 << 18

  /// Stands before an entry's MCU, behind a restart marker where one is due.
  ///
  /// `expected` bytes are read at first, more when they are needed.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, _ tables: ScanTables, spacing: Int,
    at entry: EntryPoint, expecting expected: Int
  ) throws(ScanFault) {
    self.file = file
    self.jpeg = jpeg
    self.tables = tables
    self.spacing = spacing
    mcu = entry.mcu
    predictors = entry.predictors
    try load(at: entry.bit, most: expected)
  }

  /// Goes on at another entry point, in the same memory.
  mutating func enter(_ entry: EntryPoint, expecting expected: Int) throws(ScanFault) {
    mcu = entry.mcu
    predictors = entry.predictors
    isBehindRestart = true
    // What is loaded may hold it.
    if let place = coded.position(ofFileBit: entry.bit), place >= position,
      coded.bitCount - place >= expected * 8
    {
      position = place
      while restartsPassed < coded.restarts.count,
        coded.restarts[restartsPassed].offset * 8 <= place
      {
        restartsPassed += 1
      }
      return
    }
    try load(at: entry.bit, most: expected)
  }

  /// The next MCU's first bit in the file, counted as in `EntryPoint`.
  var fileBit: Int { coded.fileBit(of: position) }

  /// Steps over MCUs; a restart marker before `target` itself is left to what comes next.
  mutating func skip(to target: Int) throws(ScanFault) {
    while mcu < target {
      try settle()
      try walk(to: stop(before: target))
    }
  }

  /// Passes the restart marker before the next MCU, if one is due, and notes the point.
  /// - Throws: `ScanFault` when there is none, or bits are left before it.
  mutating func settle() throws(ScanFault) {
    let interval = jpeg.restartInterval
    if interval > 0, mcu % interval == 0, !isBehindRestart {
      if restartsPassed == coded.restarts.count, case .more = coded.end {
        try load(at: fileBit, most: Self.largestStretch)
      }
      guard restartsPassed < coded.restarts.count else { throw ended }
      let restart = coded.restarts[restartsPassed]
      // Nothing but the bits that fill the last byte stands before it.
      guard Int(restart.code & 7) == (mcu / interval - 1) % 8,
        (position + 7) / 8 == restart.offset
      else { throw .irregular }
      restartsPassed += 1
      position = restart.offset * 8
      predictors = .zero
      isBehindRestart = true
    }
    if mcu % spacing == 0 {
      found.append(EntryPoint(mcu: mcu, bit: fileBit, predictors: predictors))
    }
  }

  /// Finds the end marker behind the scan's last MCU: the first byte of it, or of the fill bytes before
  /// it, in the file.
  mutating func findEnd() throws(ScanFault) -> Int {
    while true {
      guard restartsPassed == coded.restarts.count else { throw .irregular }
      switch coded.end {
      case .marker(0xD9, let offset): return offset
      case .marker: throw .irregular
      case .file: throw ended
      case .more(let offset):
        // As fill bytes without end would have it.
        guard offset > loadedStart else { throw .irregular }
        try load(at: offset * 8, most: Self.largestStretch)
      }
    }
  }

  /// Copies the bits of the MCUs before `target`, all of one restart segment whose marker is passed.
  ///
  /// What is before `jump`, a point of the same segment, is not walked.
  mutating func copy(
    to target: Int, jump: EntryPoint?, into writer: inout CodedWriter
  ) throws(ScanFault) {
    var start = position
    if let jump, jump.mcu > mcu, jump.mcu <= target,
      let place = coded.position(ofFileBit: jump.bit), place >= position, place <= limit
    {
      (mcu, position, predictors) = (jump.mcu, place, jump.predictors)
    }
    while mcu < target {
      if mcu % spacing == 0 {
        found.append(EntryPoint(mcu: mcu, bit: fileBit, predictors: predictors))
      }
      let next = stop(before: target)
      if step(to: next) { continue }
      // What is read next takes the place of what is not copied yet.
      writer.append(start..<position, of: coded)
      try readOn(for: next - mcu)
      start = position
    }
    writer.append(start..<position, of: coded)
  }

  /// Writes an MCU with DC values coded anew by `codes`, behind the restart marker before it: each
  /// block's, for other tables, or each component's first.
  ///
  /// `written` has the DC values of the last MCU written, and is brought up to date.
  mutating func recode(
    _ written: inout Predictors, _ codes: [HuffmanTable], all: Bool,
    into writer: inout CodedWriter
  ) throws(ScanFault) {
    try settle()
    let (mark, before) = (writer.mark, written)
    while true {
      do throws(ScanFault) {
        return try rewrite(&written, codes, all: all, into: &writer)
      } catch {
        guard case .irregular = error else { throw error }
        // It may only lack its end.
        (written, _) = (before, writer.goBack(to: mark))
        try readOn(for: 1)
      }
    }
  }

  /// Writes the next MCU, if all of it is loaded.
  private mutating func rewrite(
    _ written: inout Predictors, _ codes: [HuffmanTable], all: Bool,
    into writer: inout CodedWriter
  ) throws(ScanFault) {
    var (place, values, copied) = (position, predictors, position)
    var next = 0
    var isCoded = true
    let isRegular = unsafe coded.withBytes { data in
      unsafe values.withNumbers { values in
        unsafe tables.walk.mcu(data, &place, values) { number, start, ac in
          let block = tables.blocks[number]
          // Bits behind the end are the padding's.
          guard all || block.component == next, isCoded, ac <= limit else { return }
          next = block.component + 1
          writer.append(copied..<start, of: coded)
          let value = unsafe values[block.component]
          isCoded = writer.appendDifference(value &- written[block.component], codes[block.dc])
          written[block.component] = value
          copied = ac
        }
      }
    }
    guard isRegular == true, place <= limit else { throw .irregular }
    guard isCoded else { throw .missingCode }
    writer.append(copied..<place, of: coded)
    position = place
    predictors = values
    written = values
    mcu += 1
    mcusWalked += 1
    isBehindRestart = false
  }

  // MARK: Steps

  /// The next place to stop at: a restart marker, where a point is to be noted, or `target`.
  private func stop(before target: Int) -> Int {
    let interval = jpeg.restartInterval
    let next = min(target, (mcu / spacing + 1) * spacing)
    return interval > 0 ? min(next, (mcu / interval + 1) * interval) : next
  }

  private mutating func walk(to target: Int) throws(ScanFault) {
    while !step(to: target) { try readOn(for: target - mcu) }
  }

  /// One past the last bit of the restart segment that is loaded.
  private var limit: Int {
    restartsPassed < coded.restarts.count
      ? coded.restarts[restartsPassed].offset * 8 : coded.bitCount
  }

  /// Steps over MCUs that are loaded whole.
  /// - Returns: false, and nothing has happened, where they are not or the data is irregular.
  private mutating func step(to target: Int) -> Bool {
    let (count, limit) = (target - mcu, limit)
    var (position, predictors) = (position, predictors)
    let isWhole = unsafe coded.withBytes { data in
      unsafe predictors.withNumbers { predictors in
        let walk = unsafe tables.walk
        for _ in 0..<count {
          guard position <= limit, unsafe walk.mcu(data, &position, predictors) else {
            return false
          }
        }
        return position <= limit
      }
    }
    guard isWhole == true else { return false }
    self.position = position
    self.predictors = predictors
    mcu = target
    mcusWalked += count
    isBehindRestart = false
    return true
  }

  /// Reads on from the next MCU, after a step over `count` of them failed.
  private mutating func readOn(for count: Int) throws(ScanFault) {
    let here = fileBit >> 3
    // Whatever their codes were, they would have ended in what was loaded.
    let longest = count * jpeg.longestMCU + 64
    guard restartsPassed == coded.restarts.count else { throw .irregular }
    guard case .more = coded.end, loadedCount - (here - loadedStart) < longest else { throw ended }
    try load(at: fileBit, most: here > loadedStart ? loadedMost : 2 * loadedMost)
  }

  /// Why the coded data goes on no further.
  private var ended: ScanFault {
    guard case .file = coded.end else { return .irregular }
    return .file(
      PipelineError(
        .damaged, operation: "index", file: file.path, reason: "it is cut off: no end marker",
        advice: "get a whole copy of the file"))
  }

  private mutating func load(at bit: Int, most: Int) throws(ScanFault) {
    loadedStart = bit >> 3
    // Twice nothing would be nothing again.
    let most = max(most, 64)
    loadedMost = most
    do throws(PipelineError) {
      loadedCount = try coded.load(file, at: loadedStart, most: most)
    } catch {
      throw .file(error)
    }
    bytesRead += loadedCount
    position = bit & 7
    restartsPassed = 0
  }
}
