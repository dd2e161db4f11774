import PropertyTesting
import Testing
import ZoomGeometry

@testable import ZoomLaws

/// A class of values, and the share of values that must be in it.
private struct Wanted<Value>: Sendable {
  let name: String
  let share: Double
  let holds: @Sendable (Value) -> Bool

  init(_ name: String, _ share: Double, _ holds: @escaping @Sendable (Value) -> Bool) {
    (self.name, self.share, self.holds) = (name, share, holds)
  }
}

/// A generator, the condition for its values, and the shares of values that classes must reach.
private struct GeneratorCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let complaints: @Sendable () async -> [String]

  init<Value: Sendable>(
    _ name: String, _ values: Gen<Value>, simplest: String,
    _ isValid: @escaping @Sendable (Value) -> Bool,
    reaching classes: [Wanted<Value>]
  ) {
    testDescription = name
    complaints = {
      let sample = values.sample(4000)
      var complaints = sample.filter { !isValid($0) }.prefix(3).map { "\($0) is not valid" }
      for wanted in classes {
        let share = Double(sample.count(where: wanted.holds)) / Double(sample.count)
        if share < wanted.share { complaints.append("\(wanted.name): \(share)") }
      }
      var settings = PropertySettings(seed: 1)
      // A busy machine must not end the shrinking.
      settings.shrinkTime = .seconds(3600)
      let report = await Property.check(name, values, settings: settings) { _, _ in
        throw PropertyFailure("always")
      }
      let minimal = report.failures.first.map { "\($0.minimal)" } ?? "nothing"
      return complaints + (minimal == simplest ? [] : ["shrinks to \(minimal)"])
    }
  }
}

private let phone = ViewSize(width: 375, height: 667)
private let forest = FitAxes<Double>(width: 1600, height: 1200, viewport: phone)

private func touches(
  near boundaries: Set<Boundary> = Set(Boundary.allCases), outsideShare: Double = 0.05
) -> Gen<ViewPoint> {
  Gen { testCase throws(Discarded) in
    testCase.touch(
      forest, near: Boundary.allCases.filter(boundaries.contains), outsideShare: outsideShare)
  }
}

private let decades = [1, 10, 100, 1000, 10000, 100_000].map { (limit: Int) -> Wanted<PixelSize> in
  Wanted("width to \(limit)", 0.01, { $0.width * 10 > limit && $0.width <= limit })
}

private func equal(_ numbers: [Double], _ share: Double) -> [Wanted<Double>] {
  numbers.map { number -> Wanted<Double> in Wanted("\(number)", share, { $0 == number }) }
}

private let sizeCases = [
  GeneratorCase(
    "pictures", Gen<PixelSize>.pictures(), simplest: "1x1",
    { size in
      let (short, long) = (min(size.width, size.height), max(size.width, size.height))
      return short >= 1 && long <= 100_000
        && (long <= 100 * short || ["1x10000", "100x100000"].contains("\(size)"))
    },
    reaching: decades + [
      Wanted("longest", 0.0002, { $0.width == 100_000 }),
      Wanted("one row", 0.0002, { $0.height == 1 }),
      Wanted("odd", 0.55, { !$0.width.isMultiple(of: 2) }),
      Wanted("wide", 0.25, { $0.width > $0.height }),
      Wanted("tall", 0.25, { $0.width < $0.height }),
      Wanted("10:1", 0.025, { $0.width > 10 * $0.height }),
      Wanted("a sample", 0.001, { "\($0)" == "1600x1200" }),
    ]),
  GeneratorCase(
    "pictures with sides of 300 to 400", .pictures(sides: 300...400), simplest: "300x300",
    { (300...400).contains($0.width) && (300...400).contains($0.height) },
    reaching: [Wanted("not square", 0.5, { $0.width != $0.height })]),
  GeneratorCase(
    "viewports", Gen<ViewSize>.viewports, simplest: "\(ViewSize(width: 1, height: 1))",
    { (1...2048).contains($0.width) && (1...2048).contains($0.height) },
    reaching: [
      Wanted("fractions", 0.03, { $0.width != $0.width.rounded() }),
      Wanted("thin", 0.05, { min($0.width, $0.height) == 1 }),
      Wanted("upright device", 0.002, { $0 == phone }),
      Wanted("device on its side", 0.002, { $0 == phone.transposed }),
    ]),
]

private let numberCases = [
  GeneratorCase(
    "touches", touches(), simplest: "\(ViewPoint(x: 0, y: 0))",
    { $0.x.isFinite && $0.y.isFinite },
    reaching: [
      Wanted("on the picture", 0.2, { (forest.down.start...forest.down.end).contains($0.y) }),
      Wanted("in the upper letterbox", 0.07, { $0.y > 0 && $0.y < forest.down.start }),
      Wanted("in the lower letterbox", 0.07, { $0.y > forest.down.end && $0.y < 667 }),
      Wanted("left of the screen", 0.01, { $0.x < 0 }), Wanted("right of it", 0.01, { $0.x > 375 }),
      Wanted("far outside", 0.0002, { $0.x > 1e9 }),
    ]),
  GeneratorCase(
    "forces", Gen<Double>.pressures(upTo: 5), simplest: "0.0", { (-1...10).contains($0) },
    reaching: equal([0, 1, 5, (1.0).nextUp, (5.0).nextDown], 0.002) + [
      Wanted("on the grid", 0.3, { ($0 * 60).rounded() / 60 == $0 }),
      Wanted("beyond", 0.02, { $0 > 5 }),
      Wanted("off the grid", 0.1, { ($0 * 60).rounded() / 60 != $0 }),
    ]),
]

@Suite struct GeneratorsTests {
  @Test(arguments: sizeCases + numberCases)
  private func `values are valid, reach every class and shrink to the simplest`(
    generator: GeneratorCase
  ) async { #expect(await generator.complaints() == []) }

  @Test(arguments: Boundary.allCases)
  func `touches are often within an ulp of a boundary, but only if requested`(boundary: Boundary) {
    let pixels: [Double] =
      switch boundary {
      case .imageEdge, .viewportEdge: [0, 1200]
      case .cropLimit: [187.5, 1012.5]
      case .tileSeam: [256, 512, 768, 1024]
      case .codingBlock: (0...150).map { Double(8 * $0) }
      case .halfPixel: (0...1199).map { Double($0) + 0.5 }
      }
    let exact = Set(boundary == .viewportEdge ? [0, 667] : pixels.map(forest.down.point))
    let beside = Set(exact.flatMap { [$0.nextUp, $0.nextDown] })
    let ys = touches(near: [boundary], outsideShare: 0).sample(4000).map(\.y)
    #expect(ys.count(where: exact.contains) > 40 && ys.count(where: beside.contains) > 40)
    let others = touches(near: [], outsideShare: 0).sample(4000).map(\.y)
    // The ends of the range are frequent in every distribution of doubles.
    #expect(boundary == .viewportEdge || others.count(where: beside.contains) < 10)
  }
}
