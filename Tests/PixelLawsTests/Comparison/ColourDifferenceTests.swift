import Testing
import ZoomPipeline

@testable import PixelLaws

@Suite struct ColourDifferenceTests {
  private struct Pair: Sendable {
    let one: [Double]
    let other: [Double]
    let difference: Double

    init(_ one: [Double], _ other: [Double], _ difference: Double) {
      (self.one, self.other, self.difference) = (one, other, difference)
    }
  }

  /// Pairs of Sharma, Wu and Dalal, table 1; they reach every branch of the formula.
  private static let pairs = [
    Pair([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
    Pair([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000),
    Pair([50, 0, 0], [50, -1, 2], 2.3669),
    Pair([50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792),
    Pair([50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195),
    Pair([50, -0.001, 2.49], [50, 0.0009, -2.49], 4.8045),
    Pair([50, -0.001, 2.49], [50, 0.0011, -2.49], 4.7461),
    Pair([50, 2.5, 0], [50, 0, -2.5], 4.3065),
    Pair([50, 2.5, 0], [73, 25, -18], 27.1492),
    Pair([50, 2.5, 0], [61, -5, 29], 22.8977),
    Pair([50, 2.5, 0], [56, -27, -3], 31.9030),
    Pair([50, 2.5, 0], [58, 24, 15], 19.4535),
    Pair([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    Pair([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
    Pair([36.4612, 47.8580, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
    Pair([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
    Pair([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
  ]

  @Test(arguments: pairs)
  private func `the differences are those of the published table, in both directions`(
    _ pair: Pair
  ) {
    let one = LabColour(pair.one[0], pair.one[1], pair.one[2])
    let other = LabColour(pair.other[0], pair.other[1], pair.other[2])
    #expect(abs(one.difference2000(from: other) - pair.difference) < 0.00005)
    #expect(abs(other.difference2000(from: one) - pair.difference) < 0.00005)
    #expect(one.difference2000(from: one) == 0)
  }

  @Test func `sRGB white, black and grey have no colour, and red has that of the tables`() {
    let white = LabColour(red: 255, green: 255, blue: 255)
    #expect(white.difference2000(from: LabColour(100, 0, 0)) < 0.02)
    #expect(LabColour(red: 0, green: 0, blue: 0).difference2000(from: LabColour(0, 0, 0)) < 0.001)
    let grey = LabColour(red: 119, green: 119, blue: 119)
    #expect(grey.difference2000(from: LabColour(50.03, 0, 0)) < 0.05)
    let red = LabColour(red: 255, green: 0, blue: 0)
    #expect(red.difference2000(from: LabColour(53.24, 80.09, 67.2)) < 0.05)
    let inP3 = LabColour(light: [0.8225, 0.0332, 0.0171], of: .p3)
    #expect(inP3.difference2000(from: red) < 0.05)
    #expect(LabColour(light: [1, 1, 1], of: .p3).difference2000(from: white) < 0.02)
  }
}
