internal import PropertyTesting
internal import Synchronization
internal import ZoomLaws

/// Tries the laws of a plan, several at a time.
struct VerifyRunner: Sendable {
  let plan: VerifyPlan
  let bar: ProgressBar
  /// Draws what a breach shows under a name and returns the file; nil where there is nothing to draw.
  let draw: @Sendable (LawReport.Breach, String) throws -> String?

  /// Tries them all.
  ///
  /// - Returns: a row for each item, in the plan's order.
  /// - Throws: what drawing throws, and `CancellationError`.
  func run() async throws -> [VerifyReport.LawRow] {
    let jobs = min(plan.jobs, max(1, plan.items.count))
    let queue = VerifyQueue(plan.items)
    let end = plan.seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
    return try await withThrowingTaskGroup(of: [Int: VerifyReport.LawRow].self) { group in
      for _ in 0..<jobs {
        group.addTask { try await work(through: queue, jobs: jobs, until: end) }
      }
      var rows: [Int: VerifyReport.LawRow] = [:]
      for try await part in group { rows.merge(part) { first, _ in first } }
      return plan.items.indices.compactMap { rows[$0] }
    }
  }

  /// Tries one item after the other, until none is left.
  private func work(
    through queue: VerifyQueue, jobs: Int, until end: ContinuousClock.Instant?
  ) async throws -> [Int: VerifyReport.LawRow] {
    var rows: [Int: VerifyReport.LawRow] = [:]
    while let lane = queue.next() {
      for index in lane {
        try Task.checkCancellation()
        let item = plan.items[index]
        let done = queue.done
        bar.update(
          Double(done) / Double(plan.items.count),
          "\(item.trial.law) \(item.trial.subject)")
        let left = end.map { ContinuousClock.now.duration(to: $0) }
        // Most laws need far less than an equal share of what is left, so that a few may take ten.
        let share = left.map { min($0, $0 * (10 * jobs) / max(jobs, plan.items.count - done)) }
        rows[index] = try await row(of: item, index, share: share)
        queue.finishOne()
      }
    }
    return rows
  }

  private func row(
    of item: VerifyPlan.Item, _ index: Int, share: Duration?
  ) async throws -> VerifyReport.LawRow {
    if let share, share <= .zero { return VerifyReport.untried(item) }
    let report = await item.trial.check(plan.settings(of: item, share: share))
    let pictures = try report.breaches.indices.map {
      try draw(report.breaches[$0], "\(item.trial.law)-\(item.trial.subject)-\(index)-\($0 + 1)")
    }
    return VerifyReport.LawRow(report, of: item, pictures: pictures)
  }
}

/// What is left to be tried, shared by all that try.
private final class VerifyQueue: Sendable {
  /// Items that have to be tried one after the other, by their numbers.
  typealias Lane = [Int]

  private let state: Mutex<(lanes: [Lane], done: Int)>

  /// The laws of one source go one after the other.
  ///
  /// It has a state, such as what it keeps, on which
  /// the cost of a read depends. How it bears several readers is a law of its own.
  init(_ items: [VerifyPlan.Item]) {
    let lanes = Dictionary(grouping: items.indices) { index in
      items[index].kind == .pixels ? "source \(items[index].choice)" : "item \(index)"
    }
    // The longest first, so that the end is not one core's wait for a late long one.
    state = Mutex((lanes.values.sorted { ($0.count, $1[0]) < ($1.count, $0[0]) }, 0))
  }

  func next() -> Lane? { state.withLock { $0.lanes.popLast() } }

  func finishOne() { state.withLock { $0.done += 1 } }

  /// How many items are done.
  var done: Int { state.withLock { $0.done } }
}
