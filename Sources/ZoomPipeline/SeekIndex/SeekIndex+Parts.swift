internal import Dispatch
internal import Synchronization

extension SeekIndex {
  /// Makes the whole index on several cores, where there are restart markers at whole rows.
  ///
  /// Between two of them nothing is coded against what is before, so that passes can begin at any. The
  /// points are those of a single pass.
  /// - Parameters:
  ///   - file: the picture.
  ///   - jpeg: its headers.
  ///   - parts: how many passes to make, side by side as far as there are cores.
  /// - Returns: nil where a pass from the top has to tell what is wrong, or there are no such markers.
  static func build(
    of file: any CodedSource, _ jpeg: JPEGStructure, inParts parts: Int
  ) -> SeekIndex? {
    guard parts > 1, let restarts = try? RestartIndex.scan(file, jpeg) else { return nil }
    let segments = restarts.starts.count
    let indexes = Mutex([SeekIndex?](repeating: nil, count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let own = part * segments / parts..<(part + 1) * segments / parts
      guard !own.isEmpty,
        var pass = try? SeekPass(
          file, jpeg, segmentAt: own.lowerBound * jpeg.restartInterval,
          byte: restarts.starts[own.lowerBound]),
        (try? pass.advance(to: own.upperBound * jpeg.restartInterval)) != nil,
        // Nothing but the marker stands between its end and where the next one began.
        own.upperBound == segments || pass.bit == restarts.starts[own.upperBound] * 8
      else { return }
      indexes.withLock { $0[part] = pass.index }
    }
    let found = indexes.withLock { $0.compactMap(\.self) }
    guard found.count == parts, var whole = found.first else { return nil }
    for next in found.dropFirst() { whole.append(next) }
    return whole.isComplete ? whole : nil
  }

  /// The passes that are worth making over a file.
  ///
  /// Each reads up to a stretch of 256 KB too much: below a megabyte that outweighs another core. More
  /// than 16 cores have to wait for the memory.
  static func parts(ofFileOf length: Int) -> Int { min(16, length >> 20) }
}
