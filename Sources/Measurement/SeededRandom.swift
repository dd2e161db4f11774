/// A reproducible source of randomness: the same seed gives the same numbers on every platform.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): 64 bits of state, period 2^64, sufficient to choose an order or a
/// place, and not for secrets.
///
/// The standard library does not promise that `shuffled(using:)` and `random(in:using:)` give the same
/// results in each version of Swift. Use `index(below:)`, `unit()` and `permutation(of:)` if a seed must
/// give the same results in future versions.
public struct SeededRandom: RandomNumberGenerator, Sendable, Hashable {
  private var state: UInt64

  /// The odd number nearest to 2^64 divided by the golden ratio.
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Creates the generator of a seed; any seed is suitable.
  public init(seed: UInt64) {
    state = seed
  }

  /// Creates the generator of one numbered stream of a seed; see `derivedSeed(from:stream:)`.
  public init(seed: UInt64, stream: UInt64) {
    self.init(seed: Self.derivedSeed(from: seed, stream: stream))
  }

  /// Creates the generator of one named stream of a seed; see `derivedSeed(from:label:)`.
  public init(seed: UInt64, label: String) {
    self.init(seed: Self.derivedSeed(from: seed, label: label))
  }

  /// Draws 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// Draws a number in the half-open unit interval, a multiple of 2^-53.
  public mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Draws one of the indices below a bound, each equally likely.
  ///
  /// It uses Lemire's method with rejection ("Fast random integer generation in an interval", 2019).
  ///
  /// - Parameter bound: The number of indices, at least one.
  /// - Returns: A number from zero up to, and not including, the bound.
  public mutating func index(below bound: Int) -> Int {
    precondition(bound > 0, "There is no index below \(bound).")
    let bound = UInt64(bound)
    // This many of the 2^64 draws must be rejected, so that the rest divide evenly.
    let surplus = (0 &- bound) % bound
    while true {
      let product = next().multipliedFullWidth(by: bound)
      if product.low >= surplus { return Int(product.high) }
    }
  }

  /// Draws an order of the indices below a count, each order equally likely.
  ///
  /// - Parameter count: The number of indices; zero gives the empty order.
  /// - Returns: Each index from zero up to, and not including, the count once, by Fisher and Yates'
  ///   shuffle.
  public mutating func permutation(of count: Int) -> [Int] {
    precondition(count >= 0, "There is no order of \(count) things.")
    var order = Array(0..<count)
    for last in order.indices.dropFirst().reversed() {
      order.swapAt(last, index(below: last + 1))
    }
    return order
  }
}

extension SeededRandom {
  /// Derives the seed of a numbered stream, so that each use of a seed draws different numbers.
  ///
  /// The streams of a seed are the outputs of a generator seeded with the seed's first
  /// output. Two streams of one seed, or one stream of two seeds, never have the same derived seed.
  ///
  /// - Parameters:
  ///   - seed: The seed of the whole run.
  ///   - stream: The number of the stream, such as the index of a case or a round.
  /// - Returns: A seed for `init(seed:)`.
  public static func derivedSeed(from seed: UInt64, stream: UInt64) -> UInt64 {
    mixed(mixed(seed &+ increment) &+ (stream &+ 1) &* increment)
  }

  /// Derives the seed of a named stream, so that adding a stream does not change the others.
  ///
  /// The stream's number is the 64-bit FNV-1a hash of the name in UTF-8.
  ///
  /// - Parameters:
  ///   - seed: The seed of the whole run.
  ///   - label: The purpose of the stream.
  /// - Returns: A seed for `init(seed:)`.
  public static func derivedSeed(from seed: UInt64, label: String) -> UInt64 {
    var hash = AnswerDigest()
    hash.add(label.utf8)
    return derivedSeed(from: seed, stream: hash.state)
  }

  /// Scrambles 64 bits with a bijection (the finaliser "Mix13" by David Stafford).
  private static func mixed(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
