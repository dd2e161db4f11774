import Foundation
import Measurement
import Testing

@Suite struct PairedRatioTests {
  /// Pairs on a machine whose speed wanders by a factor of up to 30, in nanoseconds.
  ///
  /// The machine's speed cancels; each ratio is e to the power of a number whose distribution is
  /// skewed, is continuous but for the nanosecond, and has the median `logRatio`.
  private static func pairs(
    _ count: Int, logRatio: Double, random: inout SeededRandom
  ) -> (numerators: [UInt64], denominators: [UInt64]) {
    var pairs: (numerators: [UInt64], denominators: [UInt64]) = ([], [])
    for _ in 0..<count {
      let speed = 1e9 * exp(random.unit() * 3.4)
      let number = random.unit()
      // Below the median narrow, above it wide.
      let noise = number < 0.5 ? (number - 0.5) * 0.1 : -log(2 - 2 * number) * 0.2
      pairs.denominators.append(UInt64(speed))
      pairs.numerators.append(UInt64(speed * exp(logRatio + noise)))
    }
    return pairs
  }

  @Test(arguments: [(7, 0.98), (8, 0.9), (20, 0.98), (51, 0.95), (200, 0.98)])
  func `the interval covers the true ratio as often as it says`(
    count: Int, confidence: Double
  ) throws {
    var random = SeededRandom(seed: 16, stream: UInt64(count))
    let repetitions = 700
    var hits = 0
    var coverage = 0.0
    for _ in 0..<repetitions {
      let pairs = Self.pairs(count, logRatio: 0.25, random: &random)
      let compared = try PairedRatio(
        numerators: pairs.numerators, denominators: pairs.denominators, confidence: confidence)
      let interval = try #require(compared.interval)
      if interval.lower <= exp(0.25), exp(0.25) <= interval.upper { hits += 1 }
      coverage = interval.coverage
    }
    #expect(coverage >= confidence)
    // For continuous ratios the coverage is exact; four binomial deviations either way, which one
    // of 15,000 draws exceeds: 2.1 % of 98 %, so that an interval of 95 % is told from it.
    let deviation = (coverage * (1 - coverage) / Double(repetitions)).squareRoot()
    #expect(abs(Double(hits) / Double(repetitions) - coverage) <= 4 * deviation)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `seen from the other arm everything is the reciprocal`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed, label: "pairs")
    let count = 1 + random.index(below: 60)
    let pairs = Self.pairs(count, logRatio: -1, random: &random)
    let there = try PairedRatio(numerators: pairs.numerators, denominators: pairs.denominators)
    let back = try PairedRatio(numerators: pairs.denominators, denominators: pairs.numerators)
    // A few roundings of 2^-53 each on either way.
    func alike(_ left: Double, _ right: Double) -> Bool { abs(left / right - 1) < 0x1p-50 }
    for other in [back, there.inverted] {
      #expect(other.pairs == there.pairs)
      #expect(other.confidence == there.confidence)
      #expect(alike(other.ratio, 1 / there.ratio))
      #expect((other.interval == nil) == (there.interval == nil))
      if let left = other.interval, let right = there.interval {
        #expect(alike(left.lower, 1 / right.upper))
        #expect(alike(left.upper, 1 / right.lower))
        #expect(left.coverage == right.coverage)
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the ratio is the exponential of the median logarithm and lies in the interval`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed, label: "logarithms")
    let count = 7 + random.index(below: 60)
    let pairs = Self.pairs(count, logRatio: 0.5, random: &random)
    let compared = try PairedRatio(numerators: pairs.numerators, denominators: pairs.denominators)
    let logarithms = zip(pairs.numerators, pairs.denominators).map {
      log(Double($0) / Double($1))
    }
    // Logarithms of magnitude below 8 carry errors below 8 · 2^-52; so does the exponential.
    #expect(abs(log(compared.ratio) - (try SortedSamples(logarithms).median)) < 0x1p-46)
    let interval = try #require(compared.interval)
    #expect(interval.lower <= compared.ratio && compared.ratio <= interval.upper)
  }

  @Test func `the ends are the ratios of the rank, counted from both sides`() throws {
    // Ratios 1 to 200, in mixed order: ranks 84 and 117 at one in a hundred on each side.
    var random = SeededRandom(seed: 17)
    let numerators = random.permutation(of: 200).map { UInt64($0 + 1) * 10 }
    let compared = try PairedRatio(
      numerators: numerators, denominators: [UInt64](repeating: 10, count: 200))
    #expect(compared.pairs == 200)
    #expect(compared.confidence == 0.98)
    #expect(compared.interval?.lower == 84)
    #expect(compared.interval?.upper == 117)
    #expect(compared.ratio == (100.0 * 101).squareRoot())
  }

  @Test func `a machine that slows down pair by pair moves nothing`() throws {
    let baseline = (0..<20).map { UInt64(1000) << UInt64($0) }
    let compared = try PairedRatio(numerators: baseline.map { 3 * $0 }, denominators: baseline)
    #expect(compared.ratio == 3)
    #expect(compared.interval?.lower == 3)
    #expect(compared.interval?.upper == 3)
  }

  @Test func `the speed-up of what takes a fourth of the time is four`() throws {
    let compared = try PairedRatio.speedUp(
      of: [UInt64](repeating: 25, count: 9), over: [UInt64](repeating: 100, count: 9))
    #expect(compared.ratio == 4)
    #expect(compared.inverted.ratio == 0.25)
  }

  @Test func `too few pairs give a ratio without an interval`() throws {
    let six = [UInt64](repeating: 3, count: 6)
    #expect(try PairedRatio(numerators: six, denominators: six).interval == nil)
    #expect(try PairedRatio(numerators: six, denominators: six).ratio == 1)
    #expect(
      try PairedRatio(numerators: six, denominators: six, confidence: 0.9).interval != nil)
  }

  @Test func `the longest and shortest durations give finite ratios`() throws {
    let compared = try PairedRatio(numerators: [.max, .max], denominators: [1, 1])
    #expect(compared.ratio == 0x1p64)
    #expect(compared.inverted.ratio == 0x1p-64)
  }

  @Test func `what cannot be compared is refused with the reason`() {
    #expect(throws: SampleError.noSamples) { try PairedRatio(numerators: [], denominators: []) }
    #expect(throws: SampleError.unpaired(numerators: 2, denominators: 1)) {
      try PairedRatio(numerators: [1, 2], denominators: [1])
    }
    #expect(throws: SampleError.zeroDuration(index: 1)) {
      try PairedRatio(numerators: [1, 0, 2], denominators: [1, 1, 0])
    }
    #expect(throws: SampleError.zeroDuration(index: 2)) {
      try PairedRatio.speedUp(of: [1, 1, 0], over: [1, 1, 0])
    }
    #expect(throws: SampleError.invalidConfidence(1)) {
      try PairedRatio(numerators: [1], denominators: [1], confidence: 1)
    }
  }

  @Test(arguments: [6, 7])
  func `a comparison survives JSON`(count: Int) throws {
    let compared = try PairedRatio(
      numerators: (0..<UInt64(count)).map { 100 + $0 },
      denominators: [UInt64](repeating: 7, count: count))
    let decoded = try JSONDecoder().decode(PairedRatio.self, from: JSONEncoder().encode(compared))
    #expect(decoded == compared)
  }
}
