import PropertyTesting
import TestSupport
import Testing

@testable import ZoomPipeline

/// Checks that written sidecars are read back and any other bytes are refused without a trap.
@Suite struct SidecarTests {
  private let key: SidecarKey

  init() throws { key = try SampleSidecar.key(7) }

  /// Reads a sidecar; nil if it is refused.
  private func read(_ bytes: [UInt8]) -> SidecarDraft? {
    try? SampleSidecar.read(bytes, key)
  }

  private func refusal(_ bytes: [UInt8], _ key: SidecarKey) -> SidecarRefusal? {
    do throws(SidecarRefusal) {
      _ = try SampleSidecar.read(bytes, key)
      return nil
    } catch {
      return error
    }
  }

  /// Returns a sidecar small enough to try every byte: two points and at most a hundred bytes more.
  private func small(hasPayload: Bool) throws -> SidecarDraft {
    var random = SplitMix64(seed: 3)
    while true {
      let draft = try #require(
        SampleSidecar.random(&random, mcus: 2, spacing: 1, hasPayload: hasPayload))
      if draft.header.payloadCount < 300 { return draft }
    }
  }

  @Test func `what is written is read back, whatever it is`() throws {
    var random = SplitMix64(seed: 1)
    for number in 0..<100 {
      // Some have exactly as many points as a block, and some have more.
      let mcus = number < 4 ? [255, 256, 257, 513][number] : nil
      let draft = try #require(
        SampleSidecar.random(
          &random, mcus: mcus, spacing: mcus == nil ? nil : 1, hasPayload: number % 2 == 0))
      let bytes = draft.encoded(with: key)
      #expect(bytes.count == draft.byteCount)
      let isSame = read(bytes) == draft
      #expect(isSame)
    }
  }

  @Test func `the largest numbers that fit are read back`() throws {
    let count = Int(UInt32.max)
    let index = CompleteIndex(
      spacing: count, start: 0, end: SeekIndex.greatestOffset,
      blocks: [[UInt8](repeating: 0, count: 8)])
    let version = FileVersion(
      device: .max, inode: .max, length: .max,
      modified: FileVersion.Moment(seconds: .min, nanoseconds: 999_999_999),
      changed: FileVersion.Moment(seconds: .max, nanoseconds: 0))
    let largest = try #require(
      SidecarDraft(
        SidecarIdentity(version: version, contentDigest: [UInt8](repeating: .max, count: 32)),
        .mcu, count: count, index))
    #expect(read(largest.encoded(with: key)) == largest)
  }

  /// Changes each byte, and whole numbers, because a single byte cannot make one overflow.
  @Test(arguments: [false, true])
  func `every change is refused, and one that is sealed anew means what it says`(
    hasPayload: Bool
  ) throws {
    let right = try small(hasPayload: hasPayload).encoded(with: key)
    let extremes = [
      0, 1, -1, -2, .min, .max, 1 << 61, 1 << 60 - 1, 1 << 45, 1 << 45 + 1, 1 << 32, 1 << 32 - 1,
    ]
    var wrong: Set<Int> = []
    var accepted = 0
    for place in right.indices {
      let bytes =
        (0..<8).map { [right[place] ^ 1 << $0] } + [0, 1, 127, 128, 254, 255].map { [$0] }
      let numbers = [4, 8].flatMap { byteCount in
        extremes.map { number in
          (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
      }
      for part in bytes + numbers where place + part.count <= right.count {
        let changed = right[..<place] + part + right[(place + part.count)...]
        guard !isSame(Array(changed), right) else { continue }
        if read(Array(changed)) != nil { wrong.insert(place) }
        let sealed = SampleSidecar.sealed(Array(changed), with: key)
        guard let draft = read(sealed) else { continue }
        accepted += 1
        if draft.encoded(with: key) != sealed { wrong.insert(place) }
      }
    }
    #expect(wrong == [])
    // Digests and times may have any value, so many changes are accepted.
    #expect(accepted > 32 * 8)
    let cut = right.indices.filter { read(Array(right[..<$0])) != nil }
    #expect(cut == [])
    for more in [[0], [0xFF, 0xD9], [UInt8](repeating: 0, count: 5000)] as [[UInt8]] {
      #expect(read(right + more) == nil)
    }
  }

  @Test func `random bytes are refused, and behind a right start not by their start`() throws {
    var random = SplitMix64(seed: 11)
    let version = UInt8(SidecarHeader.formatVersion)
    let start = SidecarHeader.magic + [version, 0, 0, 0] + key.fingerprint
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0...600, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(read(noise) == nil)
      #expect(refusal(SampleSidecar.sealed(start + noise, with: key), key)?.kind == "damaged")
    }
  }

  /// Only a holder of the key can make these sidecars, whose fields are random but consistent.
  @Test func `a right sidecar of random fields is read back, or its parts contradict each other`()
    throws
  {
    var random = SplitMix64(seed: 12)
    var (readCount, refused) = (0, 0)
    for number in 0..<Thoroughness.pick(2000, full: 20_000) {
      let draft = try #require(
        SampleSidecar.random(
          &random, mcus: Int.random(in: 1...40, using: &random), spacing: 1 + number % 4))
      var bytes = draft.encoded(with: key)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 16..<bytes.count, using: &random)
        let count = min([1, 2, 4, 8].randomElement(using: &random) ?? 1, bytes.count - place)
        let value = [0, 1, -1, .max, .min, Int(random.next() >> 1), 1 << 32, 255]
          .randomElement(using: &random)
        bytes.write(value ?? 0, at: place, byteCount: count)
      }
      // Some are cut or extended.
      if number % 8 == 0 { bytes.removeLast(number / 8 % bytes.count) }
      if number % 8 == 1 { bytes += [UInt8](repeating: 0, count: number % 300) }
      let sealed = SampleSidecar.sealed(bytes, with: key)
      if let read = read(sealed) {
        #expect(isSame(read.encoded(with: key), sealed), "mutant \(number)")
        readCount += 1
      } else {
        refused += 1
      }
    }
    #expect(readCount > 100 && refused > 100, "\(readCount) \(refused)")
  }

  @Test func `reasons tell damage, another key and another version apart`() throws {
    let draft = try small(hasPayload: false)
    let bytes = draft.encoded(with: key)
    #expect(refusal(bytes, try SampleSidecar.key(8))?.kind == "notOurs")
    for place in [70, bytes.count - 1] {
      var changed = bytes
      changed[place] ^= 1
      #expect(refusal(changed, key)?.kind == "damaged")
    }
    for version in [3, 5] as [UInt8] {
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

  /// An attacker without the key can copy the fingerprint of a sidecar that is readable.
  @Test func `a tag made with another key is refused under our fingerprint, too`() throws {
    let draft = try small(hasPayload: false)
    let other = try SampleSidecar.key(8)
    var bytes = draft.encoded(with: key)
    let (start, end) = (draft.header.tagOffset, draft.header.tableOffset)
    bytes.replaceSubrange(start..<end, with: other.tag(of: bytes[..<start]))
    #expect(refusal(bytes, key)?.kind == "damaged")
    #expect(read(SampleSidecar.sealed(bytes, with: key)) == draft)
  }

  @Test func `points must lead into the stream that they are for`() throws {
    for hasPayload in [false, true] {
      let draft = try small(hasPayload: hasPayload)
      let old = draft.header
      for (length, isRight) in [(old.end, true), (old.end - 1, false), (0, false)] {
        let version = FileVersion(
          device: 1, inode: 1, length: hasPayload ? 0 : length,
          modified: old.identity.version.modified, changed: old.identity.version.changed)
        let header = SidecarHeader(
          identity: SidecarIdentity(version: version, contentDigest: old.identity.contentDigest),
          unit: old.unit, unitCount: old.unitCount, spacing: old.spacing, start: old.start,
          end: old.end, payloadCount: hasPayload ? length : 0, payloadDigest: old.payloadDigest)
        #expect(header.isConsistent == isRight, "\(length)")
      }
    }
  }
}
