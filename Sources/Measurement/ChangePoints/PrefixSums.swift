/// Sums over any run of values in constant time.
struct PrefixSums: Sendable {
  private var sums = [0.0]
  private var squareSums = [0.0]
  private var momentSums = [0.0]

  /// Sums up values, their squares, and their products with their indexes.
  init(_ values: [Double]) {
    for (index, value) in values.enumerated() {
      sums.append(sums[index] + value)
      squareSums.append(squareSums[index] + value * value)
      momentSums.append(momentSums[index] + Double(index) * value)
    }
  }

  /// The sum of the values of a range of indexes.
  func values(_ range: Range<Int>) -> Double { sums[range.upperBound] - sums[range.lowerBound] }

  /// The sum of their squares.
  func squares(_ range: Range<Int>) -> Double {
    squareSums[range.upperBound] - squareSums[range.lowerBound]
  }

  /// The sum of index times value.
  func moments(_ range: Range<Int>) -> Double {
    momentSums[range.upperBound] - momentSums[range.lowerBound]
  }
}
