internal import ZoomGeometry
public import ZoomPipeline

/// The agreement of an answer with the expected pixels.
public enum PixelAgreement: Sendable, Hashable {
  /// Identical bytes.
  case same
  /// Different samples with the same contents in the same place, as lossy formats give.
  case alike(largest: Double, mean: Double)
  /// Different contents, described in words.
  case different(String)

  /// The largest mean difference that counts as alike, as a part of the full scale.
  ///
  /// On noise, JPEG of quality 50 stays below it.
  static let mostMean = 0.05
  /// The largest shift that counts as alike, in pixels.
  static let mostShift = 0.15
  /// The smallest side for measuring a shift; below it lossy noise is as large as the limit.
  static let leastSide = 16

  /// Compares an answer with the expected pixels.
  public init(
    _ got: Pixels, expected: Pixels, comparator: PixelComparator = .standard
  ) {
    let seen = comparator.compare(got, expected)
    if seen.isSame {
      self = .same
      return
    }
    let isNear =
      seen.formDifference == nil && seen.meanDifference <= Self.mostMean * expected.fullScale
    let shift = comparator.shift(got, expected, isNear ? 0 : 8)
    let isShifted = shift.map { $0.explained > 0.5 && $0.length > Self.mostShift } ?? false
    if isNear, !isShifted || min(got.size.width, got.size.height) < Self.leastSide {
      self = .alike(largest: seen.largestDifference, mean: seen.meanDifference)
    } else {
      let mismatch = PixelMismatch(
        "differs", got: got, expected: expected, comparison: seen, shift: shift)
      self = .different(mismatch.description)
    }
  }
}
