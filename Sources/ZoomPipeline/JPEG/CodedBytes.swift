#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A stretch of a scan's entropy-coded bytes, without what stands between them in the file.
///
/// Taken out are the zero behind each coded FF (T.81, B.1.1.5), and restart markers with fill bytes
/// before them, whose places are kept. Where each byte stood in the file can still be told.
struct CodedBytes {
  /// A restart marker.
  struct Restart: Hashable {
    /// The first byte behind it, counted in `bytes`.
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
  }

  /// The coded bytes, and `padding` zeros behind them.
  private(set) var bytes: [UInt8] = []
  /// How many of `bytes` are coded.
  private(set) var count = 0
  private(set) var restarts: [Restart] = []
  private(set) var end = End.more(at: 0)
  private var fileStart = 0
  /// From each offset in `bytes` on, how many bytes of the file were taken out in all.
  private var gaps: [(offset: Int, total: Int)] = []

  /// A block has at most 64 codes of at most 32 bits before its end is checked.
  static let padding = 64 * 4 + 8

  /// Coded bits; a reader may look at `padding` bytes more.
  var bitCount: Int { count * 8 }

  /// Takes other bytes, into the memory of those before.
  /// - Parameters:
  ///   - raw: bytes of the file, from inside a scan.
  ///   - fileOffset: where the first of them stands.
  mutating func load(_ raw: ArraySlice<UInt8>, from fileOffset: Int) {
    bytes.removeAll(keepingCapacity: true)
    restarts.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    fileStart = fileOffset
    end = .more(at: fileOffset + raw.count)
    unsafe raw.withUnsafeBytes { unsafe append($0) }
    count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Self.padding))
  }

  private mutating func append(_ raw: UnsafeRawBufferPointer) {
    guard let base = raw.baseAddress else { return }
    var position = 0
    while position < raw.count {
      // memchr looks at many bytes at a time; what it finds is inside the buffer.
      guard let found = unsafe memchr(base + position, 0xFF, raw.count - position) else {
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: raw[position...]))
        return
      }
      let first = unsafe UnsafeRawPointer(found) - base
      var next = first + 1
      while next < raw.count, unsafe raw[next] == 0xFF { next += 1 }
      guard next < raw.count else {
        // What the FF stands for is decided by a byte that is not there yet.
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: raw[position..<first]))
        end = .more(at: fileStart + first)
        return
      }
      let code = unsafe raw[next]
      let kept = code == 0 && next == first + 1 ? first + 1 : first
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: raw[position..<kept]))
      switch code {
      case 0 where next == first + 1: break
      case 0xD0...0xD7: restarts.append(Restart(offset: bytes.count, code: code))
      default:
        end = .marker(code, at: fileStart + first)
        return
      }
      position = next + 1
      gaps.append((bytes.count, position - bytes.count))
    }
  }

  /// Returns where a coded byte stands in the file; `count` gives where the next one would.
  func fileOffset(of offset: Int) -> Int {
    let place = gaps.countBefore { $0.offset > offset }
    return fileStart + offset + (place > 0 ? gaps[place - 1].total : 0)
  }

  /// Returns which coded byte stands at an offset of the file; nil when none does.
  func offset(ofFile fileOffset: Int) -> Int? {
    let relative = fileOffset - fileStart
    let place = gaps.countBefore { $0.offset + $0.total > relative }
    let offset = relative - (place > 0 ? gaps[place - 1].total : 0)
    // Inside a gap the offset comes out beyond the gap's own.
    guard (0...count).contains(offset), self.fileOffset(of: offset) == fileOffset else {
      return nil
    }
    return offset
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
