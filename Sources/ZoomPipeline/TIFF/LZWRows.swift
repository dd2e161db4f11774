internal import Synchronization

/// The rows of an LZW strip, which can be decoded from its Clear codes on.
///
/// An encoder clears its table every few rows, as it must when the table is full. The Clear codes
/// above a region are found by decoding once.
final class LZWRows: RowReader {
  private struct Known {
    var entries: [LZWDecoder.Entry]
    var rows = 0
    var isIrregular = false
  }

  let spacing = 16
  let stored: Sidecar? = nil
  private let file: any CodedSource
  private let rowBytes: Int
  private let count: Int
  private let start: LZWDecoder.Entry
  private let known: Mutex<Known>
  private let growing = Mutex(())

  /// Creates a reader of `count` rows; nil if the strip does not begin with a Clear code.
  init?(_ file: any CodedSource, _ strip: TIFFStrips.Place, rowBytes: Int, count: Int)
    throws(PipelineError)
  {
    let head = try file.bytes(at: strip.offset, count: 2)
    // 256 in nine bits, the highest first. Strips in libtiff's old bit order begin with a zero.
    guard head.count == 2, head[0] == 0x80, head[1] & 0x80 == 0 else { return nil }
    (self.file, self.rowBytes, self.count) = (file, rowBytes, count)
    start = LZWDecoder.Entry(
      place: StreamPlace(offset: strip.offset + 1, rest: strip.count - 1, bit: 1), output: 0)
    known = Mutex(Known(entries: [start]))
  }

  var summary: String { "entry points found as peeks need them: Clear codes of its LZW" }
  var knownRows: Int { known.withLock { $0.rows } }
  func forget() { known.withLock { $0 = Known(entries: [start]) } }

  func completeIndex() throws(PipelineError) {
    guard try unsafe read(count - 1..<count, wantedBytes: 0, { _, _ in }) != nil else {
      throw file.refusal("its coded data breaks the rules, or is cut off", operation: "index")
    }
  }

  func read(
    _ rows: Range<Int>, wantedBytes: Int,
    _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void
  ) throws(PipelineError) -> RowsRead? {
    if covers(rows.upperBound) { return try unsafe decode(rows, take, isGrowing: false) }
    return try growing.withLock { _ throws(PipelineError) in
      try unsafe decode(rows, take, isGrowing: !covers(rows.upperBound))
    }
  }

  /// Decodes rows from the last entry above them, or from the last known one to find more.
  private func decode(
    _ rows: Range<Int>, _ take: (_ row: Int, _ bytes: UnsafePointer<UInt8>) -> Void,
    isGrowing: Bool
  ) throws(PipelineError) -> RowsRead? {
    let (entries, isIrregular) = known.withLock { ($0.entries, $0.isIrregular) }
    guard !isIrregular || !isGrowing else { return nil }
    let wanted = rows.lowerBound * rowBytes
    guard let entry = entries.last(where: { $0.output <= wanted }) else { return nil }
    do throws(InflateFault) {
      let decoder = try LZWDecoder(file, at: entry)
      var row = rows.lowerBound
      var last = entries[entries.count - 1].output
      while row < rows.upperBound {
        // Decodes one row, or less if a Clear code comes, which may become an entry point.
        let isCleared = try decoder.decode(to: (row + 1) * rowBytes)
        if isCleared, isGrowing, decoder.entry.output >= last + spacing * rowBytes {
          last = decoder.entry.output
          let found = decoder.entry
          known.withLock { $0.entries.append(found) }
        }
        while row < rows.upperBound,
          (row + 1) * rowBytes <= decoder.outputStart + decoder.outputCount
        {
          unsafe take(row, decoder.output + (row * rowBytes - decoder.outputStart))
          row += 1
        }
        if isCleared { decoder.drop(before: row * rowBytes) }
      }
      if isGrowing { known.withLock { $0.rows = max($0.rows, rows.upperBound) } }
      let decoded = rows.upperBound - entry.output / rowBytes
      return RowsRead(bytesRead: decoder.bytesRead, whole: decoded)
    } catch {
      if case .unreadable(let error) = error { throw error }
      known.withLock { $0.isIrregular = true }
      return nil
    }
  }
}
