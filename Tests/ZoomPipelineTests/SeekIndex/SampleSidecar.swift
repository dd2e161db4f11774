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
  ) -> SeekIndex? {
    var records: [UInt8] = []
    var bit = start * 8
    for number in 0..<(mcus - 1) / spacing + 1 {
      records.append(bit, byteCount: 6)
      for _ in 0..<2 * components { records.append(number == 0 ? 0 : random.next()) }
      bit += Int.random(in: 1...step, using: &random)
    }
    return SeekIndex(
      spacing: spacing, componentCount: components, mcuCount: mcus, codedStart: start,
      scanEnd: bit / 8 + 1, records: records)
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
    guard
      let index = index(
        components: components, mcus: mcus ?? number(1...5000), spacing: spacing ?? number(1...64),
        start: number(0...(hasPayload ? 1000 : 1 << 40)), step: hasPayload ? 40 : 4000, &random)
    else { return nil }
    let end = index.scanEnd
    return SidecarDraft(
      version: FileVersion(
        device: random.next(), inode: random.next(), length: end + 2 + number(0...1000),
        modified: time(), changed: time()),
      contentDigest: (0..<32).map { _ in random.next() },
      frame: SidecarHeader.Frame(
        width: number(1...65_535), height: number(1...65_535), restartInterval: number(0...65_535),
        factors: (0..<components).map { _ in UInt8(number(1...4) << 4 | number(1...4)) }),
      index: index,
      payload: hasPayload ? (0..<end + 2 + number(0...100)).map { _ in random.next() } : nil)
  }

  /// Reads a sidecar with all its blocks.
  /// - Throws: `SidecarRefusal`.
  static func read(_ bytes: [UInt8], _ key: SidecarKey) throws(SidecarRefusal) -> SidecarDraft? {
    let sidecar = try Sidecar(MemoryFile(bytes, madeFrom: "sample"), key: key)
    let header = sidecar.header
    return SidecarDraft(
      version: header.version, contentDigest: header.contentDigest, frame: header.frame,
      index: try sidecar.index.whole(), payload: sidecar.payload)
  }

  /// Recalculates the digests and the tag of a changed sidecar, if its header is consistent.
  static func sealed(_ changed: [UInt8], with key: SidecarKey) -> [UInt8] {
    var bytes = changed
    guard let header = try? SidecarHeader(bytes, key: key), header.fileByteCount == bytes.count
    else { return bytes }
    let entrySize = SidecarHeader.entryByteCount
    func seal(_ from: Int, _ end: Int, inPiecesOf count: Int, _ entries: Int) {
      for (number, start) in stride(from: from, to: end, by: count).enumerated() {
        let digest = SHA256.digest(of: bytes[start..<min(start + count, end)])
        bytes.replaceSubrange(
          entries + number * entrySize + 6..<entries + (number + 1) * entrySize,
          with: digest.prefix(SidecarHeader.digestByteCount))
      }
    }
    seal(
      header.recordsOffset, header.payloadOffset,
      inPiecesOf: SeekIndex.pointsPerBlock * header.recordSize, header.tableOffset)
    seal(
      header.tableOffset, header.recordsOffset,
      inPiecesOf: SidecarHeader.blocksPerPage * entrySize, SidecarHeader.byteCount)
    if header.payloadCount > 0 {
      bytes.replaceSubrange(
        SidecarHeader.byteCount - SHA256.byteCount..<SidecarHeader.byteCount,
        with: SHA256.digest(of: bytes[header.payloadOffset...]))
    }
    bytes.replaceSubrange(
      header.tagOffset..<header.tableOffset, with: key.tag(of: bytes[..<header.tagOffset]))
    return bytes
  }
}

extension SidecarRefusal {
  /// The name of its case, such as "stale".
  var kind: String { Mirror(reflecting: self).children.first?.label ?? "absent" }
}
