import PropertyTesting
import Testing

@testable import ZoomLaws

@Suite struct FormulasTests {
  @Test func `a double is exact, and NaN and infinity are infinitely far`() {
    let doubles = Gen<Double>.double(in: -1e200...1e200).sample(500)
    for value in doubles + [.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0, -0.0] {
      #expect(Exact(value).distance(to: value) == 0)
      #expect(abs(Exact(value).approximate - value) <= 2 * value.ulp)
    }
    #expect(Exact(1).distance(to: .nan) == .infinity)
    #expect(Exact(1).distance(to: -.infinity) == .infinity)
  }

  @Test func `arithmetic on small whole numbers is that of Int`() {
    let number = Gen<Int>.integer(in: -1000...1000)
    for (a, b) in Gens.zip(number, number).sample(300) {
      #expect(Exact(a) + Exact(b) == Exact(a + b) && Exact(a) - Exact(b) == Exact(a - b))
      #expect(Exact(a) * Exact(b) == Exact(a * b) && (Exact(a) < Exact(b)) == (a < b))
      #expect(Exact(a).clamped(Exact(-9), Exact(9)) == Exact(min(max(a, -9), 9)))
      if b != 0 { #expect(Exact(a) / Exact(b) * Exact(b) == Exact(a)) }
    }
  }

  @Test func `the error of a rounded quotient is at most half an ulp and not always zero`() {
    let pairs = Gens.zip(Gen<Double>.double(in: 1...1e6), .double(in: 1...1e6)).sample(300)
    let errors = pairs.map { a, b in (Exact(a) / Exact(b)).distance(to: a / b) / (a / b).ulp }
    #expect(errors.allSatisfy { $0 <= 0.5 } && errors.contains { $0 > 0.4 })
  }
}
