/// Where in a run of values one level gives way to another, and how surely.
///
/// A set of all places whose fit of two levels is nearly as good as the best: in units of the
/// error variance, at most 7.35 more in the sum of squares. For the place of a change that is small against
/// the sample but not nil, the excess of the true place has the distribution function
/// (1 - exp(-x/2))²; 7.35 is where it is 0.95 (Hansen, "Sample splitting and threshold
/// estimation", Econometrica 2000).
struct StepLocation: Sendable, Hashable {
  /// The index of the first value on the new level, by least squares.
  let index: Int

  /// The first to the last place that fits nearly as well.
  let range: ClosedRange<Int>

  /// The sum of squares around the two levels.
  let scatter: Double

  /// Finds the place of one step; nil if the segment is shorter than twice the minimum.
  ///
  /// - Parameters:
  ///   - series: Where to look.
  ///   - segment: At which of its values, up to the neighbouring change points.
  ///   - minimum: The fewest values before and after, at least one.
  init?(_ series: LevelSeries, segment: Range<Int>, minimum: Int) {
    let (start, end) = (segment.lowerBound, segment.upperBound)
    let places = start + minimum..<max(start + minimum, end - minimum + 1)
    let fits = places.map { series.scatter(start..<$0) + series.scatter($0..<end) }
    guard let least = fits.min(), let best = fits.firstIndex(of: least) else { return nil }
    // Two levels and a place have been fitted. Three values have nothing left to judge by.
    let variance = least / Double(max(1, segment.count - 3))
    let plausible = places.filter { fits[$0 - places.lowerBound] <= least + 7.35 * variance }
    index = places.lowerBound + best
    range = (plausible.first ?? index)...(plausible.last ?? index)
    scatter = least
  }
}
