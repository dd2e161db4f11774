import Testing

@testable import Measurement

@Suite struct IncompleteBetaTests {
  private static func value(_ x: Double, _ a: Double, _ b: Double) -> Double {
    IncompleteBeta.regularised(x, complement: 1 - x, a: a, b: b)
  }

  @Test(arguments: [0.5, 1, 3, 24, 500, 5000], [0.5, 1, 3, 24, 500, 5000])
  func `seen from the other end it is the rest of one, and it grows`(a: Double, b: Double) {
    var last = 0.0
    for step in 0...64 {
      // Multiples of 1/64, whose complement is exact.
      let x = Double(step) / 64
      let value = Self.value(x, a, b)
      #expect(abs(value + Self.value(1 - x, b, a) - 1) <= 1e-11)
      // Where all of the chance lies on one side, neighbours are equal but for rounding.
      #expect(value >= last - 1e-11)
      last = value
    }
    #expect(Self.value(0, a, b) == 0)
    #expect(last == 1)
  }

  @Test(arguments: [1, 2, 5, 30])
  func `the first power has a closed form, near zero too`(b: Int) {
    for x in [0x1p-30, 0x1p-6, 0.25, 0.75] {
      let power = (0..<b).reduce(1.0) { product, _ in product * (1 - x) }
      // b x is exact to b x / 2 where x is tiny, where 1 - (1 - x)^b would cancel.
      let expected = x < 1e-8 ? Double(b) * x : 1 - power
      #expect(abs(Self.value(x, 1, Double(b)) - expected) <= 2e-8 * expected)
      if x > 1e-8 { #expect(abs(Self.value(x, 1, Double(b)) - expected) <= 1e-11) }
    }
  }
}
