import TestSupport
import Testing

@testable import ZoomPipeline

/// What is written is read back; anything else is refused, and nothing traps.
@Suite struct SidecarBytesTests {
  private let key: SidecarKey

  init() throws { key = try SampleSidecar.key(7) }

  /// The sidecar that bytes hold; nil when they are refused.
  private func read(_ bytes: [UInt8]) -> Sidecar? { try? Sidecar(bytes, key: key) }

  private func refusal(_ bytes: [UInt8], _ key: SidecarKey) -> SidecarRefusal? {
    do throws(SidecarRefusal) {
      _ = try Sidecar(bytes, key: key)
      return nil
    } catch {
      return error
    }
  }

  /// Small enough to try every byte: three points or so.
  private func small(seed: UInt64 = 3) throws -> Sidecar {
    var random = SplitMix64(seed: seed)
    while true {
      let sidecar = try #require(SampleSidecar.random(&random, mcus: 40))
      if sidecar.index.pointCount < 8 && (sidecar.payload?.count ?? 0) < 1000 { return sidecar }
    }
  }

  @Test func `what is written is read back, whatever it is`() throws {
    var random = SplitMix64(seed: 1)
    var withPayload = 0
    for _ in 0..<200 {
      let sidecar = try #require(SampleSidecar.random(&random))
      if sidecar.payload != nil { withPayload += 1 }
      let bytes = sidecar.encoded(with: key)
      #expect(bytes.count == sidecar.encodedByteCount)
      let isSame = read(bytes) == sidecar
      #expect(isSame)
    }
    #expect((50...150).contains(withPayload))
  }

