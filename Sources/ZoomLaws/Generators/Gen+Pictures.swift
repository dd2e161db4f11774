public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == PixelSize {
  /// Sizes of pictures, of every order of magnitude and of ratios from 1:100 to 100:1.
  ///
  /// Odd and prime sides are preferred. A tenth are the sizes of the sample photographs and of
  /// pictures that a defect was found with, as far as their sides are allowed. 1x1 is the simplest,
  /// and a shrinker tries other ratios, too.
  ///
  /// - Parameter sides: the lengths a side may have, from 1 to `PixelSize.maximumSide`.
  /// - Returns: Such a generator.
  public static func pictures(sides: ClosedRange<Int> = 1...100_000) -> Gen {
    precondition(
      sides.lowerBound >= 1 && sides.upperBound <= PixelSize.maximumSide,
      "pictures(sides:) needs sides from 1 to PixelSize.maximumSide")
    let (least, most) = (sides.lowerBound, sides.upperBound)
    let known = knownPictures.filter { sides.contains($0.width) && sides.contains($0.height) }
    return Gen { testCase throws(Discarded) in
      // A known size is the same two numbers as any other, so that it shrinks like one.
      var size: PixelSize?
      let width =
        least
        + Int(
          testCase.index(upTo: UInt64(most - least)) { random in
            if !known.isEmpty, random.nextUnit() < 0.1 { size = random.element(of: known) }
            return UInt64((size?.width ?? random.length(in: sides)) - least)
          })
      let height =
        least
        + Int(
          testCase.index(upTo: UInt64(most - least)) { random in
            let shortest = max(least, (width + 99) / 100)
            let tallest = max(
              shortest, min(width.multipliedReportingOverflow(by: 100).partialValue, most))
            return UInt64((size?.height ?? random.length(in: shortest...tallest)) - least)
          })
      return try checked(width, height)
    }
  }

  /// The size, whose sides are allowed ones.
  private static func checked(_ width: Int, _ height: Int) throws(Discarded) -> PixelSize {
    do { return try PixelSize(width: width, height: height) } catch { throw Discarded() }
  }

  /// The sample photographs; pictures smaller than a peek, thin ones, one of a single pixel; those
  /// with which the double tap's offset was noticed.
  private static var knownPictures: [PixelSize] {
    [
      (1600, 1200), (4535, 1823), (3264, 4896), (1600, 1600), (1200, 1600), (1000, 3000),
      (200, 100), (300, 2000), (1, 10000), (100, 100_000), (1, 1), (2, 1), (300, 500),
      (1600, 2000), (460, 690), (140, 140), (200, 400),
    ].compactMap { width, height in try? PixelSize(width: width, height: height) }
  }
}

extension Gen where Value == (width: Int, height: Int) {
  /// Sides that no picture has: zero, negative, or longer than `PixelSize.maximumSide`.
  public static var invalidPictures: Gen {
    let bad = Gen<Int>.element(of: [0, -1, -1600, PixelSize.maximumSide + 1, .max, .min])
    let good = Gen<Int>.integer(in: 1...10000)
    return .oneOf(
      Gens.zip(bad, good).map { (width: $0.0, height: $0.1) },
      Gens.zip(good, bad).map { (width: $0.0, height: $0.1) },
      Gens.zip(bad, bad).map { (width: $0.0, height: $0.1) })
  }
}
