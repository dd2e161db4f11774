internal import ZoomGeometry
public import ZoomPipeline

/// How far an answer agrees with what it should be.
public enum PixelAgreement: Sendable, Hashable {
  /// Byte for byte.
  case same
  /// Other samples that show the same in the same place, as lossy formats give.
  case alike(largest: Double, mean: Double)
  /// Something else, and what.
  case different(String)

  /// Of lossy codes each sample may be off, but not the mean of all by more than this part of the full scale (JPEG of
  /// quality 50 stays below it on noise).
  static let mostMean = 0.05
  /// Nor the place by more than this many pixels.
  static let mostShift = 0.15
  /// On fewer pixels a side the noise of a lossy code is as large as the limit.
  static let leastSide = 16

  /// Compares an answer with what it should be.
  /// - Parameters:
  ///   - got: the pixels in question.
  ///   - expected: the pixels they should be.
  ///   - comparator: what compares them.
  public init(
    _ got: Pixels, expected: Pixels, comparator: PixelComparator = .standard
  ) {
    let seen = comparator.compare(got, expected)
    if seen.isSame {
      self = .same
      return
    }
    let mismatch = { (shift: PixelShift?) in
      Self.different(
        PixelMismatch(
          "differs", got: got, expected: expected, comparison: seen, shift: shift
        ).description)
    }
    guard seen.formDifference == nil,
      seen.meanDifference <= Self.mostMean * expected.fullScale
    else {
      self = mismatch(comparator.shift(got, expected, 8))
      return
    }
    if min(got.size.width, got.size.height) >= Self.leastSide,
      let shift = comparator.shift(got, expected, 0), shift.explained > 0.5,
      shift.length > Self.mostShift
    {
      self = mismatch(shift)
      return
    }
    self = .alike(largest: seen.largestDifference, mean: seen.meanDifference)
  }
}
