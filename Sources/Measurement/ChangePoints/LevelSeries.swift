internal import RealModule

/// The logarithms of a history, cleared of spikes, with what sums over runs of it need.
///
/// A step is a factor, and ratios scatter by factors; on logarithms both are sums. One launch in
/// thirty may be off by many times the usual scatter: that would hide a step from a t test and
/// pass for one in a short segment. So each value more than three robust standard deviations off
/// the median of its neighbourhood is replaced by that median (Hampel's filter). The neighbourhood
/// is 2k - 1 runs for a shortest segment of k, so k runs on a new level are its majority and stay
/// what they are, while fewer are spikes.
struct LevelSeries: Sendable {
  /// The logarithms as they came, less the offset.
  let raw: [Double]

  /// What was taken off each logarithm: their median.
  let offset: Double

  /// The same without spikes.
  let values: [Double]

  private let prefixSums: PrefixSums

  /// Takes the logarithms of ratios.
  ///
  /// - Throws: `SeriesError.notARatio` for the first bad value.
  init(_ ratios: some Sequence<Double>, minimumSegment: Int) throws(SeriesError) {
    var logs: [Double] = []
    for (index, ratio) in ratios.enumerated() {
      // The bound keeps ratios of two such values finite.
      guard ratio >= 0x1p-900, ratio <= 0x1p900 else { throw .notARatio(index: index) }
      logs.append(Double.log(ratio))
    }
    // Near zero, sums of squares lose no digits to the size of the values.
    let center = Self.median(logs[...])
    offset = center
    raw = logs.map { $0 - center }
    values = Self.despiked(raw, reach: minimumSegment - 1)
    prefixSums = PrefixSums(values)
  }

  private init(raw: [Double], offset: Double, values: [Double]) {
    self.raw = raw
    self.offset = offset
    self.values = values
    prefixSums = PrefixSums(values)
  }

  /// Returns the same history with its newest runs as they came, since they may begin a level.
  func trusting(newest count: Int) -> LevelSeries {
    LevelSeries(raw: raw, offset: offset, values: values.dropLast(count) + raw.suffix(count))
  }

  /// How many runs there are.
  var count: Int { values.count }

  /// The sum of a run of values.
  func sum(_ range: Range<Int>) -> Double { prefixSums.values(range) }

  /// The sum of index times value.
  func moment(_ range: Range<Int>) -> Double { prefixSums.moments(range) }

  /// The arithmetic mean of a run of values, which is not empty.
  func mean(_ range: Range<Int>) -> Double { sum(range) / Double(range.count) }

  /// The sum of the squared distances from the mean.
  func scatter(_ range: Range<Int>) -> Double {
    let sum = sum(range)
    let square = prefixSums.squares(range)
    // Rounding may carry the scatter of equal values below zero.
    return max(0, square - sum * sum / Double(range.count))
  }

  /// The median of a run of values; zero if it is empty.
  func median(_ range: Range<Int>) -> Double { Self.median(values[range]) }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    if values.isEmpty { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private static func despiked(_ values: [Double], reach: Int) -> [Double] {
    // Differences of neighbours know nothing of steps and drifts; √2 is what two independent
    // errors make of one, 1.4826 is 1 / Φ⁻¹(3/4).
    let jumps = zip(values, values.dropFirst()).map { ($1 - $0).magnitude }
    let deviation = 1.4826 * median(jumps[...]) / 2.0.squareRoot()
    let width = 2 * reach + 1
    return values.indices.map { index in
      // At the ends the neighbourhood is moved rather than cut, or fewer would be its majority.
      let first = max(0, min(index - reach, values.count - width))
      let center = median(values[first..<min(values.count, first + width)])
      return (values[index] - center).magnitude <= 3 * deviation ? values[index] : center
    }
  }
}
