import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLaws

@Suite struct ComparatorSelfTestTests {
  @Test func `our comparator sees every probe`() throws {
    try ComparatorSelfTest().run()
  }

  /// Comparators with one mistake each.
  private static let broken: [(name: String, comparator: PixelComparator)] = [
    ("finds nothing", with { _, _ in figures(0, 0, 0, pixels: 576) }),
    // swift-snapshot-testing#710: its render call wrote nothing and the result stayed at 0.
    ("never ran", with { _, _ in figures(0, 0, 0, pixels: 0) }),
    ("always complains", with { _, _ in figures(1, 1, 1, pixels: 576) }),
    (
      "skips the last columns",
      with { got, expected in
        let half = PixelComparison(
          got.cut(.checked(0, 0, 16, got.size.height)),
          expected: expected.cut(.checked(0, 0, 16, expected.size.height)))
        return figures(
          half.differingPixels, half.largestDifference, half.meanDifference, pixels: 576,
          worst: half.worst)
      }
    ),
    (
      "tolerates a level",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        return seen.largestDifference > 1
          ? seen
          : PixelComparison(
            formDifference: seen.formDifference, comparedPixels: seen.comparedPixels,
            differingPixels: 0, largestDifference: 0, meanDifference: 0)
      }
    ),
    (
      "swaps the axes",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        guard let worst = seen.worst else { return seen }
        return PixelComparison(
          comparedPixels: seen.comparedPixels, differingPixels: seen.differingPixels,
          largestDifference: seen.largestDifference, meanDifference: seen.meanDifference,
          worst: .init(
            x: worst.y, y: worst.x, band: 0, expected: worst.expected, got: worst.got))
      }
    ),
    (
      "takes sizes for equal",
      with { got, expected in
        let seen = PixelComparison(got, expected: expected)
        return PixelComparison(
          comparedPixels: seen.comparedPixels, differingPixels: seen.differingPixels,
          largestDifference: seen.largestDifference, meanDifference: seen.meanDifference,
          worst: seen.worst)
      }
    ),
    (
      "sees no shift",
      PixelComparator(
        compare: PixelComparator.standard.compare,
        shift: { _, _, _ in nil })
    ),
    (
      "shifts the other way",
      PixelComparator(
        compare: PixelComparator.standard.compare,
        shift: { PixelShift($1, expected: $0, within: $2) })
    ),
  ]

  private static func with(
    _ compare: @escaping @Sendable (Pixels, Pixels) -> PixelComparison
  ) -> PixelComparator {
    PixelComparator(compare: compare, shift: PixelComparator.standard.shift)
  }

  private static func figures(
    _ differing: Int, _ largest: Double, _ mean: Double, pixels: Int,
    worst: PixelComparison.Worst? = nil
  ) -> PixelComparison {
    PixelComparison(
      comparedPixels: pixels, differingPixels: differing, largestDifference: largest,
      meanDifference: mean, worst: worst)
  }

  @Test(arguments: Self.broken.map(\.name))
  func `a broken comparator is told by name of what it misses`(_ name: String) throws {
    let comparator = try #require(Self.broken.first { $0.name == name }).comparator
    let error = #expect(throws: ComparatorBroken.self) {
      try ComparatorSelfTest(comparator).run()
    }
    #expect(error?.description.hasPrefix("the comparator of pixels is broken: shown") == true)
  }

  @Test func `with a broken comparator no law of pixels passes for sound`() async throws {
    let subject = try PixelSubject(NaivePipeline()).with(Self.broken[1].comparator)
    for law in PixelLaws.all where ["PX-1", "PX-2", "PX-5"].contains(law.name) {
      let report = await law.check(subject, settings: .init(cases: 5, seed: 1))
      #expect(report.verdict == .broken && report.breaches.first?.error is ComparatorBroken)
    }
  }
}
