// The standard library's rounding calls the C library's.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The results of many runs of one task.
package struct ChallengeReport: Sendable {
  /// The results with their counts, the commonest first.
  package let results: [(result: String, count: Int)]
  /// The mean number of runs of the property.
  package let mean: Double
  /// Half the width of the 95 % interval of the mean: 1.96 standard errors, as the sums of 100
  /// runs are near enough to normal.
  package let margin: Double
  /// The greatest number of runs of the property.
  package let greatest: Int
  private let task: ChallengeTask

  /// Sums up runs of a task.
  package init(_ task: ChallengeTask, _ runs: [ChallengeTask.Run]) {
    self.task = task
    results = Dictionary(grouping: runs, by: \.result)
      .map { (result: $0.key, count: $0.value.count) }
      .sorted { ($1.count, $0.result) < ($0.count, $1.result) }
    let costs = runs.map { Double($0.evaluations) }
    let count = Double(max(costs.count, 1))
    let mean = costs.reduce(0, +) / count
    let variance = costs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(count - 1, 1)
    self.mean = mean
    margin = 1.96 * (variance / count).squareRoot()
    greatest = runs.map(\.evaluations).max() ?? 0
  }

  /// A row of the table beside what Hypothesis needed.
  package var row: String {
    let commonest = results.first.map { "\($0.result) (\($0.count))" } ?? "none"
    let interval = "\(short(mean)) (\(short(mean - margin)) to \(short(mean + margin)))"
    let reference = task.reference.map { "\($0.results) · \($0.evaluations)" } ?? "-"
    let ratio = task.reference.map { short(mean / $0.evaluations) } ?? "-"
    return "| \(task.name) | \(results.count) | \(commonest) | \(interval) | \(greatest) "
      + "| \(reference) | \(ratio) |"
  }

  private func short(_ number: Double) -> String {
    "\((number * 10).rounded() / 10)"
  }
}
