internal import SystemPackage

/// The pass over a scan that lays down a seek index, as far as it is asked to go.
///
/// It follows code lengths only. Whatever is not as the standard has it ends the pass for good with
/// `unsupported`: a decoder may still make something of the file, and is left to.
struct SeekPass {
  private let file: any CodedSource
  private let jpeg: JPEGStructure
  private let layout: EntropyLayout
  private(set) var index: SeekIndex
  private var place: Place
  /// The number of the index's first point: not 0 for a pass that began inside the scan.
  private var firstPoint = 0
  /// Where the data breaks the rules, or the file is cut off, and how.
  private var broken: (mcu: Int, error: PipelineError)?
  /// Bytes read so far, those read again included.
  private(set) var bytesRead = 0

  /// Large enough to make system calls rare, small enough to stay in the second-level cache.
  private static let largestStretch = 1 << 18

  /// Where the pass stands.
  private struct Place: Hashable {
    var mcu: Int
    var bit: Int
    /// What the MCU's DC values are coded against.
    var predictors: [Int32]
    /// Whether the restart marker before the MCU is passed, where one is due.
    var isBehindRestart = false
  }

  /// The first MCU not passed.
  var mcu: Int { place.mcu }
  /// Its first bit in the file, counted as in `SeekIndex.Point`.
  var bit: Int { place.bit }

