package import PropertyTesting

extension [UInt8] {
  /// Makes one to `most` changes in a range, often to values that break lengths and counts.
  ///
  /// - Parameters:
  ///   - range: The range to change; nil for all bytes, which then may also be moved or cut off.
  ///   - most: The largest number of changes.
  ///   - random: Determines the changes.
  package mutating func mutate(
    _ range: Range<Int>? = nil, most: Int, _ random: inout SplitMix64
  ) {
    for _ in 0..<Int.random(in: 1...most, using: &random) where !isEmpty {
      let place = Int.random(in: range ?? indices, using: &random)
      switch Int.random(in: range == nil ? 0..<8 : 3..<8, using: &random) {
      case 0: removeSubrange(place...)
      case 1: insert(.random(in: 0...255, using: &random), at: place)
      case 2: removeSubrange(place..<Swift.min(place + 9, count))
      case 3: self[place] = .random(in: 0...255, using: &random)
      case 4: self[place] &+= 1
      case 5: self[place] &-= 1
      case 6: self[place] = ([0, 1, 127, 128, 255] as [UInt8]).randomElement(using: &random) ?? 0
      default: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
  }
}
