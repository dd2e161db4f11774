/// A stretch of a scan's entropy-coded bytes, without what stands between them in the file.
///
/// Taken out are the zero behind each coded FF (T.81, B.1.1.5), and restart markers with fill bytes
/// before them, whose places are kept. Where each byte stood in the file can still be told.
@safe struct CodedBytes: ~Copyable {
  /// A restart marker.
  struct Restart: Hashable {
    /// The first byte behind it, counted in the coded bytes.
    let offset: Int
    /// 0xD0...0xD7.
    let code: UInt8
  }

  /// What ends the stretch.
  enum End: Hashable {
    /// A marker other than a restart, and the file offset of its first FF; code 0 where fill bytes
    /// stand before a stuffed zero, which decoders read in ways of their own.
    case marker(UInt8, at: Int)
    /// Nothing: the scan goes on at this file offset.
    case more(at: Int)
    /// The file, inside the scan.
    case file
  }

  /// The coded bytes, and `padding` zeros behind them.
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How many bytes are coded.
  private(set) var count = 0
  private(set) var restarts: [Restart] = []
  private(set) var end = End.more(at: 0)
  private var fileStart = 0
  /// From each offset on, how many bytes of the file were taken out in all.
  private var gaps: [(offset: Int, total: Int)] = []

  /// What a walk may read behind the data.
  static let padding = ScanTables.mostMCUBytes

  deinit { unsafe memory.deallocate() }

  /// Lends the bytes, with the padding behind them.
  @inline(__always)
  borrowing func withBytes<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result? {
    guard let start = unsafe memory.baseAddress else { return nil }
    return unsafe body(UnsafeRawPointer(start))
  }

  /// Reads other bytes of a scan, into the memory of those before.
  /// - Returns: how many there were; fewer than `most` only at the file's end.
  mutating func load(
    _ file: any CodedSource, at offset: Int, most: Int
  ) throws(PipelineError) -> Int {
    if unsafe memory.count < most + Self.padding {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: most + Self.padding, alignment: 16)
    }
    let read = try unsafe file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<most]))
    removeStuffing(read, from: offset)
    if case .more = end, read < most { end = .file }
    return read
  }

  /// Takes out what is no code, in place: what is kept only ever moves towards the start.
  private mutating func removeStuffing(_ rawCount: Int, from offset: Int) {
    restarts.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    fileStart = offset
    end = .more(at: offset + rawCount)
    count = 0
    guard let base = unsafe memory.baseAddress else { return }
    var position = 0
    while position < rawCount {
      let rest = unsafe UnsafeRawPointer(base + position)
      let first = unsafe position + rest.firstFF(in: rawCount - position)
      var next = first + 1
      while next < rawCount, unsafe memory[next] == 0xFF { next += 1 }
      guard next < rawCount else {
        // What the FF stands for is decided by a byte that is not there yet.
        keep(position..<first)
        if first < rawCount { end = .more(at: offset + first) }
        break
      }
      let code = unsafe memory[next]
      let isStuffed = code == 0 && next == first + 1
      keep(position..<(isStuffed ? first + 1 : first))
      if !isStuffed {
        guard (0xD0...0xD7).contains(code) else {
          end = .marker(code, at: offset + first)
          break
        }
        restarts.append(Restart(offset: count, code: code))
      }
      position = next + 1
      gaps.append((count, position - count))
    }
    unsafe (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  private mutating func keep(_ range: Range<Int>) {
    guard let base = unsafe memory.baseAddress else { return }
    if range.lowerBound != count {
      unsafe (base + count).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    }
    count += range.count
  }

  /// Coded bits; a walk may look at `padding` bytes more.
  var bitCount: Int { count * 8 }

  /// Where a coded byte stands in the file; `count` gives where the next one would.
  borrowing func fileOffset(of offset: Int) -> Int {
    let place = gaps.countBefore { $0.offset > offset }
    return fileStart + offset + (place > 0 ? gaps[place - 1].total : 0)
  }

  /// Where in the file a bit stands: the byte's offset times 8, and 0 for its highest bit.
  borrowing func fileBit(of position: Int) -> Int {
    fileOffset(of: position >> 3) << 3 | position & 7
  }

  /// The same for positions in ascending order; `place` is 0 at first, and counts the gaps passed.
  borrowing func fileBit(of position: Int, after place: inout Int) -> Int {
    let offset = position >> 3
    while place < gaps.count, gaps[place].offset <= offset { place += 1 }
    return (fileStart + offset + (place > 0 ? gaps[place - 1].total : 0)) << 3 | position & 7
  }

  /// Which coded bit stands at a bit of the file; nil when none does.
  borrowing func position(ofFileBit bit: Int) -> Int? {
    let relative = bit >> 3 - fileStart
    let place = gaps.countBefore { $0.offset + $0.total > relative }
    let offset = relative - (place > 0 ? gaps[place - 1].total : 0)
    // Inside a gap the offset comes out beyond the gap's own.
    guard (0...count).contains(offset), fileOffset(of: offset) == bit >> 3 else { return nil }
    return offset << 3 | bit & 7
  }
}

extension Array {
  /// The number of elements before the first that `isBehind`; those are all at the end.
  fileprivate func countBefore(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
