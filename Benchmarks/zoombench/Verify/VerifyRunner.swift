internal import PropertyTesting
internal import ZoomLaws

/// Tries the laws of a plan, one after the other.
struct VerifyRunner {
  let plan: VerifyPlan
  let bar: ProgressBar
  /// Draws what a breach shows under a name and returns the file; nil where there is nothing to draw.
  let draw: (LawReport.Breach, String) throws -> String?

  /// Tries them all.
  ///
  /// - Returns: a row for each item, in the plan's order.
  /// - Throws: what drawing throws, and `CancellationError`.
  func run() async throws -> [VerifyReport.LawRow] {
    let clock = ContinuousClock()
    let end = plan.seconds.map { clock.now.advanced(by: .seconds($0)) }
    var rows: [VerifyReport.LawRow] = []
    for (index, item) in plan.items.enumerated() {
      try Task.checkCancellation()
      bar.update(
        Double(index) / Double(plan.items.count), "\(item.trial.law) \(item.trial.subject)")
      let left = end.map { clock.now.duration(to: $0) }
      if let left, left <= .zero {
        rows.append(VerifyReport.untried(item))
        continue
      }
      let settings = plan.settings(
        of: item, left: left, itemsLeft: plan.items.count - index)
      let report = await item.trial.check(settings)
      let pictures = try report.breaches.indices.map {
        try draw(report.breaches[$0], "\(item.trial.law)-\(item.trial.subject)-\(index)-\($0 + 1)")
      }
      rows.append(VerifyReport.LawRow(report, of: item, pictures: pictures))
    }
    return rows
  }
}
