import Measurement
import Testing

@Suite struct MedianIntervalTests {
  /// The row of Pascal's triangle, exact for rows up to 62.
  private static func pascal(_ count: Int) -> [UInt64] {
    (0..<count).reduce([1]) { row, _ in
      zip(row + [0], [0] + row).map(+)
    }
  }

  @Test(arguments: 0...40)
  func `the rank is the greatest whose tail is small enough, by exact counting`(count: Int) {
    let row = Self.pascal(count)
    for tail in [0.2, 0.05, 0.025, 0.01, 0.005, 0.001, 1.0 / 128] {
      // All numbers are below 2^53, so both sides of the comparison are exact but for the tail.
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

  /// Also what summing exact binomial coefficients gives (Python's `math.comb` and `Fraction`).
  @Test func `the ranks for 200 pairs are the published ones`() {
    #expect(MedianInterval.narrowest(count: 200, tail: 0.01)?.rank == 84)
    #expect(MedianInterval.narrowest(count: 200, tail: 0.002)?.rank == 80)
    #expect(MedianInterval.narrowest(count: 200, tail: 0.01 / 150)?.rank == 73)
  }

  @Test func `the fewest samples are the binary logarithm of the chance left out`() throws {
    #expect(MedianInterval.narrowest(count: 6, tail: 0.01) == nil)
    #expect(MedianInterval.narrowest(count: 7, tail: 0.01)?.rank == 1)
    #expect(try MedianInterval.narrowest(count: 6, confidence: 0.98) == nil)
    #expect(try MedianInterval.narrowest(count: 7, confidence: 0.98)?.rank == 1)
    for power in 1...30 {
      // The chance 2^-n is exactly representable, so n samples are just enough.
      let tail = Double(sign: .plus, exponent: -power, significand: 1)
      #expect(MedianInterval.narrowest(count: power, tail: tail) != nil || power == 1)
      #expect(MedianInterval.narrowest(count: power - 1, tail: tail) == nil)
    }
    #expect(MedianInterval.narrowest(count: 0, tail: 0.49) == nil)
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

  @Test(arguments: [0.5, 0.9, 0.95, 0.98, 0.999])
  func `more samples and less confidence narrow the interval, and the ends never cross`(
    confidence: Double
  ) throws {
    var before = 0.0
    for count in 1...300 {
      guard let found = try MedianInterval.narrowest(count: count, confidence: confidence) else {
        continue
      }
      #expect(found.coverage >= confidence)
      #expect(2 * found.rank <= count + 1)
      #expect(Double(found.rank) >= before)
      before = Double(found.rank)
      let wider = try MedianInterval.narrowest(count: count, confidence: (1 + confidence) / 2)
      #expect(wider?.rank ?? 0 <= found.rank)
    }
    #expect(before > 0)
  }

  @Test(arguments: [0, 1, -0.1, 1.5, .infinity, -.infinity] as [Double])
  func `a confidence that is none is refused`(confidence: Double) {
    #expect(throws: SampleError.invalidConfidence(confidence)) {
      try MedianInterval.narrowest(count: 10, confidence: confidence)
    }
  }

  @Test func `a confidence that is not a number is refused`() {
    #expect(throws: SampleError.self) { try MedianInterval.narrowest(count: 10, confidence: .nan) }
  }
}
