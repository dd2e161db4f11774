/// The entry points of a JPEG in a sidecar, read block by block as needed, from any thread.
struct StoredIndex: Sendable {
  let header: SidecarHeader
  private let sidecar: Sidecar
  private let componentCount: Int

  init(_ sidecar: Sidecar, componentCount: Int) {
    (header, self.sidecar, self.componentCount) = (sidecar.header, sidecar, componentCount)
  }

  /// Reads and checks the records of a block's points, in the format of `SeekIndex.records`.
  /// - Throws: `damaged` when they cannot be read, or are not what was written.
  func block(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    let records = try sidecar.block(number)
    let first = number * SeekIndex.pointsPerBlock
    let recordSize = SeekIndex.recordSize(componentCount)
    guard
      records.count == min(SeekIndex.pointsPerBlock, header.pointCount - first) * recordSize,
      SeekIndex.ascend(records, recordSize, from: header.start, to: header.end)
    else { throw .damaged("its points contradict each other") }
    return records
  }

  func whole() throws(SidecarRefusal) -> SeekIndex {
    var records: [UInt8] = []
    for number in 0..<header.blockCount { records += try block(number) }
    guard
      let index = SeekIndex(
        spacing: header.spacing, componentCount: componentCount, mcuCount: header.unitCount,
        codedStart: header.start, scanEnd: header.end, records: records)
    else { throw .damaged("its points contradict each other") }
    return index
  }
}
