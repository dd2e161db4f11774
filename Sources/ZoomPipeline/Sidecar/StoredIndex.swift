internal import Synchronization

/// A complete seek index in a sidecar, read block by block as needed, from any thread.
final class StoredIndex: Sendable {
  let header: SidecarHeader
  private let file: any CodedSource
  /// The entries of the pages; the tag covers them.
  private let pages: [UInt8]
  private let knownPages = Mutex<[Int: [UInt8]]>([:])

  /// Creates an index from the pages' tagged entries; nil if their positions are invalid.
  init?(_ header: SidecarHeader, pages: [UInt8], of file: any CodedSource) {
    precondition(pages.count == header.pageCount * SidecarHeader.entryByteCount)
    self.header = header
    self.pages = pages
    self.file = file
    guard
      Self.ascends(
        pages, stride: SidecarHeader.entryByteCount, from: header.codedStart * 8,
        to: header.scanEnd * 8)
    else { return nil }
  }

  /// Reads and checks the records of a block's points, in the format of `SeekIndex.records`.
  /// - Throws: `damaged` when they cannot be read, or are not what was written.
  func block(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    precondition((0..<header.blockCount).contains(number))
    let page = number / SidecarHeader.blocksPerPage
    let entry = Entry(
      number % SidecarHeader.blocksPerPage, of: try self.page(page), end: pageEntry(page).end)
    let records = try read(
      entry, number, SeekIndex.pointsPerBlock, of: header.pointCount, stride: header.recordSize,
      at: header.recordsOffset)
    // Nothing precedes the first point, so its DC predictors are 0.
    guard number > 0 || records[6..<header.recordSize].allSatisfy({ $0 == 0 }) else {
      throw .damaged("its first point is none")
    }
    return records
  }

  private func page(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    if let known = knownPages.withLock({ $0[number] }) { return known }
    let entries = try read(
      pageEntry(number), number, SidecarHeader.blocksPerPage, of: header.blockCount,
      stride: SidecarHeader.entryByteCount, at: header.tableOffset)
    knownPages.withLock { $0[number] = entries }
    return entries
  }

  private func pageEntry(_ number: Int) -> Entry {
    Entry(number, of: pages, end: header.scanEnd * 8)
  }

  private struct Entry {
    /// The bit position of its first point.
    let first: Int
    /// A bit position after all of its points.
    let end: Int
    let digest: ArraySlice<UInt8>

    init(_ number: Int, of entries: [UInt8], end: Int) {
      let start = number * SidecarHeader.entryByteCount
      let next = start + SidecarHeader.entryByteCount
      first = entries.integer(at: start, byteCount: 6)
      self.end = next < entries.count ? entries.integer(at: next, byteCount: 6) : end
      digest = entries[start + 6..<next]
    }
  }

  private func read(
    _ entry: Entry, _ number: Int, _ piece: Int, of total: Int, stride: Int, at offset: Int
  ) throws(SidecarRefusal) -> [UInt8] {
    let count = min(piece, total - number * piece) * stride
    let bytes: [UInt8]
    do { bytes = try file.bytes(at: offset + number * piece * stride, count: count) } catch {
      throw .damaged(error.reason)
    }
    guard bytes.count == count,
      SHA256.digest(of: bytes).prefix(SidecarHeader.digestByteCount) == entry.digest,
      Self.ascends(bytes, stride: stride, from: entry.first, to: entry.end)
    else { throw .damaged("a block of its points does not match") }
    return bytes
  }

  /// Whether the bit positions at the starts of pieces ascend from `first` and are below the end.
  private static func ascends(_ bytes: [UInt8], stride step: Int, from first: Int, to end: Int)
    -> Bool
  {
    var last = first - 1
    for start in stride(from: 0, to: bytes.count, by: step) {
      let bit = bytes.integer(at: start, byteCount: 6)
      guard bit > last, bit < end else { return false }
      last = bit
    }
    return bytes.integer(at: 0, byteCount: 6) == first
  }

  func whole() throws(SidecarRefusal) -> SeekIndex {
    var records: [UInt8] = []
    for number in 0..<header.blockCount { records += try block(number) }
    guard
      let index = SeekIndex(
        spacing: header.spacing, componentCount: header.frame.factors.count,
        mcuCount: header.mcuCount, codedStart: header.codedStart, scanEnd: header.scanEnd,
        records: records)
    else { throw .damaged("its points contradict each other") }
    return index
  }
}
