/// How the correlation of neighbouring values changes means and variances.
///
/// Each value is ρ times the one before plus something new.
struct Alikeness: Sendable, Hashable {
  private let correlation: Double

  /// Takes the correlation of neighbours, from zero to less than one.
  init(_ correlation: Double) { self.correlation = correlation }

  /// The variance of a mean over that of a mean of independent values: (1 + ρ) / (1 - ρ) for many
  /// values (Box, Jenkins and Reinsel, "Time Series Analysis", 2.1).
  ///
  /// A fitted mean follows its values as closely, so their squares about it add up to as many
  /// variances fewer.
  var inflation: Double { (1 + correlation) / (1 - correlation) }

  /// The degrees of freedom of a variance.
  ///
  /// Squares of such values have the correlation ρ². So a variance of n of them is known as well as
  /// one of n (1 - ρ²) / (1 + ρ²) independent ones (Bayley and Hammersley, "The effective number of
  /// independent observations in an autocorrelated time series", 1946).
  func degreesOfFreedom(of count: Double, fitted: Double) -> Double {
    let square = correlation * correlation
    return count * (1 - square) / (1 + square) - fitted
  }
}
