extension SeekIndex {
  /// Points of a block in a sidecar, which is read and checked as a whole.
  ///
  /// A block of 3 KB costs some 20 microseconds, most of it hashing. A small peek needs about as many
  /// blocks as rows of MCUs; larger blocks would have more of it hashed in vain, and smaller ones make
  /// the table longer that every opening checks.
  static let pointsPerBlock = 256
}

/// A complete seek index in a sidecar, read block by block as peeks need it.
final class StoredIndex: Sendable {
  /// MCUs from one point to the next.
  let spacing: Int
  /// Components of the scan, 1...4.
  let componentCount: Int
  /// MCUs of the whole picture.
  let mcuCount: Int
  /// The first coded byte in the stream that the points lead into.
  let codedStart: Int
  /// The first byte behind the coded data there.
  let scanEnd: Int
  /// How many points there are.
  let pointCount: Int

  private let file: any CodedSource
  private let recordsOffset: Int
  /// The sidecar's table: for each block the place of its first bit and its digest.
  private let table: ArraySlice<UInt8>

  /// Takes a table whose tag is right; nil when its blocks do not ascend from the scan's start to its end.
  ///
  /// - Parameters:
  ///   - header: the sidecar's.
  ///   - table: its blocks.
  ///   - file: the sidecar.
  init?(_ header: SidecarHeader, table: ArraySlice<UInt8>, of file: any CodedSource) {
    precondition(table.count == header.blockCount * SidecarHeader.entryByteCount)
    spacing = header.spacing
    componentCount = header.frame.factors.count
    mcuCount = header.mcuCount
    codedStart = header.codedStart
    scanEnd = header.scanEnd
    pointCount = header.pointCount
    recordsOffset = header.recordsOffset
    self.table = table
    self.file = file
    var last = header.codedStart * 8 - 1
    for number in 0..<header.blockCount {
      let bit = firstBit(of: number)
      guard bit > last, bit < scanEnd * 8 else { return nil }
      last = bit
    }
    guard firstBit(of: 0) == codedStart * 8 else { return nil }
  }

  /// How many blocks the points are kept in.
  var blockCount: Int { table.count / SidecarHeader.entryByteCount }

  /// The records of a block's points, as in `SeekIndex.records`.
  ///
  /// It is read and checked each time; who needs it again keeps it.
  /// - Parameter number: 0..<`blockCount`.
  /// - Returns: its bytes.
  /// - Throws: `damaged` when it cannot be read, or is not what was written.
  func block(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    precondition((0..<blockCount).contains(number))
    let recordSize = SeekIndex.recordSize(componentCount)
    let first = number * SeekIndex.pointsPerBlock
    let count = min(SeekIndex.pointsPerBlock, pointCount - first) * recordSize
    let records: [UInt8]
    do {
      records = try file.bytes(at: recordsOffset + first * recordSize, count: count)
    } catch {
      throw .damaged(error.reason)
    }
    let entry = table.startIndex + number * SidecarHeader.entryByteCount
    let digest = table[entry + 8..<entry + SidecarHeader.entryByteCount]
    guard records.count == count,
      SHA256.digest(of: records).prefix(SidecarHeader.blockDigestByteCount) == digest,
      isOrdered(records, number)
    else { throw .damaged("a block of its points does not match") }
    return records
  }

  /// Whether a block's points ascend from its first bit to that of the next block.
  private func isOrdered(_ records: [UInt8], _ number: Int) -> Bool {
    let recordSize = SeekIndex.recordSize(componentCount)
    let end = number + 1 < blockCount ? firstBit(of: number + 1) : scanEnd * 8
    var last = firstBit(of: number) - 1
    for start in stride(from: 0, to: records.count, by: recordSize) {
      let bit = records.integer(at: start, byteCount: 6)
      guard bit > last, bit < end else { return false }
      last = bit
    }
    // Nothing comes before the first point that its DC values could be coded against.
    return records.integer(at: 0, byteCount: 6) == firstBit(of: number)
      && (number > 0 || records[6..<recordSize].allSatisfy { $0 == 0 })
  }

  private func firstBit(of number: Int) -> Int {
    table.integer(at: table.startIndex + number * SidecarHeader.entryByteCount, byteCount: 8)
  }

  /// All of the index at once.
  /// - Throws: `damaged` when a block is.
  func whole() throws(SidecarRefusal) -> SeekIndex {
    var records: [UInt8] = []
    for number in 0..<blockCount { records += try block(number) }
    guard
      let index = SeekIndex(
        spacing: spacing, componentCount: componentCount, mcuCount: mcuCount,
        codedStart: codedStart, scanEnd: scanEnd, records: records)
    else { throw .damaged("its points contradict each other") }
    return index
  }
}
