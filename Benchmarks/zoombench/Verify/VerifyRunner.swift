internal import IIIFRules
internal import PropertyTesting
internal import Synchronization
internal import ZoomLaws
internal import ZoomViewers

struct VerifyPlan: Sendable {
  /// A law to try on a subject, with the options that select it again.
  struct Item: Sendable {
    let trial: LawTrial
    let kind: Domain
    let choice: String
    /// The options and files that select the subject: `--systems peek --original`.
    let selection: [String]
    let cases: Int
    /// Releases the subject's memory until it is tried again.
    var release: (@Sendable () -> Void)?
    /// The web viewer, if the subject is one.
    var viewer: ViewerTrial?
  }

  /// The domain of a law.
  enum Domain: String, Sendable, Codable {
    case geometry, pixels, server, viewer
  }

  /// The most cases; a billion for every law would take weeks.
  static let mostCases = 1_000_000_000
  /// The standard number of cases, so that all laws take less than a minute on two cores.
  static let standardCases = 300
  /// The standard number and seconds for web viewers: 20 cases of each of 41 laws.
  static let (viewerCases, viewerSeconds) = (600, 600.0)
  /// The most laws tried at a time with viewers: each has a browser of up to 300 MB, whose deadlines are in real time,
  /// so that on a busier machine sound pages would miss them.
  private static let mostBrowsers = 4

  /// Returns the number of cases for a law: fewer if a case costs more, but at least 10.
  static func cases(of trial: LawTrial, asked: Int) -> Int {
    max(min(asked, 10), asked / trial.caseCost)
  }

  let items: [Item]
  var servers: [ServerTrial] = []
  /// The only request to send to them; nil for all.
  var request: IIIFRequest?
  let seed: UInt64
  /// The time for the whole run; nil to try every case.
  let seconds: Double?
  /// The end of that time, if it began before the plan was made.
  var end: ContinuousClock.Instant?
  /// The number of laws to try at a time.
  let jobs: Int
  /// The only cases to repeat.
  let replay: ReplayToken?

  var hasViewers: Bool { items.contains { $0.viewer != nil } }
  /// The number of laws tried at a time.
  var usedJobs: Int { hasViewers ? min(jobs, Self.mostBrowsers) : jobs }

  /// Returns the settings of an item, which may use a share of the time budget.
  func settings(
    of item: Item, share: Duration?, until end: ContinuousClock.Instant? = nil
  ) -> PropertySettings {
    var settings = PropertySettings(cases: item.cases, seed: seed)
    settings.timeBudget = share
    settings.end = end
    if seconds == nil {
      // Without a time limit, results must not depend on the clock; an hour stops endless shrinking.
      settings.shrinkTime = .seconds(3600)
      settings.suppressing = [.tooSlow]
    }
    // Hundreds of requests to a slow program take long, and other laws need time too.
    if let seconds { settings.shrinkTime = .seconds(min(300, max(5, seconds / 5))) }
    // With fewer laws than cores, several cores work on each law.
    settings.parallelism = item.kind == .geometry ? max(1, jobs / max(1, items.count)) : 1
    if item.viewer != nil {
      // The browser has its own deadlines, and an abandoned case would keep it.
      settings.caseTimeLimit = nil
      // Equal cases are not played again; breaches are repeated in new browser contexts.
      settings.flakiness.replays = 0
      settings.phases.remove(.explain)
      settings.classCases = 3 * item.cases
      // A case takes seconds, so that an hour of shrinking would be the rule.
      settings.decidesEarly = true
      settings.shrinkTime = min(settings.shrinkTime, .seconds(120))
      settings.suppressing = [.tooSlow]
    }
    if let replay {
      settings.reproducing = [replay]
      settings.phases = [.reuse]
    }
    return settings
  }
}

/// Tries the laws of a plan, several at a time.
struct VerifyRunner: Sendable {
  let plan: VerifyPlan
  let bar: ProgressBar
  /// Draws a breach of an item under a name and returns the file; nil if there is nothing to draw.
  let draw: @Sendable (LawReport.Breach, VerifyPlan.Item, String) throws -> String?

