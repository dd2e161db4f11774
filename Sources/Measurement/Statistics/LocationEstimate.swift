/// Where the middle of a distribution lies, with an interval that needs no knowledge of its form.
package struct LocationEstimate: Sendable, Hashable {
  /// Two numbers that enclose the true middle.
  package struct Interval: Sendable, Hashable {
    /// The lower end.
    package let lower: Double

    /// The upper end.
    package let upper: Double

    /// The chance that the ends enclose it, at least one minus twice the tail asked for.
    package let coverage: Double
  }

  /// The estimate itself.
  package let center: Double

  /// The interval, or nil if there are too few values for it.
  package let interval: Interval?

  /// About how much the estimate strays, as a standard deviation, if the values are nearly normal.
  package let standardError: Double

  /// The chance of as many values above the bound if the bound were the true middle.
  package let chance: Double

  /// Estimates the median by the middle value and an interval of order statistics.
  ///
  /// The standard error is √(π/2) σ/√n with the robust σ, what the median of n normal numbers has;
  /// the chance is that of the sign test.
  ///
  /// - Parameters:
  ///   - values: Independent values.
  ///   - tail: The chance of a miss allowed on each side, below one half.
  ///   - bound: What `chance` is about; a value equal to it does not count as above.
  package init(medianOf values: SortedSamples, tail: Double, above bound: Double) {
    let count = values.count
    center = values.median
    interval = MedianInterval.narrowest(count: count, tail: tail).map { chosen in
      Interval(
        lower: values.values[chosen.rank - 1], upper: values.values[count - chosen.rank],
        coverage: chosen.coverage)
    }
    standardError =
      Self.medianDeviation * Summary(values).robustDeviation / Double(count).squareRoot()
    chance = BinomialTail.atLeast(values.values.count { $0 > bound }, of: count)
  }

  /// Estimates the centre by Hodges and Lehmann, with the interval of Wilcoxon's signed-rank test.
  ///
  /// The estimate is the median of the averages of all pairs of values, each with itself included
  /// ("Estimates of location based on rank tests", Annals of Mathematical Statistics 34, 1963).
  /// Unlike the median of a dozen values it wastes little: its standard error is √(π/3) σ/√n for
  /// normal numbers, the mean's times 1.02. It takes the distribution to be symmetric.
  ///
  /// - Parameters:
  ///   - values: Independent values.
  ///   - tail: The chance of a miss allowed on each side, below one half.
  ///   - bound: What `chance` is about.
  /// - Throws: `SampleError.notFinite` for values whose averages are not.
  /// - Complexity: O(n³) for n values, which are meant to be dozens.
  package init(
    hodgesLehmannOf values: SortedSamples, tail: Double, above bound: Double
  ) throws(SampleError) {
    let sorted = try Self.averages(of: values.values)
    let distribution = SignedRankDistribution(count: values.count)
    center = sorted.median
    interval = distribution.intervalRank(tail: tail).map { rank in
      Interval(
        lower: sorted.values[rank - 1], upper: sorted.values[sorted.count - rank],
        coverage: 1 - 2 * distribution.atMost(rank - 1))
    }
    standardError =
      (Double.pi / 3).squareRoot() * Summary(values).robustDeviation
      / Double(values.count).squareRoot()
    // The statistic is the number of averages above the bound (Tukey's form of it).
    chance = distribution.atLeast(sorted.values.count { $0 > bound })
  }

  /// Returns the estimate of Hodges and Lehmann alone.
  ///
  /// - Throws: `SampleError.noSamples` or `SampleError.notFinite`.
  package static func hodgesLehmann(of values: [Double]) throws(SampleError) -> Double {
    try averages(of: values).median
  }

  /// The averages of all pairs of values, each with itself included.
  private static func averages(of values: [Double]) throws(SampleError) -> SortedSamples {
    var averages: [Double] = []
    averages.reserveCapacity(values.count * (values.count + 1) / 2)
    for (index, first) in values.enumerated() {
      for second in values[index...] { averages.append((first + second) / 2) }
    }
    return try SortedSamples(averages)
  }

  /// How much wider the median of normal numbers strays than their mean: √(π/2), or 1.2533.
  package static let medianDeviation = (Double.pi / 2).squareRoot()
}
