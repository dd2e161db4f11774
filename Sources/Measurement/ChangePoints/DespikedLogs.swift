internal import RealModule

/// The logarithms of a history, cleared of spikes, with what sums over runs of it need.
///
/// A step is a factor, and ratios scatter by factors; on logarithms both are sums. One launch in
/// thirty may be off by many times the usual scatter: that would hide a step from a t test and
/// pass for one in a short segment. So each value more than six robust standard deviations off the
/// median of its neighbourhood is replaced by that median (Hampel's filter), and one more than three
/// off is moved to three. To replace those, too, makes few runs seem so steady that steps of chance
/// are four times as frequent as stated. The neighbourhood is 2k - 1 runs for a shortest level of k,
/// so k runs on a new level are its majority and stay what they are, while fewer are spikes.
struct DespikedLogs: Sendable {
  /// The logarithms less their median, without spikes.
  let values: [Double]

  /// The sums of the first values, of their squares, and of index times value.
  private var sums = [0.0]
  private var squares = [0.0]
  private var moments = [0.0]

  /// Takes the logarithms of ratios.
  ///
  /// - Throws: `NotARatio` for the first bad value.
  init(_ ratios: [Double]) throws(NotARatio) {
    // The bounds keep ratios of two such values finite.
    if let index = ratios.firstIndex(where: { !($0 >= 0x1p-900 && $0 <= 0x1p900) }) {
      throw NotARatio(index: index)
    }
    let logs = ratios.map { Double.log($0) }
    // Near zero, sums of squares lose no digits to the size of the values.
    let center = Self.median(logs[...])
    values = Self.despiked(logs.map { $0 - center }, reach: ChangePoints.shortestLevel - 1)
    for (index, value) in values.enumerated() {
      sums.append(sums[index] + value)
      squares.append(squares[index] + value * value)
      moments.append(moments[index] + Double(index) * value)
    }
  }

  /// The number of runs.
  var count: Int { values.count }

  /// The sum of a run of values.
  func sum(_ range: Range<Int>) -> Double { sums[range.upperBound] - sums[range.lowerBound] }

  /// The sum of index times value.
  func moment(_ range: Range<Int>) -> Double {
    moments[range.upperBound] - moments[range.lowerBound]
  }

  /// The arithmetic mean of a run of values, which is not empty.
  func mean(_ range: Range<Int>) -> Double { sum(range) / Double(range.count) }

  /// The sum of the squared distances from the mean.
  func scatter(_ range: Range<Int>) -> Double {
    let sum = sum(range)
    let square = squares[range.upperBound] - squares[range.lowerBound]
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
      let distance = values[index] - center
      if distance.magnitude > 6 * deviation { return center }
      return center + min(max(distance, -3 * deviation), 3 * deviation)
    }
  }
}
