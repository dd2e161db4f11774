import Measurement
import Testing

@Suite struct StudentTTests {
  private static let freedoms = [0.5, 1, 2, 3, 9, 29.5, 48, 998, 10_000]

  @Test(arguments: freedoms)
  func `the tails of a value add up to one`(freedom: Double) {
    let law = StudentT(degreesOfFreedom: freedom)
    #expect(law.upperTail(0) == 0.5)
    for t in [1e-9, 0.1, 0.7, 1, 2.5, 8, 1e3, 1e200] {
      #expect(law.upperTail(t) + law.upperTail(-t) == 1)
    }
    #expect(law.upperTail(.infinity) == 0)
    #expect(law.upperTail(-.infinity) == 1)
  }

  @Test(arguments: freedoms)
  func `the quantile is exceeded with the requested chance`(freedom: Double) {
    let law = StudentT(degreesOfFreedom: freedom)
    for tail in [1e-12, 1e-6, 0.001, 0.005, 0.1, 0.3, 0.5, 0.8, 0.995] {
      let back = law.upperTail(law.quantile(upperTail: tail))
      // Twice the documented error of a tail: once here, once in the search.
      #expect(abs(back - tail) <= 2e-10 * tail)
    }
  }

  /// Computed with 40 digits (mpmath's incomplete beta function).
  @Test(
    arguments: [
      (0.5, 1, 0.35241638234956673), (1e6, 1, 3.1830988618368457e-7),
      (3, 2.5, 0.036288047774515922), (2.5, 9, 0.01693091384149287),
      (10, 9, 1.7891187159623679e-6), (60, 4, 2.3105343638175643e-7),
      (3.5, 48, 0.0005076175489824948), (12, 48, 2.3345685660868534e-16),
      (40, 48, 8.0724021253312333e-39), (0.001, 48, 0.49960313006043254),
      (30, 998, 9.1015395057720381e-142), (3, 10000, 0.0013532240949988331),
      (35, 10000, 1.411959458717138e-253),
    ] as [(Double, Double, Double)])
  func `tails are as exact as stated`(t: Double, freedom: Double, expected: Double) {
    let tail = StudentT(degreesOfFreedom: freedom).upperTail(t)
    #expect(abs(tail - expected) <= 1e-10 * expected)
  }
}
