import PropertyTesting
import SystemPackage
import TestSupport

@testable import ZoomPipeline

/// Valid sidecars for tests, made for no particular picture.
enum SampleSidecar {
  /// Returns a key made from a number.
  static func key(_ number: UInt8) throws -> SidecarKey {
    guard let key = SidecarKey([UInt8](repeating: number, count: SidecarKey.byteCount)) else {
      throw PipelineError(.fault, operation: "make a key", file: nil, reason: "no key")
    }
    return key
  }

  /// Returns an index whose points have random predictors and are at most `step` bits apart.
  static func index(
    components: Int, mcus: Int, spacing: Int, start: Int, step: Int = 4000,
    _ random: inout SplitMix64
  ) -> CompleteIndex {
    var blocks: [[UInt8]] = []
    var bit = start * 8
    for number in 0..<(mcus - 1) / spacing + 1 {
      if number.isMultiple(of: SeekIndex.pointsPerBlock) { blocks.append([]) }
      let last = blocks.count - 1
      blocks[last].append(bit, byteCount: 6)
      for _ in 0..<2 * components { blocks[last].append(number == 0 ? 0 : random.next()) }
      bit += Int.random(in: 1...step, using: &random)
    }
    return CompleteIndex(spacing: spacing, start: start, end: bit / 8 + 1, blocks: blocks)
  }

  /// Returns a random sidecar, with or without a payload.
  static func random(
    _ random: inout SplitMix64, mcus: Int? = nil, spacing: Int? = nil, hasPayload: Bool? = nil
  ) -> SidecarDraft? {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    func time() -> FileVersion.Moment {
      FileVersion.Moment(seconds: number(Int.min...Int.max), nanoseconds: number(0...999_999_999))
    }
    let components = number(1...4)
    let hasPayload = hasPayload ?? Bool.random(using: &random)
    let mcus = mcus ?? number(1...5000)
    var index = index(
      components: components, mcus: mcus, spacing: spacing ?? number(1...64),
      start: number(0...(hasPayload ? 1000 : 1 << 40)), step: hasPayload ? 40 : 4000, &random)
    let end = index.end
    let version = FileVersion(
      device: random.next(), inode: random.next(), length: end + number(0...1000),
      modified: time(), changed: time())
    index.payload =
      hasPayload ? (0..<end + number(0...100)).map { _ in random.next() as UInt8 } : nil
    return SidecarDraft(
      SidecarIdentity(version: version, contentDigest: (0..<32).map { _ in random.next() }),
      .mcu, count: mcus, index)
  }

  /// Reads a sidecar with all its blocks.
  /// - Throws: `SidecarRefusal`.
  static func read(_ bytes: [UInt8], _ key: SidecarKey) throws(SidecarRefusal) -> SidecarDraft {
    let sidecar = try Sidecar(MemoryFile(bytes, madeFrom: "sample"), key: key)
    var blocks: [[UInt8]] = []
    for number in 0..<sidecar.header.blockCount { blocks.append(try sidecar.block(number)) }
    return SidecarDraft(header: sidecar.header, blocks: blocks, payload: sidecar.payload)
  }

  /// Recalculates the digests and the tag of a changed sidecar, if its lengths are consistent.
  static func sealed(_ changed: [UInt8], with key: SidecarKey) -> [UInt8] {
    var bytes = changed
    guard let header = try? SidecarHeader(bytes, key: key), header.blocksOffset <= bytes.count
    else { return bytes }
    var block = header.blocksOffset
    for entry in stride(
      from: SidecarHeader.byteCount, to: header.tagOffset, by: SidecarHeader.entryByteCount)
    {
      let count = bytes.integer(at: entry, byteCount: 4)
      guard count <= bytes.count - block else { return bytes }
      let digest = SHA256.digest(of: Array(bytes[block..<block + count]))
      bytes.replaceSubrange(
        entry + 4..<entry + SidecarHeader.entryByteCount,
        with: digest.prefix(SidecarHeader.digestByteCount))
      block += count
    }
    if header.payloadCount > 0 {
      bytes.replaceSubrange(
        SidecarHeader.byteCount - SHA256.byteCount..<SidecarHeader.byteCount,
        with: SHA256.digest(of: Array(bytes[block...])))
    }
    bytes.replaceSubrange(
      header.tagOffset..<header.blocksOffset, with: key.tag(of: bytes[..<header.tagOffset]))
    return bytes
  }
}

extension SidecarRefusal {
  /// The name of its case, such as "stale".
  var kind: String { Mirror(reflecting: self).children.first?.label ?? "absent" }
}