  /// A row, whether it is undecided because its time ran out, and breaches of a viewer that are still to be shrunk.
  private struct Tried {
    var row: VerifyReport.LawRow
    var isStoppedByTime = false
    var found: [ReplayToken] = []
  }

  /// The share of the time after which breaches of viewers are shrunk: a case takes seconds, so that otherwise a few
  /// broken laws would leave no time for the others.
  private static let searching = 0.65

  /// The fewest cases by which a law of a viewer holds, as many as decide on its classes: with a chance of 94 %, ten
  /// find a fault that one case in four shows.
  private static let fewestCases = 10

  /// Tries all items, then uses the remaining time for those that the time limit stopped, and to shrink.
  ///
  /// - Returns: one row per item, in the plan's order.
  /// - Throws: errors of drawing, and `CancellationError`.
  func run() async throws -> [VerifyReport.LawRow] {
    let end = plan.end ?? plan.seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
    let middle = end.map { end in
      plan.hasViewers ? .now + ContinuousClock.now.duration(to: end) * Self.searching : end
    }
    var rows = try await rows(of: Array(plan.items.indices), until: middle)
    // A second is too short for a decision.
    let hasTime = end.map { ContinuousClock.now.duration(to: $0) > .seconds(1) } ?? false
    let rest = plan.items.indices.filter { index in
      rows[index].map { !$0.found.isEmpty || hasTime && $0.isStoppedByTime } ?? false
    }
    rows.merge(try await self.rows(of: rest, until: end, after: rows)) { first, second in
      first.found.isEmpty && !Self.saysMore(second.row, than: first.row) ? first : second
    }
    return plan.items.indices.compactMap { rows[$0]?.row }
  }

  /// Whether a second try at an undecided law gives more information than the first.
  static func saysMore(_ second: VerifyReport.LawRow, than first: VerifyReport.LawRow) -> Bool {
    second.verdict != .undecided || second.cases > first.cases
  }

  /// Tries items; those that have been tried before, again.
  private func rows(
    of items: [Int], until end: ContinuousClock.Instant?, after before: [Int: Tried] = [:]
  ) async throws -> [Int: Tried] {
    let jobs = min(plan.usedJobs, max(1, items.count))
    let queue = VerifyQueue(items, of: plan)
    return try await withThrowingTaskGroup(of: [Int: Tried].self) { group in
      for _ in 0..<jobs {
        group.addTask {
          try await work(through: queue, jobs: jobs, until: end, after: before)
        }
      }
      var rows: [Int: Tried] = [:]
      for try await part in group { rows.merge(part) { $1 } }
      return rows
    }
  }

  /// Tries one item after the other, until the queue is empty.
  private func work(
    through queue: VerifyQueue, jobs: Int, until end: ContinuousClock.Instant?,
    after before: [Int: Tried]
  ) async throws -> [Int: Tried] {
    var rows: [Int: Tried] = [:]
    while let lane = queue.next() {
      for (place, index) in lane.enumerated() {
        try Task.checkCancellation()
        let item = plan.items[index]
        let done = queue.done
        let left = end.map { ContinuousClock.now.duration(to: $0) }
        // With a limit, the time's share: the count of items restarts in the second pass.
        let fraction =
          plan.seconds.flatMap { seconds in left.map { 1 - $0 / .seconds(seconds) } }
          ?? Double(done) / Double(queue.count)
        bar.update(fraction, "\(item.trial.law) \(item.trial.subject)")
        let share = left.map {
          Self.share(of: $0, jobs: jobs, items: queue.count - done, inLane: lane.count - place)
        }
        let tried = try await row(of: item, index, share: share, until: end, after: before[index])
        rows[index] = tried
        // A run with a viewer takes ten minutes, and its first verdicts are wanted at once.
        if item.viewer != nil {
          let verdict = tried.found.isEmpty ? "\(tried.row.verdict)" : "broken, to be repeated"
          bar.announce("\(item.trial.law) \(verdict)")
        }
        queue.finishOne()
        // The next law of the same picture still needs the memory.
        if lane.first(where: { $0 > index }).map({ plan.items[$0].selection }) != item.selection {
          item.release?()
        }
      }
    }
    return rows
  }

