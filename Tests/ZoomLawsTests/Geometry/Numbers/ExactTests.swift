import PropertyTesting
import Testing

@testable import ZoomLaws

@Suite struct ExactTests {
  private let doubles = Gen<Double>.double(in: -1e200...1e200)

  @Test func `a double is itself`() {
    for value in doubles.sample(500) + [.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0, -0.0] {
      #expect(Exact(value).distance(to: value) == 0)
      #expect(abs(Exact(value).approximate - value) <= 2 * value.ulp)
    }
  }

  @Test func `sums and products of small whole numbers are those of Int`() {
    for (a, b) in Gens.zip(Gen<Int>.integer(in: -1000...1000), .integer(in: -1000...1000)).sample(
      300)
    {
      #expect(Exact(a) + Exact(b) == Exact(a + b))
      #expect(Exact(a) - Exact(b) == Exact(a - b))
      #expect(Exact(a) * Exact(b) == Exact(a * b))
      #expect((Exact(a) < Exact(b)) == (a < b))
      if b != 0 { #expect(Exact(a) / Exact(b) * Exact(b) == Exact(a)) }
    }
  }

  @Test func `the error of a rounded quotient is at most half an ulp and not always zero`() {
    let pairs = Gens.zip(Gen<Double>.double(in: 1...1e6), .double(in: 1...1e6)).sample(300)
    let errors = pairs.map { a, b in (Exact(a) / Exact(b)).distance(to: a / b) / (a / b).ulp }
    #expect(errors.allSatisfy { $0 <= 0.5 })
    #expect(errors.contains { $0 > 0.4 })
  }

  @Test func `NaN and infinity are infinitely far`() {
    #expect(Exact(1).distance(to: .nan) == .infinity)
    #expect(Exact(1).distance(to: -.infinity) == .infinity)
  }

  @Test func `a clamped number is in its range`() {
    #expect(Exact(5).clamped(Exact(0), Exact(3)) == Exact(3))
    #expect(Exact(-5).clamped(Exact(0), Exact(3)) == Exact(0))
    #expect(Exact(0.5).clamped(Exact(0), Exact(3)) == Exact(0.5))
  }
}