  @Test func `the largest numbers that fit are read back`() throws {
    let end = SeekIndex.greatestOffset
    var index = SeekIndex(spacing: Int(UInt32.max), componentCount: 1, mcuCount: Int(UInt32.max))
    let fits = index.append(bit: 0, predictors: [0])
    #expect(fits)
    index.finish(at: end)
    var random = SplitMix64(seed: 5)
    var sidecar = try #require(SampleSidecar.random(&random))
    while sidecar.frame.factors.count != 1 {
      sidecar = try #require(SampleSidecar.random(&random))
    }
    let old = sidecar.identity
    let version = FileVersion(
      device: .max, inode: .max, length: .max,
      modified: FileVersion.Moment(seconds: .min, nanoseconds: 999_999_999),
      changed: FileVersion.Moment(seconds: .max, nanoseconds: 0))
    let identity = SidecarIdentity(
      version: version,
      headerLength: 0, headerDigest: old.headerDigest, sampleDigest: old.sampleDigest,
      contentDigest: old.contentDigest)
    let largest = try #require(
      Sidecar(identity: identity, frame: sidecar.frame, index: index, payload: nil))
    let isSame = read(largest.encoded(with: key)) == largest
    #expect(isSame)
  }

  @Test func `every change of a byte is refused`() throws {
    let sidecar = try small()
    var bytes = sidecar.encoded(with: key)
    var accepted: [Int] = []
    for place in bytes.indices {
      let right = bytes[place]
      for change in 1...255 {
        bytes[place] = right ^ UInt8(change)
        if read(bytes) != nil { accepted.append(place) }
      }
      bytes[place] = right
    }
    #expect(accepted.isEmpty, "\(accepted.count), the first at \(accepted.first ?? 0)")
    #expect(read(bytes) == sidecar)
  }

  @Test(arguments: [3, 4, 8] as [UInt64])
  func `every change of a byte that is tagged anew is refused or means what it says`(
    seed: UInt64
  ) throws {
    let right = try small(seed: seed).encoded(with: key).dropLast(SidecarKey.tagByteCount)
    var wrong: [Int] = []
    var accepted = 0
    for place in right.indices {
      // A payload is anything.
      if place >= 400 { break }
      // Each bit by itself, and the extremes.
      for value in (0..<8).map({ right[place] ^ 1 << $0 }) + [0, 1, 127, 128, 254, 255] {
        var bytes = Array(right)
        bytes[place] = value
        bytes += key.tag(of: bytes[...])
        guard let sidecar = read(bytes) else { continue }
        accepted += 1
        if sidecar.encoded(with: key) != bytes { wrong.append(place) }
      }
    }
    #expect(wrong == [])
    // Digests and times may be anything, so there must be many.
    #expect(accepted > 32 * 3 * 14)
  }

  @Test func `every truncation and every appended byte is refused, tagged anew or not`() throws {
    let bytes = try small().encoded(with: key)
    let untagged = Array(bytes.dropLast(SidecarKey.tagByteCount))
    var accepted: [Int] = []
    for count in 0..<bytes.count where read(Array(bytes[..<count])) != nil {
      accepted.append(count)
    }
    for count in 0..<untagged.count {
      let cut = Array(untagged[..<count])
      if read(cut + key.tag(of: cut[...])) != nil { accepted.append(count) }
      if read(SampleSidecar.tagged(cut, with: key)) != nil { accepted.append(count) }
    }
    for more in [[0], [0xFF, 0xD9], [UInt8](repeating: 0, count: 100)] as [[UInt8]] {
      if read(bytes + more) != nil { accepted.append(bytes.count + more.count) }
      if read(SampleSidecar.tagged(untagged + more, with: key)) != nil {
        accepted.append(untagged.count + more.count)
      }
    }
    #expect(accepted == [])
  }

  /// Eight bytes at a time, as a single byte cannot make a number overflow.
  @Test func `extreme numbers in any field are refused or mean what they say`() throws {
    let right = Array(try small().encoded(with: key).dropLast(SidecarKey.tagByteCount))
    let extremes: [UInt64] = [
      0, 1, .max, .max - 1, 1 << 63, 1 << 63 - 1, 1 << 61, 1 << 60 - 1, 1 << 45, 1 << 45 + 1,
      1 << 32, 1 << 32 - 1,
    ]
    var wrong: [Int] = []
    for place in 0...Sidecar.headerByteCount - 8 {
      for extreme in extremes {
        for byteCount in [4, 8] {
          var bytes = right
          for index in 0..<byteCount {
            bytes[place + index] = UInt8(truncatingIfNeeded: extreme >> (8 * UInt64(index)))
          }
          bytes += key.tag(of: bytes[...])
          if let sidecar = read(bytes), sidecar.encoded(with: key) != bytes { wrong.append(place) }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test func `random bytes are refused`() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0...600, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(read(noise) == nil)
      let prefix = Array("ZIDX".utf8) + [2, 0, 0, 0] + noise
      #expect(read(SampleSidecar.tagged(prefix, with: key)) == nil)
    }
  }

  @Test func `reasons tell damage, another key and another version apart`() throws {
    let sidecar = try small()
    let bytes = sidecar.encoded(with: key)
    guard case .notOurs = refusal(bytes, try SampleSidecar.key(8)) else {
      Issue.record("another key's sidecar is not called so")
      return
    }
    var changed = bytes
    changed[300] ^= 1
    guard case .damaged = refusal(changed, key), case .damaged = refusal([], key) else {
      Issue.record("a damaged sidecar is not called so")
      return
    }
    var later = Array(bytes.dropLast(SidecarKey.tagByteCount))
    later[4] = 3
    #expect(refusal(SampleSidecar.tagged(later, with: key), key) == .version(3))
  }

  /// Somebody without the key who copies the fingerprint from a sidecar that he can read.
  @Test func `a tag made with another key is refused under our fingerprint, too`() throws {
    let other = try SampleSidecar.key(8)
    var bytes = Array(try small().encoded(with: other).dropLast(SidecarKey.tagByteCount))
    bytes.replaceSubrange(16..<24, with: key.fingerprint)
    guard case .damaged = refusal(bytes + other.tag(of: bytes[...]), key) else {
      Issue.record("a forged sidecar was not refused")
      return
    }
    #expect(read(bytes + key.tag(of: bytes[...])) != nil)
  }
}