  /// Starts at the scan's first MCU, or has come to its end already.
  /// - Parameters:
  ///   - file: the picture.
  ///   - jpeg: its headers.
  ///   - layout: its tables, if they were read before.
  ///   - index: a complete index of it, if there is one.
  /// - Throws: `unsupported` when the JPEG is of a kind that cannot be indexed.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, _ layout: EntropyLayout? = nil,
    resuming index: SeekIndex? = nil
  ) throws(PipelineError) {
    if let reason = jpeg.scanRefusal {
      throw PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
    }
    self.file = file
    self.jpeg = jpeg
    if let layout {
      self.layout = layout
    } else {
      self.layout = try EntropyLayout(jpeg, of: file.path)
    }
    if let index, let end = index.scanEnd, index.mcuCount == jpeg.mcuCount,
      index.componentCount == jpeg.components.count,
      index.point(at: 0)?.bit == jpeg.codedStart * 8
    {
      self.index = index
      place = Place(mcu: index.mcuCount, bit: end * 8, predictors: [])
    } else {
      self.index = SeekIndex(
        spacing: SeekIndex.spacing(for: jpeg), componentCount: jpeg.components.count,
        mcuCount: jpeg.mcuCount)
      place = Place(
        mcu: 0, bit: jpeg.codedStart * 8,
        predictors: [Int32](repeating: 0, count: jpeg.components.count))
    }
  }

  /// Starts at a restart segment: its index has the points from there on alone.
  /// - Parameters:
  ///   - file: the picture.
  ///   - jpeg: its headers.
  ///   - mcu: the segment's first MCU.
  ///   - byte: its first byte, behind the marker.
  /// - Throws: as the other does.
  init(
    _ file: any CodedSource, _ jpeg: JPEGStructure, segmentAt mcu: Int, byte: Int
  ) throws(PipelineError) {
    try self.init(file, jpeg)
    place = Place(
      mcu: mcu, bit: byte * 8, predictors: place.predictors, isBehindRestart: mcu > 0)
    firstPoint = (mcu + index.spacing - 1) / index.spacing
  }

  /// Goes on until an MCU is passed, or to the end of the scan.
  ///
  /// What breaks the rules once is not tried again: beyond it every call throws the same.
  /// - Parameter target: how many MCUs to have passed; all of them means the scan's end, too.
  /// - Throws: `PipelineError`: `unsupported` where the data breaks the rules, `damaged` where the file
  ///   is cut off.
  mutating func advance(to target: Int) throws(PipelineError) {
    let target = min(target, jpeg.mcuCount)
    if let broken, target > broken.mcu || target == jpeg.mcuCount { throw broken.error }
    do throws(PipelineError) {
      var coded = CodedBytes()
      while mcu < target {
        let before = place
        try load(&coded, most: stretch(to: target))
        do throws(EntropyFault) {
          try walk(to: target, in: coded)
        } catch {
          throw irregular("its coded data breaks the rules behind MCU \(mcu)")
        }
        // As fill bytes without end would have it.
        guard place != before else {
          throw irregular("a long run of fill bytes stands in its scan")
        }
      }
      if target == jpeg.mcuCount, !index.isComplete { try findEnd(&coded) }
    } catch {
      // What cannot be read now may be read another time.
      if error.isRefusal || error.code == .damaged { broken = (mcu, error) }
      throw error
    }
  }

  /// How much to read at a time: about what is needed, and enough for any MCU.
  private func stretch(to target: Int) -> Int {
    // Twice the mean of an MCU, for places differ; what is missing then is read next.
    let mean = (file.length - jpeg.codedStart) / jpeg.mcuCount + 1
    let (expected, overflow) = (target - mcu).multipliedReportingOverflow(by: 2 * mean)
    // Some MCUs, however long they are.
    let least = 16_384 + 2 * jpeg.longestMCU
    return overflow ? Self.largestStretch : max(least, min(expected, Self.largestStretch))
  }

  /// Reads on from where the pass stands.
  private mutating func load(_ coded: inout CodedBytes, most: Int) throws(PipelineError) {
    let start = bit >> 3
    let raw = try file.bytes(at: start, count: most)
    bytesRead += raw.count
    coded.load(raw[...], from: start)
    if case .more = coded.end, raw.count < most {
      throw PipelineError(
        .damaged, operation: "index", file: file.path, reason: "it is cut off: no end marker",
        advice: "get a whole copy of the file")
    }
  }

  /// Passes the MCUs that stand in a stretch whole; stays where it was when one breaks the rules.
  private mutating func walk(to target: Int, in coded: CodedBytes) throws(EntropyFault) {
    var place = place
    var walker = EntropyWalker(layout, position: place.bit & 7, predictors: place.predictors)
    var restarts = coded.restarts[...]
    while place.mcu < target {
      if isBeforeRestart(place) {
        guard let restart = restarts.popFirst() else {
          guard case .more = coded.end else { throw .irregular }
          break
        }
        try cross(restart, &place, &walker)
      }
      if place.mcu % index.spacing == 0, place.mcu / index.spacing == firstPoint + index.pointCount
      {
        let bit = coded.fileOffset(of: walker.position >> 3) << 3 | walker.position & 7
        guard index.append(bit: bit, predictors: walker.predictors) else { throw .irregular }
      }
      var next = min(target, (place.mcu / index.spacing + 1) * index.spacing)
      let interval = jpeg.restartInterval
      if interval > 0 { next = min(next, (place.mcu / interval + 1) * interval) }
      var count = next - place.mcu
      var limit = coded.bitCount
      if let restart = restarts.first {
        limit = restart.offset * 8
      } else if case .more = coded.end {
        // Only what is sure to stand here whole.
        count = min(count, (limit - walker.position) / (jpeg.longestMCU * 8))
        if count == 0 { break }
      }
      try walker.skip(count, in: coded, limit: limit)
      place.mcu += count
      place.isBehindRestart = false
    }
    // From the end of a segment the next stretch would begin behind the marker.
    if isBeforeRestart(place), let restart = restarts.first {
      try cross(restart, &place, &walker)
    }
    place.bit = coded.fileOffset(of: walker.position >> 3) << 3 | walker.position & 7
    place.predictors = walker.predictors
    self.place = place
  }

  /// Whether a restart marker stands before the next MCU and is not passed yet.
  private func isBeforeRestart(_ place: Place) -> Bool {
    jpeg.restartInterval > 0 && place.mcu > 0 && place.mcu < jpeg.mcuCount
      && place.mcu % jpeg.restartInterval == 0 && !place.isBehindRestart
  }

  private func cross(
    _ restart: CodedBytes.Restart, _ place: inout Place, _ walker: inout EntropyWalker
  ) throws(EntropyFault) {
    guard Int(restart.code & 7) == (place.mcu / jpeg.restartInterval - 1) % 8 else {
      throw .irregular
    }
    try walker.cross(restart)
    place.isBehindRestart = true
  }

  /// Looks for the marker that ends the scan.
  private mutating func findEnd(_ coded: inout CodedBytes) throws(PipelineError) {
    while true {
      let start = bit >> 3
      try load(&coded, most: Self.largestStretch)
      guard coded.restarts.isEmpty else { throw irregular("restart markers follow its last MCU") }
      switch coded.end {
      case .marker(0xD9, let offset):
        index.finish(at: offset)
        return
      case .marker:
        throw irregular("more than one scan or header follows its first")
      case .more(let offset):
        guard offset > start else { throw irregular("a long run of fill bytes follows its scan") }
        place.bit = offset * 8
      }
    }
  }

  private func irregular(_ reason: String) -> PipelineError {
    PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
  }
}
