package import PropertyTesting

extension SplitMix64 {
  /// A length of a range, as likely of one order of magnitude as of another.
  ///
  /// Half of the lengths are odd, an eighth is prime, and an eighth is one that code is known to
  /// stumble over: odd and prime lengths leave a rest in every tiling and halving.
  package mutating func length(in range: ClosedRange<Int>) -> Int {
    let pick = next()
    switch pick & 7 {
    case 0: return Self.clamped(Self.primes[Int(next(upTo: UInt64(Self.primes.count - 1)))], range)
    case 1:
      return Self.clamped(Self.landmarks[Int(next(upTo: UInt64(Self.landmarks.count - 1)))], range)
    case 2, 3, 4: return Self.clamped(magnitude(in: range) | 1, range)
    default: return magnitude(in: range)
    }
  }

  /// The number of bits first, then the bits.
  private mutating func magnitude(in range: ClosedRange<Int>) -> Int {
    let width = UInt64(range.upperBound - range.lowerBound)
    let bits = next(upTo: UInt64(UInt64.bitWidth - width.leadingZeroBitCount))
    let offset = bits == 0 ? 0 : next() >> (64 - bits)
    return range.lowerBound + Int(min(offset, width))
  }

  private static func clamped(_ value: Int, _ range: ClosedRange<Int>) -> Int {
    min(max(value, range.lowerBound), range.upperBound)
  }

  /// Primes of every order of magnitude, those next to powers of two among them.
  private static let primes = [
    2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 251, 257, 509, 521, 1021, 1031, 2039, 2053, 4093, 4099,
    8191, 8209, 16381, 32749, 65521, 65537, 99991,
  ]

  /// Lengths about coding blocks, screens, the sample photographs and round numbers.
  private static let landmarks = [
    1, 15, 16, 17, 255, 256, 257, 374, 375, 376, 749, 750, 751, 1200, 1823, 4535, 4896, 10000,
    100_000,
  ]
}
