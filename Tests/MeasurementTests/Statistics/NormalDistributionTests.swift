import Measurement
import Testing

@Suite struct NormalDistributionTests {
  @Test(arguments: [1e-300, 1e-20, 1e-6, 0.001, 0.01, 0.1, 0.25, 0.4999, 0.5, 0.9, 0.99])
  func `the bound of a tail has that tail`(tail: Double) {
    let bound = NormalDistribution.bound(upperTail: tail)
    // A rounding of the bound moves the tail by up to z² + 1 roundings: 1,400 at 1e-300.
    #expect(abs(NormalDistribution.upperTail(bound) / tail - 1) < 1e-12)
  }

  @Test(arguments: [0.001, 0.01, 0.1, 0.3, 0.5])
  func `the two tails mirror each other`(tail: Double) {
    let upper = NormalDistribution.bound(upperTail: tail)
    #expect(abs(NormalDistribution.bound(upperTail: 1 - tail) + upper) < 1e-12)
    #expect(abs(NormalDistribution.upperTail(-upper) - (1 - tail)) < 1e-15)
  }

  /// From published tables, as R's `qnorm` prints them.
  @Test(arguments: [
    (0.5, 0), (0.25, 0.6744897501960817), (0.1, 1.2815515655446004), (0.05, 1.6448536269514722),
    (0.01, 2.3263478740408408), (0.001, 3.090232306167813), (1e-10, 6.361340902404056),
  ])
  func `bounds are those of the tables`(tail: Double, expected: Double) {
    #expect(abs(NormalDistribution.bound(upperTail: tail) - expected) < 1e-13)
  }

  @Test func `what is no chance has no finite bound`() {
    #expect(NormalDistribution.bound(upperTail: 0) == .infinity)
    #expect(NormalDistribution.bound(upperTail: -1) == .infinity)
    #expect(NormalDistribution.bound(upperTail: 1) == -.infinity)
    #expect(NormalDistribution.bound(upperTail: 2) == -.infinity)
    #expect(NormalDistribution.bound(upperTail: .nan).isNaN)
  }
}
