/// The reason why coded bits cannot be parsed or rewritten.
enum ScanFault: Error {
  /// The bits break the standard, where decoders differ, or contradict an index.
  case irregular
  /// The tables lack the code of a DC difference.
  case missingCode
  /// The file cannot be read, or ends inside the scan.
  case file(PipelineError)

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

/// A reader that skips through a scan MCU by MCU from an entry point, and records entry points.
///
/// It reads the file as needed and passes restart markers. It follows only the lengths of codes and
/// the DC predictors, without decoding coefficients.
struct ScanReader: ~Copyable {
  private let file: any CodedSource
  private let jpeg: JPEGStructure
  private let tables: ScanTables
  private var coded = CodedBytes()
  /// The number of bytes that the last load requested.
  private var loadedMost = 0
  private var position = 0
  private var restartsPassed = 0
  /// Whether the restart marker before the next MCU, if one is due, was passed.
  private var isBehindRestart = true
  /// The number of the next MCU, and its DC predictors.
  private(set) var mcu: Int
  private(set) var predictors: Predictors
  private(set) var bytesRead = 0
  private(set) var mcusWalked = 0
  private(set) var found: [EntryPoint] = []
  private let spacing: Int

  /// Bytes loaded at once in a long pass: few system calls, yet small for the second-level cache.
  static let largestStretch = 1 << 18

  /// Creates a reader at an entry point, which reads `expected` bytes first and more as needed.
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

  /// Continues at another entry point, in the same memory.
  mutating func enter(_ entry: EntryPoint, expecting expected: Int) throws(ScanFault) {
    mcu = entry.mcu
    predictors = entry.predictors
    isBehindRestart = true
    // The loaded bytes may include the entry point.
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

  var fileBit: Int { coded.fileBit(of: position) }

  /// Skips to an MCU, but not past a restart marker directly before it.
  mutating func skip(to target: Int) throws(ScanFault) {
    while mcu < target {
      try settle()
      let next = stop(before: target)
      while !step(to: next) { try readOn(for: next - mcu) }
    }
  }

  /// Passes the restart marker before the next MCU, if one is due, and records the entry point.
  /// - Throws: `ScanFault` when the marker is missing or wrong, or bits are left before it.
  mutating func settle() throws(ScanFault) {
    let interval = jpeg.restartInterval
    if interval > 0, mcu % interval == 0, !isBehindRestart {
      if restartsPassed == coded.restarts.count, case .more = coded.end {
        try load(at: fileBit, most: Self.largestStretch)
      }
      guard restartsPassed < coded.restarts.count else { throw ended }
      let restart = coded.restarts[restartsPassed]
      // Only the bits that pad the last byte may precede the marker.
      guard Int(restart.code & 7) == (mcu / interval - 1) % 8,
        (position + 7) / 8 == restart.offset
      else { throw .irregular }
      restartsPassed += 1
      position = restart.offset * 8
      predictors = .zero
      isBehindRestart = true
    }
    recordPoint()
  }

  private mutating func recordPoint() {
    guard mcu % spacing == 0 else { return }
    found.append(EntryPoint(mcu: mcu, bit: fileBit, predictors: predictors))
  }

  /// Finds the end marker after the scan's last MCU.
  /// - Returns: The offset in the file of the marker's first byte, or of the fill bytes before it.
  mutating func findEnd() throws(ScanFault) -> Int {
    while true {
      guard restartsPassed == coded.restarts.count else { throw .irregular }
      switch coded.end {
      case .marker(0xD9, let offset): return offset
      case .marker: throw .irregular
      case .file: throw ended
      case .more(let offset):
        // If all loaded bytes are fill bytes, another load would make no progress.
        guard offset > coded.loaded.lowerBound else { throw .irregular }
        try load(at: offset * 8, most: Self.largestStretch)
      }
    }
  }

  /// Copies the bits of the MCUs before `target`, all in the current restart segment.
  ///
  /// MCUs before `jump`, an entry point of the same segment, are copied without being parsed.
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
      recordPoint()
      let next = stop(before: target)
      if step(to: next) { continue }
      // The next load overwrites bits that are not copied yet.
      writer.append(start..<position, of: coded)
      try readOn(for: next - mcu)
      start = position
    }
    writer.append(start..<position, of: coded)
  }

  /// Passes the restart marker that is due, and writes the next MCU with recoded DC values.
  ///
  /// If `all`, each block's DC value is recoded by `codes`, as other tables require; otherwise that
  /// of each component's first block. `written` holds the last MCU's DC values, and is updated.
  mutating func recode(
    _ written: inout Predictors, _ codes: [HuffmanTable], all: Bool,
    into writer: inout CodedWriter
  ) throws(ScanFault) {
    try settle()
    let (end, before) = (writer.end, written)
    while true {
      do throws(ScanFault) {
        return try rewrite(&written, codes, all: all, into: &writer)
      } catch {
        guard case .irregular = error else { throw error }
        // The MCU may be loaded only in part.
        (written, writer.end) = (before, end)
        try readOn(for: 1)
      }
    }
  }

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
          // Bits after the end belong to the padding.
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

  /// Returns the next MCU with a restart marker or a point to record, or `target` if it is nearer.
  private func stop(before target: Int) -> Int {
    min(target, (mcu / spacing + 1) * spacing, jpeg.restart(after: mcu))
  }

  /// The end of the loaded bits of the current restart segment.
  private var limit: Int {
    restartsPassed < coded.restarts.count
      ? coded.restarts[restartsPassed].offset * 8 : coded.bitCount
  }

  /// Skips to an MCU, if all MCUs before it are loaded.
  /// - Returns: False, without any change, if they are not loaded or the data is irregular.
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

  /// Loads more bytes from the next MCU on, after a step over `count` MCUs failed.
  private mutating func readOn(for count: Int) throws(ScanFault) {
    let here = fileBit >> 3
    // With this many bytes loaded, the MCUs would have ended, whatever their codes.
    let longest = count * jpeg.longestMCU + 64
    guard restartsPassed == coded.restarts.count else { throw .irregular }
    let loaded = coded.loaded
    guard case .more = coded.end, loaded.upperBound - here < longest else { throw ended }
    try load(at: fileBit, most: here > loaded.lowerBound ? loadedMost : 2 * loadedMost)
  }

  private var ended: ScanFault {
    guard case .file = coded.end else { return .irregular }
    return .file(file.damage("it is cut off: no end marker", operation: "index"))
  }

  private mutating func load(at bit: Int, most: Int) throws(ScanFault) {
    // Not 0, because `readOn` doubles it.
    loadedMost = max(most, 64)
    do throws(PipelineError) {
      try coded.load(file, at: bit >> 3, most: loadedMost)
    } catch {
      throw .file(error)
    }
    bytesRead += coded.loaded.count
    position = bit & 7
    restartsPassed = 0
  }
}
