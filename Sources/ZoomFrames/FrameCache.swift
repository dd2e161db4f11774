internal import ZoomGeometry
internal import ZoomPipeline

/// A cache of a number of bytes that drops the least recently used value first.
struct ByteCache<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  /// The values from the least recently used one on.
  private var entries: [(key: Key, value: Value, byteCount: Int)] = []
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
    entries.append((key, value, byteCount))
    self.byteCount += byteCount
    while self.byteCount > limit || entries.count > mostEntries { drop(0) }
  }

  private mutating func drop(_ number: Int) {
    byteCount -= entries.remove(at: number).byteCount
  }
}

/// The part of a cached answer that answers a request.
struct HeldPart: Sendable {
  /// The answer, converted to the pixels that a screen shows.
  let answer: RegionAnswer
  let x: Int
  let y: Int
  let size: PixelSize
}

extension HeldPart {
  /// Creates the part of an answer to `held` that answers `request`; nil if it is not contained.
  ///
  /// Every source returns the same pixels for a part alone, because blocks of a reduction are
  /// counted from the picture's corner. Turned answers are reused only for the same request.
  init?(of answer: RegionAnswer, to held: RegionRequest, for request: RegionRequest) {
    let isContained =
      held.turn == .none && request.turn == .none && held.reduction == request.reduction
      && held.region.intersection(request.region) == request.region
    guard isContained || request == held else { return nil }
    let factor = held.reduction.rawValue
    self.init(
      answer: answer, x: (request.region.x - held.region.x) / factor,
      y: (request.region.y - held.region.y) / factor, size: request.outputSize)
  }

  /// Calls the body with an image of the part, which shares its bytes.
  func withImage<Value>(
    _ body: (Image) throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    try Image.withoutCopying(answer.pixels) { whole throws(PipelineError) in
      try body(size == answer.pixels.size ? whole : whole.smeared(onto: size, x: -x, y: -y))
    }
  }
}
