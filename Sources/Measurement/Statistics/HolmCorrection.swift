/// The correction for judging many cases at once, which needs no independence between them.
package enum HolmCorrection {
  /// Returns which hypotheses are rejected so that any false rejection at all is rare.
  ///
  /// The least chance of m is held against errorRate / m, the next against errorRate / (m - 1), and
  /// so on; the first that fails saves all the rest (Holm, "A simple sequentially rejective multiple
  /// test procedure", Scandinavian Journal of Statistics 6, 1979).
  ///
  /// - Parameters:
  ///   - chances: The p-values, in any order; one that is NaN is never rejected and still counts.
  ///   - errorRate: The chance allowed of rejecting one or more true hypotheses.
  /// - Returns: For each chance, whether its hypothesis is rejected.
  package static func rejected(_ chances: [Double], errorRate: Double) -> [Bool] {
    var rejected = [Bool](repeating: false, count: chances.count)
    let order = chances.indices.filter { !chances[$0].isNaN }.sorted { chances[$0] < chances[$1] }
    for (step, index) in order.enumerated() {
      guard chances[index] <= errorRate / Double(chances.count - step) else { break }
      rejected[index] = true
    }
    return rejected
  }
}
