internal import ZoomGeometry
internal import ZoomPipeline

/// A cache of a number of bytes that drops the least recently used value first.
struct ByteCache<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let key: Key
    let value: Value
    let byteCount: Int
  }

  /// From the least recently used one on.
  private var entries: [Entry] = []
  private(set) var byteCount = 0
  private let limit: Int
  /// A linear search of this many takes less than a microsecond.
  private let mostEntries = 64

  init(limit: Int) { self.limit = limit }

  /// Returns the first result of `find`, from the most recently used value on.
  mutating func first<Result>(_ find: (Key, Value) -> Result?) -> Result? {
    for number in entries.indices.reversed() {
      guard let result = find(entries[number].key, entries[number].value) else { continue }
      entries.append(entries.remove(at: number))
      return result
    }
    return nil
  }

  /// Keeps a value unless it alone exceeds the limit.
  mutating func keep(_ value: Value, for key: Key, byteCount: Int) {
    guard byteCount <= limit else { return }
    if let number = entries.firstIndex(where: { $0.key == key }) { drop(number) }
    entries.append(Entry(key: key, value: value, byteCount: byteCount))
    self.byteCount += byteCount
    while self.byteCount > limit || entries.count > mostEntries { drop(0) }
  }

  private mutating func drop(_ number: Int) {
    byteCount -= entries.remove(at: number).byteCount
  }
}

struct HeldAnswer: Sendable {
  let request: RegionRequest
  /// The pixels as a screen shows them.
  let pixels: Pixels
  let resampling: Resampling

  /// Returns the part of this answer that answers another request; nil if it is not contained.
  ///
  /// Every source returns the same pixels for a part alone, because blocks of a reduction are
  /// counted from the picture's corner. Turned answers are reused only for the same request.
  func part(for other: RegionRequest) -> HeldPart? {
    if request == other { return HeldPart(answer: self, x: 0, y: 0, size: pixels.size) }
    guard request.turn == .none, other.turn == .none, request.reduction == other.reduction,
      request.region.intersection(other.region) == other.region
    else { return nil }
    let factor = request.reduction.rawValue
    return HeldPart(
      answer: self, x: (other.region.x - request.region.x) / factor,
      y: (other.region.y - request.region.y) / factor, size: other.outputSize)
  }
}

struct HeldPart: Sendable {
  let answer: HeldAnswer
  let x: Int
  let y: Int
  let size: PixelSize

  /// Calls the body with an image of the part, which shares its bytes.
  func withImage<Value>(
    _ body: (Image) throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    try Image.withoutCopying(answer.pixels) { whole throws(PipelineError) in
      try body(size == answer.pixels.size ? whole : whole.smeared(onto: size, x: -x, y: -y))
    }
  }
}
