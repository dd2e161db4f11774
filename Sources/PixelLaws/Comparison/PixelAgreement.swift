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

  /// Compares an answer with the expected pixels.
  public init(
    _ got: Pixels, expected: Pixels, comparator: PixelComparator = .standard
  ) {
    let seen = comparator.compare(got, expected)
    if seen.isSame {
      self = .same
      return
    }
    // On noise, the mean difference of a JPEG of quality 50 is below a twentieth of full scale.
    let mostMean = 0.05 * expected.sampleType.fullScale
    let isNear = seen.formDifference == nil && seen.meanDifference <= mostMean
    let shift = comparator.shift(got, expected, isNear ? 0 : 8)
    let isShifted = shift.map { $0.explained > 0.5 && $0.length > 0.15 } ?? false
    // In pictures with a side below 16 pixels, lossy noise alone can measure as such a shift.
    if isNear, !isShifted || min(got.size.width, got.size.height) < 16 {
      self = .alike(largest: seen.largestDifference, mean: seen.meanDifference)
    } else {
      let mismatch = PixelMismatch(
        "differs", got: got, expected: expected, comparison: seen, shift: shift)
      self = .different(mismatch.description)
    }
  }
}
