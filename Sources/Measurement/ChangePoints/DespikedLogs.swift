internal import RealModule

/// The logarithms of a history without spikes, with prefix sums.
///
/// A step is a factor, and ratios vary by factors; in logarithms both are sums. One launch in thirty may be
/// off by many times the usual scatter, which would hide a step from a t test, or look like one in a short
/// segment. So a value more than six robust standard deviations from the median of its neighbourhood is
/// replaced by that median (Hampel's filter), and a value more than three away is moved to three. Replacing
/// those too would make short ranges seem so steady that random steps are four times as frequent as stated.
/// The neighbourhood is 2k - 1 runs for a shortest level of k, so k runs on a new level are its majority
/// and stay unchanged, while fewer are spikes.
struct DespikedLogs: Sendable {
  /// The logarithms minus their median, without spikes.
  let values: [Double]

  /// The prefix sums of the values, of their squares, and of index times value.
  private var sums = [0.0]
  private var squares = [0.0]
  private var moments = [0.0]

  /// Computes the logarithms of ratios.
  ///
  /// - Throws: `NotARatio` for the first invalid value.
  init(_ ratios: [Double]) throws(NotARatio) {
    // The bounds keep the ratio of two values finite.
    if let index = ratios.firstIndex(where: { !($0 >= 0x1p-900 && $0 <= 0x1p900) }) {
      throw NotARatio(index: index)
    }
    let logs = ratios.map { Double.log($0) }
    // Centred, so that sums of squares lose no digits.
    let center = Self.median(logs[...])
    values = Self.despiked(logs.map { $0 - center }, reach: ChangePoints.shortestLevel - 1)
    for (index, value) in values.enumerated() {
      sums.append(sums[index] + value)
      squares.append(squares[index] + value * value)
      moments.append(moments[index] + Double(index) * value)
    }
  }

  var count: Int { values.count }

  func sum(_ range: Range<Int>) -> Double { sums[range.upperBound] - sums[range.lowerBound] }

  func moment(_ range: Range<Int>) -> Double {
    moments[range.upperBound] - moments[range.lowerBound]
  }

  /// Returns the mean of a range of values, which must not be empty.
  func mean(_ range: Range<Int>) -> Double { sum(range) / Double(range.count) }

  func scatter(_ range: Range<Int>) -> Double {
    let sum = sum(range)
    let square = squares[range.upperBound] - squares[range.lowerBound]
    // Rounding could make the scatter of equal values negative.
    return max(0, square - sum * sum / Double(range.count))
  }

  /// Returns the median of a range of values; zero if it is empty.
  func median(_ range: Range<Int>) -> Double { Self.median(values[range]) }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    if values.isEmpty { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private static func despiked(_ values: [Double], reach: Int) -> [Double] {
    // Differences of neighbours are unaffected by steps and drifts. √2 is the ratio of the deviation of a
    // difference to that of one error, 1.4826 is 1 / Φ⁻¹(3/4).
    let jumps = zip(values, values.dropFirst()).map { ($1 - $0).magnitude }
    let deviation = 1.4826 * median(jumps[...]) / 2.0.squareRoot()
    let width = 2 * reach + 1
    return values.indices.map { index in
      // At the ends, the neighbourhood is shifted rather than shortened, so that its majority stays the same.
      let first = max(0, min(index - reach, values.count - width))
      let center = median(values[first..<min(values.count, first + width)])
      let distance = values[index] - center
      if distance.magnitude > 6 * deviation { return center }
      return center + min(max(distance, -3 * deviation), 3 * deviation)
    }
  }
}
