/// The energy statistic of every split of every part of a window.
///
/// For the parts X of n and Y of m values, Ê = 2·mean|X-Y| - mean|X-X'| - mean|Y-Y'| over all
/// pairs, and Q̂ = n·m / (n + m) · Ê (Matteson and James, "A nonparametric approach for multiple
/// change point analysis of multivariate data", JASA 2014, with exponent 1).
struct EnergyStatistic: Sendable {
  /// A split of a part of a window in two.
  struct Split: Sendable, Hashable {
    /// The values before.
    var before: Range<Int>
    /// The values after; it begins where `before` ends.
    var after: Range<Int>
    /// Q̂, which is about zero where nothing changes.
    var q: Double
  }

  /// The values of the series that the table is of.
  private let window: Range<Int>

  /// The sum of the distances of all pairs of values of i..<j, at row i and column j.
  private let pairs: [Double]

  /// Sums up the distances within a window of a series.
  ///
  /// - Complexity: O(n²) in time and memory for a window of n.
  init(_ values: [Double], window: Range<Int>) {
    self.window = window
    let count = window.count
    let width = count + 1
    var pairs = [Double](repeating: 0, count: width * width)
    for length in stride(from: 2, through: count, by: 1) {
      for i in 0...count - length {
        let cell = i * width + i + length
        let ends = values[window.lowerBound + i + length - 1] - values[window.lowerBound + i]
        // Inner pairs are in both of the shorter parts.
        pairs[cell] =
          pairs[cell - 1] + pairs[cell + width] - pairs[cell + width - 1] + ends.magnitude
      }
    }
    self.pairs = pairs
  }

  /// Returns Q̂ of two neighbouring parts of at least two values each.
  func q(before: Range<Int>, after: Range<Int>) -> Double {
    let offset = window.lowerBound
    return q(before.lowerBound - offset, after.lowerBound - offset, after.upperBound - offset)
  }

  /// Q̂ of i..<j and j..<k, counted from the start of the window.
  private func q(_ i: Int, _ j: Int, _ k: Int) -> Double {
    let width = window.count + 1
    let x = pairs[i * width + j]
    let y = pairs[j * width + k]
    let cross = pairs[i * width + k] - x - y
    let n = Double(j - i)
    let m = Double(k - j)
    let energy = 2 * cross / (n * m) - 2 * x / (n * (n - 1)) - 2 * y / (m * (m - 1))
    return n * m / (n + m) * energy
  }

  /// Returns the split of a part with the greatest Q̂.
  ///
  /// As published, the part before begins at the segment's start and the part after may end before
  /// its end, so that a level that does not last to the end is seen. Here also the other way
  /// round: what is found does not depend on the direction of time.
  ///
  /// - Parameters:
  ///   - segment: A part of the window.
  ///   - minimum: The fewest values a part may have, at least two.
  /// - Returns: Nil if the segment is too short, or no split tells anything apart.
  /// - Complexity: O(n²) for a segment of n.
  func best(in segment: Range<Int>, minimum: Int) -> Split? {
    let offset = window.lowerBound
    let (start, end) = (segment.lowerBound - offset, segment.upperBound - offset)
    var best = (q: 0.0, i: 0, j: 0, k: 0)
    for j in stride(from: start + minimum, through: end - minimum, by: 1) {
      for k in j + minimum...end {
        let q = q(start, j, k)
        if q > best.q { best = (q, start, j, k) }
      }
      for i in stride(from: start + 1, through: j - minimum, by: 1) {
        let q = q(i, j, end)
        if q > best.q { best = (q, i, j, end) }
      }
    }
    guard best.q > 0 else { return nil }
    return Split(
      before: offset + best.i..<offset + best.j, after: offset + best.j..<offset + best.k,
      q: best.q)
  }
}
