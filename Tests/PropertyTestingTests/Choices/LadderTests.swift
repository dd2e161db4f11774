import PropertyTesting
import Testing

@Suite struct LadderTests {
  private static let choices: [Choice] = {
    var testCase = TestCase()
    return (0..<UInt64(300)).flatMap { index in
      testCase.begin(seed: 6, index: index)
      _ = testCase.integer(in: Int.min...Int.max)
      _ = testCase.integer(in: 0...UInt64.max)
      _ = testCase.integer(in: -5...20, shrinkingTowards: 3)
      _ = testCase.double(in: 0.25...7.5)
      _ = testCase.double(in: -9 ... -0.07)
      _ = testCase.anyDouble()
      return testCase.choices
    }
  }()

  @Test func `a lower choice is within the limits and never less simple`() throws {
    var tried = 0
    for choice in Self.choices {
      guard let ladder = Ladder(choice) else { continue }
      tried += 1
      #expect(ladder.at(ladder.height) == choice)
      for height in [0, ladder.height / 3, ladder.height / 2] where height < ladder.height {
        let lower = try #require(ladder.at(height), "\(choice) at \(height)")
        // Two decimals of 17 digits may denote the same double.
        #expect(!choice.isSimpler(than: lower))
        if case .float(let float) = lower { #expect(float.allows(float.value)) }
      }
    }
    #expect(tried * 2 > Self.choices.count)
  }
}

@Suite struct ShortDecimalTests {
  @Test func `every double is read back from its digits`() {
    let edges: [Double] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e16, 1e-5, 0.1,
    ]
    for number in Gen.finiteDouble.sample(2000, seed: 1) + edges {
      let decimal = ShortDecimal(number)
      let back = ShortDecimal.number(digits: decimal.digits, exponent: decimal.exponent)
      #expect(back == number.magnitude)
      #expect(decimal.digits == 0 || !decimal.digits.isMultiple(of: 10))
    }
  }

  @Test(arguments: [(0.07, -2, 7), (0.071, -2, 8), (1200, 0, 1200), (1200, 3, 2), (0, -3, 0)])
  func `steps are rounded up`(number: Double, step: Int, expected: UInt64) {
    #expect(ShortDecimal(number).steps(of: step) == expected)
  }

  @Test func `steps beyond 64 bits are refused`() {
    #expect(ShortDecimal(1e19).steps(of: 0) == 10_000_000_000_000_000_000)
    #expect(ShortDecimal(1e20).steps(of: 0) == nil)
  }
}
