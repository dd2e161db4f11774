public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == PixelSize {
  /// Returns a generator of sizes of pictures, of every order of magnitude and, except for two known pictures, of
  /// ratios from 1:100 to 100:1.
  ///
  /// Odd and prime sides are preferred; a tenth are the sizes of sample photographs and of pictures
  /// that revealed a defect. `sides` are from 1 to `PixelSize.maximumSide`. 1x1 is the simplest.
  public static func pictures(sides: ClosedRange<Int> = 1...100_000) -> Gen {
    precondition(
      sides.lowerBound >= 1 && sides.upperBound <= PixelSize.maximumSide,
      "pictures(sides:) needs sides from 1 to PixelSize.maximumSide")
    let (least, most) = (sides.lowerBound, sides.upperBound)
    let known = knownPictures.filter { sides.contains($0.width) && sides.contains($0.height) }
    return Gen { testCase throws(Discarded) in
      func side(_ sample: (inout SplitMix64) -> Int) -> Int {
        least + Int(testCase.index(through: UInt64(most - least)) { UInt64(sample(&$0) - least) })
      }
      // A known size is drawn as two numbers too, so that it shrinks like any other.
      var size: PixelSize?
      let width = side { random in
        if !known.isEmpty, random.nextUnit() < 0.1 { size = random.element(of: known) }
        return size?.width ?? random.length(in: sides)
      }
      let height = side { random in
        let shortest = max(least, (width + 99) / 100)
        let tallest = min(width.multipliedReportingOverflow(by: 100).partialValue, most)
        return size?.height ?? random.length(in: shortest...max(shortest, tallest))
      }
      do { return try PixelSize(width: width, height: height) } catch { throw Discarded() }
    }
  }

  /// The sample photographs, and pictures that revealed a defect.
  private static var knownPictures: [PixelSize] {
    [
      (1600, 1200), (4535, 1823), (3264, 4896), (1600, 1600), (1200, 1600), (1000, 3000),
      (200, 100), (300, 2000), (1, 10000), (100, 100_000), (1, 1), (2, 1), (300, 500),
      (1600, 2000), (460, 690), (140, 140), (200, 400),
    ].compactMap { width, height in try? PixelSize(width: width, height: height) }
  }
}

extension Gen where Value == (width: Int, height: Int) {
  /// Sizes that no picture has: a side is zero, negative or longer than `PixelSize.maximumSide`.
  public static var invalidPictures: Gen {
    let bad = Gen<Int>.element(of: [0, -1, -1600, PixelSize.maximumSide + 1, .max, .min])
    return Gen<(Int, Int)>.pairs(with: bad, or: .integer(in: 1...10000))
      .map { (width: $0.0, height: $0.1) }
  }
}

extension Gen {
  /// Returns a generator of pairs in which the first, the second or both values are bad.
  static func pairs<Part>(with bad: Gen<Part>, or good: Gen<Part>) -> Gen
  where Value == (Part, Part) {
    .oneOf(Gens.zip(bad, good), Gens.zip(good, bad), Gens.zip(bad, bad))
  }
}

extension Gen where Value == ViewSize {
  /// Sizes of viewports, of existing devices and others; 1x1 is the simplest.
  ///
  /// Of 11, 4 have whole sides up to 2048, 4 are in `screens`, 2 have fractional sides, and 1 is a point thin.
  public static var viewports: Gen {
    Gen { testCase throws(Discarded) in
      // The first draw samples both sides, but each draw stores only its own side.
      var height: Double?
      let width = testCase.double(in: 1...2048) { random in
        let size = random.viewport()
        height = size.height
        return size.width
      }
      return ViewSize(width: width, height: testCase.double(in: 1...2048) { _ in height })
    }
  }

  /// Viewports that cannot show anything: a side is zero, negative, NaN or infinite.
  public static var invalidViewports: Gen {
    Gen<(Double, Double)>.pairs(with: .invalidLengths, or: .element(of: [375, 1, 667.5]))
      .map { ViewSize(width: $0, height: $1) }
  }

  /// The screens of phones and tablets in points, and the published demonstration's view of 355x599.
  fileprivate static var screens: [(Double, Double)] {
    [
      (375, 667), (320, 480), (320, 568), (375, 812), (390, 844), (393, 852), (402, 874),
      (414, 736), (414, 896), (428, 926), (430, 932), (440, 956), (744, 1133), (768, 1024),
      (810, 1080), (820, 1180), (834, 1112), (834, 1194), (1024, 1366), (355, 599),
    ]
  }
}

extension SplitMix64 {
  fileprivate mutating func viewport() -> ViewSize {
    switch next(through: 10) {
    case 0...3: ViewSize(width: Double(length(in: 1...2048)), height: Double(length(in: 1...2048)))
    case 4...7: turned(element(of: Gen<ViewSize>.screens))
    case 8: turned((Double(1 + next(through: 1365)), 1))
    default: ViewSize(width: double(in: 1...2048), height: double(in: 1...2048))
    }
  }

  private mutating func turned(_ sides: (Double, Double)) -> ViewSize {
    let size = ViewSize(width: sides.0, height: sides.1)
    return next() >> 63 == 0 ? size : size.transposed
  }
}
