/// Goes through a stretch of the coded data MCU by MCU, over restart markers, from an entry point on.
struct StretchReader {
  let coded: CodedBytes
  private let interval: Int
  private var walker: EntropyWalker
  private var restarts: ArraySlice<CodedBytes.Restart>
  /// The next MCU.
  private var mcu: Int
  /// The MCU whose restart marker is passed; a point lies behind its own.
  private var settled: Int

  /// Stands before an entry's MCU.
  /// - Parameters:
  ///   - layout: the picture's Huffman tables.
  ///   - interval: MCUs between restart markers; 0 without.
  ///   - entry: where to begin.
  ///   - coded: the bytes from the entry's on.
  init(_ layout: EntropyLayout, interval: Int, entry: SeekIndex.Point, _ coded: CodedBytes) {
    self.coded = coded
    self.interval = interval
    walker = EntropyWalker(layout, position: entry.bit & 7, predictors: entry.predictors)
    restarts = coded.restarts[...]
    mcu = entry.mcu
    settled = entry.mcu
  }

  /// The next bit, in `coded`.
  var position: Int { walker.position }

  /// What the next MCU's DC values are coded against, but behind a restart marker.
  var predictors: [Int32] { walker.predictors }

  /// Steps over MCUs; a restart marker before `target` itself is left to what comes next.
  mutating func skip(to target: Int) throws(EntropyFault) {
    while mcu < target {
      try settle()
      let restart = interval > 0 ? (mcu / interval + 1) * interval : .max
      let next = min(target, restart)
      try walker.skip(next - mcu, in: coded, limit: limit)
      mcu = next
    }
  }

  /// Steps over the next MCU and tells where its parts are.
  mutating func visit() throws(EntropyFault) -> [EntropyWalker.Visited] {
    try settle()
    mcu += 1
    return try walker.visit(in: coded, limit: limit)
  }

  /// Goes on at a point of the same restart segment.
  mutating func jump(to point: SeekIndex.Point) throws(EntropyFault) {
    guard let byte = coded.offset(ofFile: point.bit >> 3) else { throw .irregular }
    let place = byte * 8 + point.bit & 7
    guard point.mcu >= mcu, place >= position, place <= limit else { throw .irregular }
    walker.jump(to: place, predictors: point.predictors)
    mcu = point.mcu
  }

  private var limit: Int { restarts.first.map { $0.offset * 8 } ?? coded.bitCount }

  /// Passes the restart marker before the next MCU, if there is one.
  private mutating func settle() throws(EntropyFault) {
    guard interval > 0, mcu % interval == 0, mcu != settled else { return }
    guard let restart = restarts.popFirst() else { throw .irregular }
    try walker.cross(restart)
    settled = mcu
  }
}