  /// Returns an item's equal share of the remaining time of all cores, or of its lane if that is less.
  static func share(of left: Duration, jobs: Int, items: Int, inLane: Int) -> Duration {
    min(left * jobs / max(jobs, items), left / inLane)
  }

  private func row(
    of item: VerifyPlan.Item, _ index: Int, share: Duration?, until end: ContinuousClock.Instant?,
    after before: Tried?
  ) async throws -> Tried {
    let known = before?.found ?? []
    if let share, share <= .zero, known.isEmpty {
      return Tried(row: VerifyReport.untried(item), isStoppedByTime: true)
    }
    // A known breach is repeated even after the time.
    var settings = plan.settings(of: item, share: share.map { max($0, .seconds(1)) }, until: end)
    let onlySearches = item.viewer != nil && end != nil && before == nil && plan.replay == nil
    if onlySearches { settings.phases.remove(.shrink) }
    if let share, !known.isEmpty {
      (settings.reproducing, settings.phases) = (known, [.reuse, .shrink])
      settings.shrinkTime = max(.seconds(5), share / known.count)
    }
    let report = await item.trial.check(settings)
    let found = report.breaches.indices
    let tokens = report.breaches.compactMap(\.token)
    if onlySearches, !tokens.isEmpty, tokens.count == found.count {
      let row = VerifyReport.LawRow(report, of: item, pictures: found.map { _ in nil })
      return Tried(row: row, found: tokens)
    }
    let confirmed = await item.viewer?.confirmed(report, settings) ?? Array(found)
    let pictures = try found.map { place -> String? in
      guard confirmed.contains(place) else { return nil }
      let name = "\(item.trial.law)-\(item.trial.subject)-\(index)-\(place + 1)"
      return try draw(report.breaches[place], item, name)
    }
    var row = VerifyReport.LawRow(report, of: item, pictures: pictures)
    if !confirmed.isEmpty {
      row.breaches = confirmed.map { row.breaches[$0] }
    } else if row.verdict == .broken || !known.isEmpty {
      (row.verdict, row.reason) = (
        .undecided,
        report.breaches.lazy.compactMap { ($0.error as? ViewerFailure)?.ofMachine }.first
          ?? "no breach occurs in each new browser context"
      )
    }
    if item.viewer != nil, plan.replay == nil, row.verdict == .held, !row.isExhaustive,
      row.cases < min(Self.fewestCases, item.cases)
    {
      (row.verdict, row.reason) = (.undecided, "more cases are needed, but the time ran out")
    }
    if row.verdict == .undecided, row.cases == 0, end.map({ .now >= $0 }) ?? false {
      row.reason = VerifyReport.noTimeLeft
    }
    let isStoppedByTime =
      row.verdict == .undecided && share.map { row.seconds >= $0 / .seconds(1) } ?? false
    if let first = before?.row, !known.isEmpty {
      (row.cases, row.discards, row.classes) = (first.cases, first.discards, first.classes)
      row.seconds += first.seconds
    }
    return Tried(row: row, isStoppedByTime: isStoppedByTime)
  }
}

/// The remaining items, shared by all tasks.
private final class VerifyQueue: Sendable {
  /// The indices of items that must be tried one after the other.
  typealias Lane = [Int]

  let count: Int
  private let state: Mutex<(lanes: [Lane], done: Int)>

  /// Creates a queue in which the laws of one source run one after the other.
  ///
  /// A source has a state, such as its cache, that affects the cost of reads. Concurrent reads have a
  /// separate law. A viewer is played in a browser for each law in progress.
  init(_ items: [Int], of plan: VerifyPlan) {
    count = items.count
    let lanes = Dictionary(grouping: items) { index in
      let item = plan.items[index]
      let isFree = item.kind == .geometry || item.viewer != nil
      return isFree ? "item \(index)" : "\(item.kind) \(item.choice)"
    }
    // The longest is taken first, so that no core is left alone with a long lane at the end.
    state = Mutex((lanes.values.sorted { ($0.count, $1[0]) < ($1.count, $0[0]) }, 0))
  }

  func next() -> Lane? { state.withLock { $0.lanes.popLast() } }

  func finishOne() { state.withLock { $0.done += 1 } }

  var done: Int { state.withLock { $0.done } }
}
