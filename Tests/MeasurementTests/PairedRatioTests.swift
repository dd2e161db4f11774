import Measurement
import Testing

@Suite struct PairedRatioTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `exchanging the arms gives the reciprocal of everything`(seed: UInt64) throws {
    var machine = SimulatedMachine(seed: seed, ratio: 0.4, spread: 0.3)
    machine.pairsPerLaunch = 1 + 3 * Int(seed)
    let launch = machine.launch()
    let (some, others) = (launch.base.cpuNanoseconds, launch.candidate.cpuNanoseconds)
    let there = try PairedRatio(numerators: some, denominators: others)
    let back = try PairedRatio(numerators: others, denominators: some)
    // A few roundings of 2^-53 each in both directions.
    func alike(_ left: Double, _ right: Double) -> Bool { abs(left / right - 1) < 0x1p-50 }
    #expect(back.pairs == there.pairs && back.confidence == there.confidence)
    #expect(alike(back.ratio, 1 / there.ratio))
    #expect((back.interval == nil) == (there.interval == nil))
    if let left = back.interval, let right = there.interval {
      #expect(alike(left.lower, 1 / right.upper))
      #expect(alike(left.upper, 1 / right.lower))
      #expect(left.coverage == right.coverage)
    }
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

  @Test func `too few pairs give a ratio without an interval`() throws {
    func compared(_ pairs: Int, confidence: Double = 0.98) throws -> PairedRatio {
      let times = [UInt64](repeating: 3, count: pairs)
      return try PairedRatio(numerators: times, denominators: times, confidence: confidence)
    }
    let six = try compared(6)
    #expect(six.interval == nil && six.ratio == 1)
    #expect(try compared(7).interval != nil)
    #expect(try compared(6, confidence: 0.9).interval != nil)
  }

  @Test func `the longest and shortest durations give finite ratios`() throws {
    #expect(try PairedRatio(numerators: [.max, .max], denominators: [1, 1]).ratio == 0x1p64)
    #expect(try PairedRatio(numerators: [1, 1], denominators: [.max, .max]).ratio == 0x1p-64)
  }

  @Test func `samples that cannot be compared are refused with the reason`() {
    #expect(throws: SampleError.noSamples) { try PairedRatio(numerators: [], denominators: []) }
    #expect(throws: SampleError.unpaired(numerators: 2, denominators: 1)) {
      try PairedRatio(numerators: [1, 2], denominators: [1])
    }
    #expect(throws: SampleError.zeroDuration(index: 1)) {
      try PairedRatio(numerators: [1, 0, 2], denominators: [1, 1, 0])
    }
    #expect(throws: SampleError.zeroDuration(index: 2)) {
      try PairedRatio(numerators: [1, 1, 1], denominators: [1, 1, 0])
    }
  }
}

@Suite struct MedianIntervalTests {
  /// Returns a row of Pascal's triangle, exact up to row 62.
  private static func pascal(_ count: Int) -> [UInt64] {
    (0..<count).reduce([1]) { row, _ in
      zip(row + [0], [0] + row).map(+)
    }
  }

  @Test(arguments: 0...40)
  func `the rank is the greatest whose tail is small enough, by exact counting`(count: Int) {
    let row = Self.pascal(count)
    for tail in [0.2, 0.05, 0.025, 0.01, 0.005, 0.001, 1.0 / 128] {
      // All numbers are below 2^53, so only the tail is rounded.
      let allowed = tail * Double(UInt64(1) << UInt64(count))
      var rank = 0
      while rank <= count, Double(row[...rank].reduce(0, +)) <= allowed { rank += 1 }
      let found = MedianInterval.narrowest(count: count, tail: tail)
      #expect(found?.rank ?? 0 == rank, "tail \(tail)")
      if let found {
        let below = Double(row[..<rank].reduce(0, +)) / Double(UInt64(1) << UInt64(count))
        #expect(found.coverage == 1 - 2 * below)
      }
    }
  }

  @Test(arguments: [1073, 1074, 1075, 5000, 100_000])
  func `many samples neither overflow nor underflow`(count: Int) throws {
    let found = try #require(MedianInterval.narrowest(count: count, tail: 0.01))
    // De Moivre: the quantile is n/2 - 2.3263 √n/2, to within one for the lattice and the
    // continuity correction; the next term of the expansion is below 0.01 here.
    let normal = Double(count) / 2 - 2.3263 * Double(count).squareRoot() / 2
    #expect(abs(Double(found.rank) - normal) <= 1)
    #expect(found.coverage >= 0.98 && found.coverage < 0.983)
  }

  @Test(arguments: [0, 1, -0.1, 1.5, .infinity, -.infinity, .nan] as [Double])
  func `an invalid confidence is refused`(confidence: Double) {
    #expect(throws: SampleError.self) {
      try MedianInterval.narrowest(count: 10, confidence: confidence)
    }
  }
}
