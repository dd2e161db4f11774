import PropertyTesting
import Testing

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

  @Test func `digits and zeros are told apart`() {
    let decimal = ShortDecimal(-1200.0)
    #expect((decimal.digits, decimal.exponent, decimal.count) == (12, 2, 2))
    #expect(ShortDecimal(0.07).exponent == -2)
    #expect(ShortDecimal(0) == ShortDecimal(-0.0))
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
