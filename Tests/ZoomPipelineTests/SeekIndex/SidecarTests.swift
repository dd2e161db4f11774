import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

/// What is written is read back; anything else is refused, and nothing traps.
@Suite struct SidecarTests {
  private let key: SidecarKey

  init() throws { key = try SampleSidecar.key(7) }

  /// The sidecar that bytes hold; nil when they are refused.
  private func read(_ bytes: [UInt8]) -> SidecarDraft? {
    (try? SampleSidecar.read(bytes, key)) ?? nil
  }

  private func refusal(_ bytes: [UInt8], _ key: SidecarKey) -> SidecarRefusal? {
    do throws(SidecarRefusal) {
      _ = try SampleSidecar.read(bytes, key)
      return nil
    } catch {
      return error
    }
  }

  /// Small enough to try every byte: two points, or two and a payload of a hundred bytes.
  private func small(hasPayload: Bool) throws -> SidecarDraft {
    var random = SplitMix64(seed: 3)
    while true {
      let draft = try #require(
        SampleSidecar.random(&random, mcus: 2, spacing: 1, hasPayload: hasPayload))
      if draft.header.payloadCount < 300 { return draft }
    }
  }

  /// Whether a changed sidecar is refused, or says what it would be written as.
  private func isSound(_ bytes: [UInt8]) -> Bool {
    guard let draft = read(bytes) else { return true }
    return draft.encoded(with: key) == bytes
  }

  @Test func `what is written is read back, whatever it is`() throws {
    var random = SplitMix64(seed: 1)
    for number in 0..<100 {
      // Some with more points than a block has, and as many as a block has.
      let mcus = number < 4 ? [255, 256, 257, 513][number] : nil
      let draft = try #require(
        SampleSidecar.random(
          &random, mcus: mcus, spacing: mcus == nil ? nil : 1, hasPayload: number % 2 == 0))
      let bytes = draft.encoded(with: key)
      #expect(bytes.count == draft.header.fileByteCount)
      let isSame = read(bytes) == draft
      #expect(isSame)
    }
  }

  @Test func `the largest numbers that fit are read back`() throws {
    let count = Int(UInt32.max)
    let index = try #require(
      SeekIndex(
        spacing: count, componentCount: 1, mcuCount: count, codedStart: 0,
        scanEnd: SeekIndex.greatestOffset, records: [UInt8](repeating: 0, count: 8)))
    let largest = try #require(
      SidecarDraft(
        version: FileVersion(
          device: .max, inode: .max, length: .max,
          modified: FileVersion.Moment(seconds: .min, nanoseconds: 999_999_999),
          changed: FileVersion.Moment(seconds: .max, nanoseconds: 0)),
        contentDigest: [UInt8](repeating: .max, count: 32),
        frame: SidecarHeader.Frame(
          width: 65_535, height: 65_535, restartInterval: 65_535, factors: [0x44]),
        index: index))
    #expect(read(largest.encoded(with: key)) == largest)
  }

  @Test(arguments: [false, true])
  func `every change of a byte is refused, and one that is sealed anew means what it says`(
    hasPayload: Bool
  ) throws {
    let right = try small(hasPayload: hasPayload).encoded(with: key)
    var wrong: [Int] = []
    var accepted = 0
    for place in right.indices {
      // Each bit by itself, and the extremes.
      for value in (0..<8).map({ right[place] ^ 1 << $0 }) + [0, 1, 127, 128, 254, 255]
      where value != right[place] {
        var bytes = right
        bytes[place] = value
        if read(bytes) != nil { wrong.append(place) }
        bytes = SampleSidecar.sealed(bytes, with: key)
        if !isSound(bytes) { wrong.append(place) }
        if read(bytes) != nil { accepted += 1 }
      }
    }
    #expect(wrong == [])
    // Digest and times may be anything, so there must be many.
    #expect(accepted > 32 * 8)
  }

  @Test func `every truncation and every appended byte is refused`() throws {
    for hasPayload in [false, true] {
      let bytes = try small(hasPayload: hasPayload).encoded(with: key)
      let accepted = (0..<bytes.count).filter { read(Array(bytes[..<$0])) != nil }
      #expect(accepted == [])
      for more in [[0], [0xFF, 0xD9], [UInt8](repeating: 0, count: 5000)] as [[UInt8]] {
        #expect(read(bytes + more) == nil)
      }
    }
  }

  /// Eight bytes at a time, as a single byte cannot make a number overflow.
  @Test(arguments: [false, true])
  func `extreme numbers in any field are refused or mean what they say`(hasPayload: Bool) throws {
    let right = try small(hasPayload: hasPayload).encoded(with: key)
    let extremes = [
      0, 1, -1, -2, .min, .max, 1 << 61, 1 << 60 - 1, 1 << 45, 1 << 45 + 1, 1 << 32, 1 << 32 - 1,
    ]
    var wrong: [Int] = []
    for place in 0...right.count - 8 {
      for extreme in extremes {
        for byteCount in [4, 8] {
          var bytes = right
          bytes.replaceSubrange(
            place..<place + byteCount,
            with: (0..<byteCount).map { UInt8(truncatingIfNeeded: extreme >> (8 * $0)) })
          // Tagged where the tag stands by its new numbers, as far as they can be read.
          if !isSound(bytes) || !isSound(SampleSidecar.sealed(bytes, with: key)) {
            wrong.append(place)
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test func `random bytes are refused`() throws {
    var random = SplitMix64(seed: 11)
    let start = SidecarHeader.magic + [2, 0, 0, 0] + key.fingerprint
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0...600, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(read(noise) == nil)
      #expect(read(SampleSidecar.sealed(start + noise, with: key)) == nil)
    }
  }

  @Test func `reasons tell damage, another key and another version apart`() throws {
    let draft = try small(hasPayload: false)
    let bytes = draft.encoded(with: key)
    guard case .notOurs = refusal(bytes, try SampleSidecar.key(8)) else {
      Issue.record("another key's sidecar is not called so")
      return
    }
    for place in [70, bytes.count - 1] {
      var changed = bytes
      changed[place] ^= 1
      guard case .damaged = refusal(changed, key) else {
        Issue.record("a damaged sidecar is not called so")
        return
      }
    }
    for version in [1, 3] as [UInt8] {
      var other = bytes
      other[4] = version
      #expect(refusal(other, key) == .version(Int(version)))
    }
    let refusals: [SidecarRefusal] = [
      .absent, .damaged("a"), .notOurs("a"), .stale("a"), .version(9),
    ]
    #expect(Set(refusals.map(\.description)).count == refusals.count)
    #expect(SidecarRefusal.version(9).description.contains("9"))
  }

  /// Somebody without the key who copies the fingerprint from a sidecar that he can read.
  @Test func `a tag made with another key is refused under our fingerprint, too`() throws {
    let draft = try small(hasPayload: false)
    let other = try SampleSidecar.key(8)
    var bytes = draft.encoded(with: key)
    let (start, end) = (draft.header.tagOffset, draft.header.tableOffset)
    bytes.replaceSubrange(start..<end, with: other.tag(of: bytes[..<start]))
    guard case .damaged = refusal(bytes, key) else {
      Issue.record("a forged sidecar was not refused")
      return
    }
    #expect(read(SampleSidecar.sealed(bytes, with: key)) == draft)
  }

  @Test func `points must lead into the stream that they are for, end marker included`() throws {
    for hasPayload in [false, true] {
      let draft = try small(hasPayload: hasPayload)
      let header = draft.header
      func made(streamLength: Int) -> SidecarDraft? {
        let length = hasPayload ? 0 : streamLength
        return SidecarDraft(
          version: FileVersion(
            device: 1, inode: 1, length: length, modified: header.version.modified,
            changed: header.version.changed),
          contentDigest: header.contentDigest, frame: header.frame, index: draft.index,
          payload: hasPayload ? [UInt8](repeating: 1, count: streamLength) : nil)
      }
      let end = draft.index.scanEnd
      for (length, isRight) in [(end + 2, true), (end + 1, false), (0, false)] {
        #expect((made(streamLength: length) != nil) == isRight, "\(length)")
      }
    }
  }

  @Test func `an index of other components makes none`() throws {
    let draft = try small(hasPayload: false)
    let header = draft.header
    let frame = SidecarHeader.Frame(
      width: 1, height: 1, restartInterval: 0,
      factors: [UInt8](repeating: 0x11, count: header.frame.factors.count % 4 + 1))
    let other = SidecarDraft(
      version: header.version, contentDigest: header.contentDigest, frame: frame,
      index: draft.index)
    #expect(other == nil)
  }
}

/// Blocks are read when they are needed, and each is checked by itself.
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
    // Of the same page, and of the one behind it.
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
    // And so is a page.
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

  /// Sealed with the key: what a faulty writer of ours would leave behind.
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
    // Places of points: told by their block.
    for (point, bit) in [
      (300, bit(299)), (300, 0), (300, 1 << 48 - 1), (511, bit(512)), (256, bit(256) + 1),
      (256 * 300 + 2, header.scanEnd * 8),
    ] {
      let (_, index) = try opened(changed(place(point), to: bit))
      #expect(throws: SidecarRefusal.self, "\(point)") { try index.block(point / 256) }
    }
    // Places of blocks: told by their page. Places of pages: told at opening.
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
    // The first point's predictors.
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
