/// A range of a scan's entropy-coded bytes, without byte stuffing and markers.
///
/// The zero after each coded FF (T.81, B.1.1.5), restart markers and the fill bytes before them are
/// removed. Positions can be converted to offsets in the file and back.
@safe struct CodedBytes: ~Copyable {
  struct Restart: Hashable {
    /// The offset, in the coded bytes, of the first byte after the marker.
    let offset: Int
    /// 0xD0...0xD7.
    let code: UInt8
  }

  /// The reason why the range ends.
  enum End: Hashable {
    /// Another marker (0: fill bytes before a stuffed zero), and the offset of its first FF.
    case marker(UInt8, at: Int)
    /// The end of the loaded bytes; the scan continues at this file offset.
    case more(at: Int)
    /// The end of the file, inside the scan.
    case file
  }

  /// The coded bytes, followed by `padding` zeros.
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private(set) var count = 0
  private(set) var restarts: [Restart] = []
  private(set) var end = End.more(at: 0)
  /// The range of the file that is loaded.
  private(set) var loaded = 0..<0
  /// The total number of bytes removed before each of these offsets, in ascending order.
  private var gaps: [(offset: Int, total: Int)] = []

  /// The number of bytes that a parser may read after the data.
  static let padding = ScanTables.mostMCUBytes

  deinit { unsafe memory.deallocate() }

  @inline(__always)
  borrowing func withBytes<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result? {
    guard let start = unsafe memory.baseAddress else { return nil }
    return unsafe body(UnsafeRawPointer(start))
  }

  /// Replaces the loaded bytes by `most` bytes of a scan, or by fewer at the end of the file.
  mutating func load(
    _ file: any CodedSource, at offset: Int, most: Int
  ) throws(PipelineError) {
    if unsafe memory.count < most + Self.padding {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: most + Self.padding, alignment: 16)
    }
    let read = try unsafe file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<most]))
    loaded = offset..<offset + read
    removeStuffing()
    if case .more = end, read < most { end = .file }
  }

  /// Removes stuffing and markers in place, so that bytes only move towards the start.
  private mutating func removeStuffing() {
    let (offset, rawCount) = (loaded.lowerBound, loaded.count)
    restarts.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
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
        // The meaning of the FF depends on a byte that is not loaded yet.
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

  var bitCount: Int { count * 8 }

  /// Returns the file offset of a coded byte, or of the byte after the last for `count`.
  borrowing func fileOffset(of offset: Int) -> Int {
    let place = gaps.countBefore { $0.offset > offset }
    return loaded.lowerBound + offset + (place > 0 ? gaps[place - 1].total : 0)
  }

  /// Returns the position of a bit in the file, counted as in `EntryPoint.bit`.
  borrowing func fileBit(of position: Int) -> Int {
    fileOffset(of: position >> 3) << 3 | position & 7
  }

  /// Returns the coded position of a bit of the file; nil if that bit was removed or is not loaded.
  borrowing func position(ofFileBit bit: Int) -> Int? {
    let relative = bit >> 3 - loaded.lowerBound
    let place = gaps.countBefore { $0.offset + $0.total > relative }
    let offset = relative - (place > 0 ? gaps[place - 1].total : 0)
    // For a removed byte, the calculated offset belongs to a later byte.
    guard (0...count).contains(offset), fileOffset(of: offset) == bit >> 3 else { return nil }
    return offset << 3 | bit & 7
  }
}

extension Array {
  fileprivate func countBefore(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
