import PropertyTesting
import SystemPackage
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

  @Test func `a written sidecar is read back`() throws {
    var random = SplitMix64(seed: 1)
    for number in 0..<100 {
      // Some have exactly as many points as a block, some have more, and one has 301 blocks.
      let mcus = number < 5 ? [255, 256, 257, 513, 256 * 300 + 3][number] : nil
      let draft = try #require(
        SampleSidecar.random(
          &random, mcus: mcus, spacing: mcus == nil ? nil : 1, hasPayload: number % 2 == 0))
      let bytes = draft.encoded(with: key)
      #expect(bytes.count == draft.byteCount)
      let isSame = read(bytes) == draft
      #expect(isSame)
    }
  }

  @Test func `a table longer than any picture needs is refused before it is read`() throws {
    let right = try small(hasPayload: false).header
    let header = SidecarHeader(
      identity: right.identity, unit: .row, unitCount: 10_000_000, spacing: 1, start: right.start,
      end: right.end, payloadCount: 0, payloadDigest: right.payloadDigest)
    let file = MemoryFile(header.encoded(with: key), madeFrom: "a.zidx")
    #expect(throws: SidecarRefusal.damaged("its table is too long")) {
      _ = try Sidecar(file, key: key)
    }
  }

  /// Changes each byte, and whole numbers, because a single byte cannot make one overflow.
  @Test(arguments: [false, true])
  func `every change is refused, and a resealed one is refused or read as written`(
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
        // Points must lead into the payload or the picture.
        let length = draft.payload?.count ?? draft.header.identity.version.length
        if draft.encoded(with: key) != sealed || draft.header.end > length { wrong.insert(place) }
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

  @Test func `refusals distinguish damage, another key and another version`() throws {
    let draft = try small(hasPayload: false)
    let bytes = draft.encoded(with: key)
    #expect(refusal(bytes, try SampleSidecar.key(8))?.kind == "notOurs")
    for place in [70, bytes.count - 1] {
      var changed = bytes
      changed[place] ^= 1
      #expect(refusal(changed, key)?.kind == "damaged")
    }
    for version in [4, 6] as [UInt8] {
      var other = bytes
      other[4] = version
      #expect(refusal(other, key) == .version(Int(version)))
    }
    let refusals: [SidecarRefusal] = [
      .absent, .damaged("a"), .unreachable("a"), .notOurs("a"),
      .stale("a"), .version(9), .overBudget(1),
    ]
    #expect(Set(refusals.map(\.description)).count == refusals.count)
    #expect(SidecarRefusal.version(9).description.contains("9"))
  }

  /// An attacker without the key can copy the fingerprint of a sidecar that is readable.
  @Test func `a tag made with another key is refused under our fingerprint, too`() throws {
    let draft = try small(hasPayload: false)
    let other = try SampleSidecar.key(8)
    var bytes = draft.encoded(with: key)
    let (start, end) = (draft.header.tagOffset, draft.header.blocksOffset)
    bytes.replaceSubrange(start..<end, with: other.tag(of: bytes[..<start]))
    #expect(refusal(bytes, key)?.kind == "damaged")
    #expect(read(SampleSidecar.sealed(bytes, with: key)) == draft)
  }
}
