import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct SidecarTests {
  /// One that leads into the picture's file, and one with a payload.
  private func samples() throws -> (plain: Sidecar, carrying: Sidecar) {
    var random = SplitMix64(seed: 21)
    var plain: Sidecar?
    var carrying: Sidecar?
    while plain == nil || carrying == nil {
      let sidecar = try #require(SampleSidecar.random(&random, mcus: 100))
      if sidecar.payload == nil { plain = sidecar } else { carrying = sidecar }
    }
    return (try #require(plain), try #require(carrying))
  }

  private func identity(_ old: SidecarIdentity, length: Int, headerLength: Int) -> SidecarIdentity {
    return SidecarIdentity(
      version: FileVersion(
        device: 1, inode: 1, length: length, modified: old.version.modified,
        changed: old.version.changed),
      headerLength: headerLength, headerDigest: old.headerDigest, sampleDigest: old.sampleDigest,
      contentDigest: old.contentDigest)
  }

  @Test func `points must lead into the stream that they are for, end marker included`() throws {
    let (plain, carrying) = try samples()
    let end = try #require(plain.index.scanEnd)
    for (length, isRight) in [(end + 2, true), (end + 1, false), (end - 1, false)] {
      let identity = identity(
        plain.identity, length: length, headerLength: plain.identity.headerLength)
      let made = Sidecar(
        identity: identity, frame: plain.frame, index: plain.index, payload: nil)
      #expect((made != nil) == isRight, "\(length)")
    }
    let payloadEnd = try #require(carrying.index.scanEnd)
    for (count, isRight) in [(payloadEnd + 2, true), (payloadEnd + 1, false), (0, false)] {
      let made = Sidecar(
        identity: carrying.identity, frame: carrying.frame, index: carrying.index,
        payload: [UInt8](repeating: 1, count: count))
      #expect((made != nil) == isRight, "\(count)")
    }
  }

  @Test func `headers end where the picture's coded data begin, and inside the file`() throws {
    let (plain, carrying) = try samples()
    let length = plain.identity.length
    for (headerLength, isRight) in [
      (plain.identity.headerLength, true), (plain.identity.headerLength + 1, false), (0, false),
      (length + 1, false), (Int.max, false),
    ] {
      let made = Sidecar(
        identity: identity(plain.identity, length: length, headerLength: headerLength),
        frame: plain.frame, index: plain.index, payload: nil)
      #expect((made != nil) == isRight, "\(headerLength)")
    }
    let beyond = Sidecar(
      identity: identity(carrying.identity, length: 10, headerLength: 11), frame: carrying.frame,
      index: carrying.index, payload: carrying.payload)
    #expect(beyond == nil)
  }

  @Test func `an index that is not complete, or of other components, makes none`() throws {
    let (plain, _) = try samples()
    var growing = SeekIndex(
      spacing: plain.index.spacing, componentCount: plain.index.componentCount,
      mcuCount: plain.index.mcuCount)
    let predictors = [Int32](repeating: 0, count: growing.componentCount)
    let fits = growing.append(bit: plain.identity.headerLength * 8, predictors: predictors)
    #expect(fits)
    let incomplete = Sidecar(
      identity: plain.identity, frame: plain.frame, index: growing, payload: nil)
    #expect(incomplete == nil)
    let frame = Sidecar.Frame(
      width: 1, height: 1, restartInterval: 0,
      factors: [UInt8](repeating: 0x11, count: plain.frame.factors.count % 4 + 1))
    let other = Sidecar(identity: plain.identity, frame: frame, index: plain.index, payload: nil)
    #expect(other == nil)
  }

  @Test func `each refusal says what it is`() {
    let refusals: [SidecarRefusal] = [
      .absent, .damaged("a"), .notOurs("a"), .stale("a"), .version(9),
    ]
    #expect(Set(refusals.map(\.description)).count == refusals.count)
    #expect(SidecarRefusal.version(9).description.contains("9"))
  }
}
