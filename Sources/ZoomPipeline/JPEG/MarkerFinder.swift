internal import CVips

/// Finds the markers in entropy-coded data, in bounded memory.
struct MarkerFinder {
  let file: any CodedSource
  private(set) var position: Int
  private var chunk: [UInt8] = []
  private var index = 0
  private var pending = false

  init(file: any CodedSource, position: Int) {
    self.file = file
    self.position = position
  }

  /// Skips a segment's length and contents, which may hold bytes that look like markers.
  mutating func skipSegment() throws(PipelineError) {
    let start = place
    let length =
      index + 2 <= chunk.count
      ? Array(chunk[index..<index + 2]) : try file.bytes(at: start, count: 2)
    guard length.count == 2 else { return }
    let count = max(2, Int(length[0]) << 8 | Int(length[1]))
    if index + count <= chunk.count {
      index += count
    } else {
      chunk = []
      index = 0
      position = start + count
    }
  }

  /// The file offset of the next byte to examine.
  var place: Int { position - chunk.count + index }

  /// Returns the next marker and the offset of the byte after it.
  ///
  /// The result is nil at the end of the file, or if there is none in at least `most` bytes.
  mutating func next(within most: Int = .max) throws(PipelineError) -> (code: UInt8, end: Int)? {
    let start = place
    while true {
      if index == chunk.count {
        if place - start > most { return nil }
        // Large enough to make system calls rare; bytes after the wanted marker are read in vain.
        chunk = try file.bytes(at: position, count: 1 << 15)
        position += chunk.count
        index = 0
        if chunk.isEmpty { return nil }
      }
      if pending {
        let code = chunk[index]
        index += 1
        // FF00 is a coded FF; FFFF is a fill byte before a marker.
        pending = code == 0xFF
        if code != 0x00 && code != 0xFF {
          return (code, place)
        }
        continue
      }
      unsafe chunk.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        index = unsafe index + (base + index).firstFF(in: bytes.count - index)
        pending = index < bytes.count
        index += pending ? 1 : 0
      }
    }
  }
}

extension UnsafeRawPointer {
  /// Returns the number of bytes before the first FF, or `count` without one.
  @inline(__always)
  func firstFF(in count: Int) -> Int {
    // memchr compares many bytes at a time.
    unsafe memchr(self, 0xFF, count).map { unsafe UnsafeRawPointer($0) - self } ?? count
  }
}
