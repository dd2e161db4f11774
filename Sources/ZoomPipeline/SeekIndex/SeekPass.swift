internal import SystemPackage

/// The pass over a scan that lays down a seek index, as far as it is asked to go.
///
/// It follows code lengths only. Whatever is not as the standard has it ends the pass for good with
/// `unsupported`: a decoder may still make something of the file, and is left to.
struct SeekPass {
  private let file: FileReader
  private let jpeg: JPEGStructure
  private let layout: EntropyLayout
  private(set) var index: SeekIndex
  /// The first MCU not passed.
  private(set) var mcu = 0
  /// Its first bit in the file, counted as in `SeekIndex.Point`.
  private(set) var bit: Int
  /// What its DC values are coded against.
  private var predictors: [Int32]
  /// Whether the restart marker before `mcu` is passed, where one is due.
  private var isBehindRestart = false
  /// Bytes read so far, those read again included.
  private(set) var bytesRead = 0

  /// Large enough to make system calls rare, small enough to stay in the second-level cache.
  private static let stretch = 1 << 18

  /// Starts at the scan's first MCU, or has come to its end already.
  /// - Parameters:
  ///   - file: the picture.
  ///   - jpeg: its headers.
  ///   - index: a complete index of it, if there is one.
  /// - Throws: `unsupported` when the JPEG is of a kind that cannot be indexed.
  init(
    _ file: FileReader, _ jpeg: JPEGStructure, resuming index: SeekIndex? = nil
  ) throws(PipelineError) {
    if let reason = Self.refusal(of: jpeg) {
      throw PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
    }
    guard let layout = EntropyLayout(jpeg) else {
      throw PipelineError(
        .unsupported, operation: "index", file: file.path,
        reason: "a Huffman table is missing or senseless")
    }
    self.file = file
    self.jpeg = jpeg
    self.layout = layout
    if let index, let end = index.scanEnd, index.mcuCount == jpeg.mcuCount,
      index.componentCount == jpeg.components.count
    {
      self.index = index
      mcu = index.mcuCount
      bit = end * 8
    } else {
      self.index = SeekIndex(
        spacing: SeekIndex.spacing(for: jpeg), componentCount: jpeg.components.count,
        mcuCount: jpeg.mcuCount)
      bit = jpeg.codedStart * 8
    }
    predictors = [Int32](repeating: 0, count: jpeg.components.count)
  }

  /// Why a JPEG's scan cannot be entered; nil when it can.
  static func refusal(of jpeg: JPEGStructure) -> String? {
    if jpeg.process != .baseline && jpeg.process != .extended {
      "it is \(jpeg.process.rawValue), not sequential"
    } else if jpeg.precision != 8 {
      "it has \(jpeg.precision) bits a sample, not 8"
    } else if !jpeg.firstScanIsComplete {
      "its components come in scans of their own"
    } else {
      nil
    }
  }

  /// Goes on until an MCU is passed, or to the end of the scan.
  /// - Parameter target: how many MCUs to have passed; all of them means the scan's end, too.
  /// - Throws: `PipelineError`: `unsupported` where the data breaks the rules, `damaged` where the file
  ///   is cut off.
  mutating func advance(to target: Int) throws(PipelineError) {
    let target = min(target, jpeg.mcuCount)
    var coded = CodedBytes()
    while mcu < target {
      let place = try load(&coded)
      do throws(EntropyFault) {
        try walk(to: target, in: coded, from: place)
      } catch {
        throw irregular("its coded data breaks the rules near MCU \(mcu)")
      }
    }
    if mcu == jpeg.mcuCount, !index.isComplete { try findEnd(&coded) }
  }

  /// Reads on from where the pass stands.
  private mutating func load(_ coded: inout CodedBytes) throws(PipelineError) -> Int {
    let start = bit >> 3
    let raw = try file.bytes(at: start, count: Self.stretch)
    bytesRead += raw.count
    coded.load(raw[...], from: start)
    if case .more = coded.end, raw.count < Self.stretch {
      throw PipelineError(
        .damaged, operation: "index", file: file.path, reason: "it is cut off: no end marker",
        advice: "get a whole copy of the file")
    }
    return bit & 7
  }

  /// Passes the MCUs that stand in a stretch whole.
  private mutating func walk(
    to target: Int, in coded: CodedBytes, from place: Int
  ) throws(EntropyFault) {
    var walker = EntropyWalker(layout, position: place, predictors: predictors)
    var nextRestart = 0
    let interval = jpeg.restartInterval
    // As long as any MCU can be.
    let longest = layout.blocks.count * 64 * 32
    while mcu < target {
      if isBeforeRestart {
        guard nextRestart < coded.restarts.count else {
          guard case .more = coded.end else { throw EntropyFault.irregular }
          break
        }
        try cross(coded.restarts[nextRestart], &walker)
        nextRestart += 1
      }
      if mcu % index.spacing == 0, mcu / index.spacing == index.pointCount {
        let bit = coded.fileOffset(of: walker.position >> 3) << 3 | walker.position & 7
        guard index.append(bit: bit, predictors: walker.predictors) else {
          throw EntropyFault.irregular
        }
      }
      var next = min(target, (mcu / index.spacing + 1) * index.spacing)
      if interval > 0 { next = min(next, (mcu / interval + 1) * interval) }
      var count = next - mcu
      var limit = coded.bitCount
      if nextRestart < coded.restarts.count {
        limit = coded.restarts[nextRestart].offset * 8
      } else if case .more = coded.end {
        // Only what is sure to stand here whole.
        count = min(count, (limit - walker.position) / longest)
        if count == 0 { break }
      }
      try walker.skip(count, in: coded, limit: limit)
      mcu += count
      isBehindRestart = false
    }
    // From the end of a segment the next stretch would begin behind the marker.
    if isBeforeRestart, nextRestart < coded.restarts.count {
      try cross(coded.restarts[nextRestart], &walker)
    }
    bit = coded.fileOffset(of: walker.position >> 3) << 3 | walker.position & 7
    predictors = walker.predictors
  }

  /// Whether a restart marker stands before the next MCU and is not passed yet.
  private var isBeforeRestart: Bool {
    jpeg.restartInterval > 0 && mcu > 0 && mcu < jpeg.mcuCount
      && mcu % jpeg.restartInterval == 0 && !isBehindRestart
  }

  private mutating func cross(
    _ restart: CodedBytes.Restart, _ walker: inout EntropyWalker
  ) throws(EntropyFault) {
    guard Int(restart.code & 7) == (mcu / jpeg.restartInterval - 1) % 8 else {
      throw .irregular
    }
    try walker.cross(restart)
    isBehindRestart = true
  }

  /// Looks for the marker that ends the scan.
  private mutating func findEnd(_ coded: inout CodedBytes) throws(PipelineError) {
    while true {
      let start = bit >> 3
      _ = try load(&coded)
      guard coded.restarts.isEmpty else { throw irregular("restart markers follow its last MCU") }
      switch coded.end {
      case .marker(0xD9, let offset):
        index.finish(at: offset)
        return
      case .marker:
        throw irregular("more than one scan or header follows its first")
      case .more(let offset):
        guard offset > start else { throw irregular("fill bytes without an end follow its scan") }
        bit = offset * 8
      }
    }
  }

  private func irregular(_ reason: String) -> PipelineError {
    PipelineError(.unsupported, operation: "index", file: file.path, reason: reason)
  }
}
