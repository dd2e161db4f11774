import PropertyTesting
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

/// Checks that blocks are read when they are needed and verified one by one.
@Suite struct StoredIndexTests {
  private let folder: TestFolder
  private let key: SidecarKey
  private let draft: SidecarDraft

  init() throws {
    folder = try TestFolder()
    key = try SampleSidecar.key(7)
    var random = SplitMix64(seed: 12)
    draft = try #require(
      SampleSidecar.random(&random, mcus: 256 * 300 + 3, spacing: 1, hasPayload: false))
  }

  private func opened(_ bytes: [UInt8]) throws -> (FileReader, StoredIndex) {
    let file = try FileReader(folder.write(bytes, as: "a.zidx"))
    return (file, try Sidecar(file, key: key).index)
  }

  @Test func `blocks are the records one behind the other`() throws {
    let (_, index) = try opened(draft.encoded(with: key))
    #expect(index.header == draft.header && index.header.blockCount == 301)
    var records: [UInt8] = []
    for number in 0..<301 { records += try index.block(number) }
    #expect(isSame(records, draft.index.records))
    let isWhole = try index.whole() == draft.index
    #expect(isWhole)
  }

  @Test func `opening reads no points, and a page of the table is read once`() throws {
    let (file, index) = try opened(draft.encoded(with: key))
    #expect(file.bytesRead <= 4096)
    let opening = file.bytesRead
    let block = try index.block(17)
    let page = 256 * SidecarHeader.entryByteCount
    #expect(file.bytesRead == opening + page + block.count)
    // Blocks of the same page and of the next one.
    let other = try index.block(18)
    #expect(file.bytesRead == opening + page + block.count + other.count)
    _ = try index.block(300)
    #expect(
      file.bytesRead == opening + 301 * SidecarHeader.entryByteCount + (2 * 256 + 3)
        * draft.header.recordSize)
  }

  @Test func `a bad block is refused by itself, the others are used`() throws {
    let header = draft.header
    let blockByteCount = 256 * header.recordSize
    var bytes = draft.encoded(with: key)
    bytes[header.recordsOffset + 5 * blockByteCount + 100] ^= 1
    let (_, index) = try opened(bytes)
    for number in [0, 4, 6, 300] { _ = try index.block(number) }
    #expect(throws: SidecarRefusal.self) { try index.block(5) }
    #expect(throws: SidecarRefusal.self) { try index.whole() }
    // A damaged page is refused, too.
    bytes = draft.encoded(with: key)
    bytes[header.tableOffset + 40] ^= 1
    let (_, other) = try opened(bytes)
    for number in [0, 5, 255] {
      #expect(throws: SidecarRefusal.self) { try other.block(number) }
    }
    for number in [256, 300] { _ = try other.block(number) }
  }

  @Test func `a sidecar that becomes shorter is a refusal, not a trap`() throws {
    let (_, index) = try opened(draft.encoded(with: key))
    _ = try index.block(0)
    let header = draft.header
    let length = header.recordsOffset + 2 * SeekIndex.pointsPerBlock * header.recordSize
    #expect(truncate(folder.path.appending("a.zidx").string, length) == 0)
    _ = try index.block(0)
    #expect(throws: SidecarRefusal.self) { try index.block(290) }
  }

  /// Sealed with the key, as a faulty writer of ours would do it.
  @Test func `points that do not ascend are refused, within a block and across blocks`() throws {
    let header = draft.header
    let right = draft.encoded(with: key)
    func place(_ point: Int) -> Int { header.recordsOffset + point * header.recordSize }
    func changed(_ offset: Int, to bit: Int, _ byteCount: Int = 6) -> [UInt8] {
      var bytes = right
      bytes.replaceSubrange(
        offset..<offset + byteCount,
        with: (0..<byteCount).map { UInt8(truncatingIfNeeded: bit >> (8 * $0)) })
      return SampleSidecar.sealed(bytes, with: key)
    }
    func bit(_ point: Int) -> Int { right.integer(at: place(point), byteCount: 6) }
    // Offsets of points are verified when their block is read.
    for (point, bit) in [
      (300, bit(299)), (300, 0), (300, 1 << 48 - 1), (511, bit(512)), (256, bit(256) + 1),
      (256 * 300 + 2, header.scanEnd * 8),
    ] {
      let (_, index) = try opened(changed(place(point), to: bit))
      #expect(throws: SidecarRefusal.self, "\(point)") { try index.block(point / 256) }
    }
    // Offsets of blocks are verified when their page is read, those of pages at opening.
    for (block, bit) in [
      (0, header.codedStart * 8 + 1), (3, bit(2 * 256)), (3, bit(4 * 256)), (3, 1 << 48 - 1),
      (255, bit(256 * 256)), (256, bit(255 * 256)), (300, header.scanEnd * 8),
    ] {
      let entry = header.tableOffset + block * SidecarHeader.entryByteCount
      let (_, index) = try opened(changed(entry, to: bit))
      #expect(throws: SidecarRefusal.self, "\(block)") { try index.block(block) }
    }
    for (page, bit) in [(0, 0), (1, bit(0)), (1, header.scanEnd * 8), (1, 1 << 48 - 1)] {
      let entry = SidecarHeader.byteCount + page * SidecarHeader.entryByteCount
      #expect(throws: SidecarRefusal.self, "\(page)") { try opened(changed(entry, to: bit)) }
    }
    // Predictors of the first point must be zero.
    let (_, index) = try opened(changed(place(0) + 6, to: 1, 2))
    #expect(throws: SidecarRefusal.self) { try index.block(0) }
  }

  @Test func `many threads read one index`() async throws {
    let (_, index) = try opened(draft.encoded(with: key))
    let recordSize = draft.header.recordSize
    let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          try (0..<200).filter { step in
            let number = (task * 37 + step) % 301
            let start = number * 256 * recordSize
            return try !draft.index.records[start...].starts(with: index.block(number))
          }.count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}
