import TestSupport

@testable import ZoomPipeline

/// Sidecars made up for tests: right in themselves, of no picture.
enum SampleSidecar {
  /// A key of the given number.
  static func key(_ number: UInt8) throws -> SidecarKey {
    guard let key = SidecarKey([UInt8](repeating: number, count: SidecarKey.byteCount)) else {
      throw PipelineError(.fault, operation: "make a key", file: nil, reason: "no key")
    }
    return key
  }

  /// An index whose points have random predictors and lie up to `step` bits apart.
  static func index(
    components: Int, mcus: Int, spacing: Int, start: Int, step: Int = 4000,
    _ random: inout SplitMix64
  ) -> SeekIndex? {
    var index = SeekIndex(spacing: spacing, componentCount: components, mcuCount: mcus)
    var bit = start * 8
    for number in 0..<(mcus - 1) / spacing + 1 {
      let predictors = (0..<components).map { _ in
        number == 0 ? 0 : Int32(Int16.random(in: .min ... .max, using: &random))
      }
      guard index.append(bit: bit, predictors: predictors) else { return nil }
      bit += Int.random(in: 1...step, using: &random)
    }
    index.finish(at: bit / 8 + 1)
    return index
  }

  /// A sidecar of everything at random, with a payload or without.
  static func random(_ random: inout SplitMix64, mcus: Int? = nil) -> Sidecar? {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    func digest() -> [UInt8] { (0..<32).map { _ in random.next() } }
    func time() -> FileVersion.Moment {
      FileVersion.Moment(seconds: number(Int.min...Int.max), nanoseconds: number(0...999_999_999))
    }
    let components = number(1...4)
    let mcus = mcus ?? number(1...5000)
    let hasPayload = Bool.random(using: &random)
    let headerLength = number(0...1 << 40)
    let start = hasPayload ? number(0...1000) : headerLength
    let spacing = number(1...64)
    guard
      let index = index(
        components: components, mcus: mcus, spacing: spacing, start: start,
        step: hasPayload ? 40 : 4000, &random), let end = index.scanEnd
    else { return nil }
    let length = max(headerLength, end + 2) + number(0...1000)
    let identity = SidecarIdentity(
      version: FileVersion(
        device: random.next(), inode: random.next(), length: length, modified: time(),
        changed: time()),
      headerLength: headerLength, headerDigest: digest(), sampleDigest: digest(),
      contentDigest: digest())
    let frame = Sidecar.Frame(
      width: number(1...65_535), height: number(1...65_535), restartInterval: number(0...65_535),
      factors: (0..<components).map { _ in UInt8(number(1...4) << 4 | number(1...4)) })
    let payload =
      hasPayload ? (0..<end + 2 + number(0...100)).map { _ in UInt8(number(0...255)) } : nil
    return Sidecar(identity: identity, frame: frame, index: index, payload: payload)
  }

  /// Puts the length right and a new tag behind bytes whose tag was taken off.
  static func tagged(_ untagged: [UInt8], with key: SidecarKey) -> [UInt8] {
    var bytes = untagged
    let length = bytes.count + SidecarKey.tagByteCount
    if bytes.count >= 16 {
      for place in 0..<8 { bytes[8 + place] = UInt8(truncatingIfNeeded: length >> (8 * place)) }
    }
    return bytes + key.tag(of: bytes[...])
  }
}
