import PropertyTesting
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

/// Checks that blocks are read when they are needed and verified one by one.
@Suite struct StoredIndexTests {
  /// The blocks of a sidecar as an index of a JPEG takes them.
  private struct StoredIndex {
    let sidecar: Sidecar
    let componentCount: Int

    func block(_ number: Int) throws -> [UInt8] {
      let records = try sidecar.block(number)
      var index = SeekIndex(sidecar.header, componentCount: componentCount)
      guard index.insert(records, asBlock: number) else { throw SidecarRefusal.damaged("order") }
      return records
    }

    func whole() throws -> SeekIndex { try SeekIndex(sidecar, componentCount: componentCount) }
  }

  private let folder: TestFolder
  private let key: SidecarKey
  private let draft: SidecarDraft
  private let componentCount: Int

  init() throws {
    folder = try TestFolder()
    key = try SampleSidecar.key(7)
    var random = SplitMix64(seed: 12)
    draft = try #require(
      SampleSidecar.random(&random, mcus: 256 * 300 + 3, spacing: 1, hasPayload: false))
    let byteCount = draft.blocks.reduce(0) { $0 + $1.count }
    componentCount = (byteCount / draft.header.pointCount - 6) / 2
  }

  private var recordSize: Int { SeekIndex.recordSize(componentCount) }

  private func opened(_ bytes: [UInt8]) throws -> (FileReader, StoredIndex) {
    let file = try FileReader(folder.write(bytes, as: "a.zidx"))
    return (file, StoredIndex(sidecar: try Sidecar(file, key: key), componentCount: componentCount))
  }

  @Test func `opening reads the table and no points, and a block is read alone`() throws {
    let (file, index) = try opened(draft.encoded(with: key))
    #expect(file.bytesRead == draft.header.blocksOffset)
    let block = try index.block(17)
    #expect(file.bytesRead == draft.header.blocksOffset + block.count)
    _ = try index.block(300)
    #expect(file.bytesRead == draft.header.blocksOffset + (256 + 3) * recordSize)
  }

  @Test func `a damaged block is refused alone, and the others are used`() throws {
    let header = draft.header
    let blockByteCount = 256 * recordSize
    var bytes = draft.encoded(with: key)
    bytes[header.blocksOffset + 5 * blockByteCount + 100] ^= 1
    let (_, index) = try opened(bytes)
    for number in [0, 4, 6, 300] { _ = try index.block(number) }
    #expect(throws: SidecarRefusal.self) { try index.block(5) }
    #expect(throws: SidecarRefusal.self) { try index.whole() }
  }

  @Test func `a sidecar that becomes shorter while it is open is refused`() throws {
    let (_, index) = try opened(draft.encoded(with: key))
    _ = try index.block(0)
    let header = draft.header
    let length = header.blocksOffset + 2 * SeekIndex.pointsPerBlock * recordSize
    #expect(truncate(folder.path.appending("a.zidx").string, length) == 0)
    _ = try index.block(0)
    #expect(throws: SidecarRefusal.self) { try index.block(290) }
  }

  /// Sealed with the key, as a faulty writer of ours would do it.
  @Test func `points that do not ascend are refused`() throws {
    let header = draft.header
    let right = draft.encoded(with: key)
    func place(_ point: Int) -> Int { header.blocksOffset + point * recordSize }
    func bit(_ point: Int) -> Int { right.integer(at: place(point), byteCount: 6) }
    func changed(_ offset: Int, to number: Int, _ byteCount: Int) throws -> StoredIndex {
      var bytes = right
      bytes.write(number, at: offset, byteCount: byteCount)
      return try opened(SampleSidecar.sealed(bytes, with: key)).1
    }
    for (point, bit) in [
      (300, bit(299)), (300, 0), (300, 1 << 48 - 1), (256 * 300 + 2, header.end * 8),
    ] {
      let index = try changed(place(point), to: bit, 6)
      #expect(throws: SidecarRefusal.self, "\(point)") { try index.block(point / 256) }
    }
    // The last point of a block against the next block, and the predictors of the first point.
    for (offset, number, count) in [(place(511), bit(512), 6), (place(0) + 6, 1, 2)] {
      let index = try changed(offset, to: number, count)
      #expect(throws: SidecarRefusal.self, "\(offset)") { try index.whole() }
    }
    // Lengths of blocks that do not add up to the file's.
    for (entry, length) in [(0, 0), (17, 1 << 32 - 1), (300, 7)] {
      let offset = SidecarHeader.byteCount + entry * SidecarHeader.entryByteCount
      #expect(throws: SidecarRefusal.self, "\(entry)") { try changed(offset, to: length, 4) }
    }
  }
}
