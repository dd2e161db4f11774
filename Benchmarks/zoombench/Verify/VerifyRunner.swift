internal import IIIFRules
internal import PropertyTesting
internal import Synchronization
internal import ZoomLaws

/// What `zoombench verify` is going to try.
struct VerifyPlan: Sendable {
  /// A law to be held against a subject, and how to ask for just that again.
  struct Item: Sendable {
    let trial: LawTrial
    let kind: Domain
    /// The system or source.
    let choice: String
    /// The options and files that choose the subject: `--systems peek --original`.
    let selection: [String]
    /// How many cases.
    let cases: Int
    /// Gives the memory back that the subject takes until it is tried again.
    var release: (@Sendable () -> Void)?

    /// How many blocks of cases it is cut into, each of which may be tried anywhere.
    ///
    /// What a block comes to depends on the seed and its number alone. Laws of pixels have fewer cases.
    var blocks: Int {
      kind == .geometry ? (cases + VerifyPlan.blockCases - 1) / VerifyPlan.blockCases : 1
    }
  }

  /// The cases of a block: some seconds of the cheapest laws.
  static let blockCases = 65_536

  /// What a law speaks of.
  enum Domain: String, Sendable, Codable {
    case geometry, pixels, server
  }

  /// A billion cases of every law would take weeks.
  static let mostCases = 1_000_000_000
  /// All laws together take less than a minute so on two cores.
  static let standardCases = 300

  /// How many cases a law is given: fewer where one costs more, and 10 at least.
  static func cases(of trial: LawTrial, asked: Int) -> Int {
    max(min(asked, 10), asked / trial.caseCost)
  }

  let items: [Item]
  /// The servers whose rules are tried.
  var servers: [ServerTrial] = []
  /// The only request that is sent to them; nil for all.
  var request: IIIFRequest?
  let seed: UInt64
  /// All of it may take so long; nil to try every case.
  let seconds: Double?
  /// When that time is over, where it began before the plan was made.
  var end: ContinuousClock.Instant?
  /// How many laws are tried at a time.
  let jobs: Int
  /// Repeats these cases alone.
  let replay: ReplayToken?

  /// The settings of one item or one of its blocks, which may take a share of the time budget.
  func settings(
    of item: Item, block: Int? = nil, share: Duration?, until end: ContinuousClock.Instant? = nil
  ) -> PropertySettings {
    var settings = PropertySettings(cases: item.cases, seed: seed)
    settings.timeBudget = share
    settings.end = end
    if seconds == nil {
      // What a run without a time limit comes to is to depend on no clock: an hour is for what never ends.
      settings.shrinkTime = .seconds(3600)
      settings.suppressing = [.tooSlow]
    }
    // A slow program takes long to be asked hundreds of times, and other laws are to be tried, too.
    if let seconds { settings.shrinkTime = .seconds(min(300, max(5, seconds / 5))) }
    // Where there are fewer laws than cores, each is tried by several.
    settings.parallelism = item.kind == .pixels ? 1 : max(1, jobs / max(1, items.count))
    if let block, item.blocks > 1 {
      settings.firstCase = block * Self.blockCases
      settings.cases = min(Self.blockCases, item.cases - settings.firstCase)
      // Whether classes have their shares is decided on the sums.
      settings.classCases = settings.cases
      if block > 0 { settings.phases.remove(.explicit) }
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
  /// Draws what a breach shows under a name and returns the file; nil where there is nothing to draw.
  let draw: @Sendable (LawReport.Breach, String) throws -> String?

  /// A row, and whether more time could have decided it.
  private struct Tried: Sendable {
    let row: VerifyReport.LawRow
    let isStoppedByTime: Bool
  }

  /// Tries them all, and with the time that is left those again that it stopped.
  ///
  /// - Returns: a row for each item, in the plan's order.
  /// - Throws: what drawing throws, and `CancellationError`.
  func run() async throws -> [VerifyReport.LawRow] {
    let end = plan.end ?? plan.seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
    var rows = try await rows(of: Array(plan.items.indices), until: end)
    let stopped = plan.items.indices.filter { rows[$0]?.isStoppedByTime == true }
    // A second is too short to decide anything.
    if let end, ContinuousClock.now.duration(to: end) > .seconds(1), !stopped.isEmpty {
      rows.merge(try await self.rows(of: stopped, until: end)) { first, second in
        Self.saysMore(second.row, than: first.row) ? second : first
      }
    }
    return plan.items.indices.compactMap { rows[$0]?.row }
  }

  /// Whether a second try at a law that was undecided says more than the first.
  static func saysMore(_ second: VerifyReport.LawRow, than first: VerifyReport.LawRow) -> Bool {
    second.verdict != .undecided || second.cases > first.cases
  }

  /// Tries some items, by their numbers.
  private func rows(
    of items: [Int], until end: ContinuousClock.Instant?
  ) async throws -> [Int: Tried] {
    let jobs = min(plan.jobs, max(1, items.count))
    let queue = VerifyQueue(items, of: plan)
    return try await withThrowingTaskGroup(of: [Int: Tried].self) { group in
      for _ in 0..<jobs {
        group.addTask { try await work(through: queue, jobs: jobs, until: end) }
      }
      var rows: [Int: Tried] = [:]
      for try await part in group { rows.merge(part) { $1 } }
      return rows
    }
  }

  /// Tries one item after the other, until none is left.
  private func work(
    through queue: VerifyQueue, jobs: Int, until end: ContinuousClock.Instant?
  ) async throws -> [Int: Tried] {
    var rows: [Int: Tried] = [:]
    while let lane = queue.next() {
      for index in lane {
        try Task.checkCancellation()
        let item = plan.items[index]
        let done = queue.done
        let left = end.map { ContinuousClock.now.duration(to: $0) }
        // Of time where it is limited: the second pass would otherwise begin at nothing again.
        let fraction =
          plan.seconds.flatMap { seconds in left.map { 1 - $0 / .seconds(seconds) } }
          ?? Double(done) / Double(queue.count)
        bar.update(fraction, "\(item.trial.law) \(item.trial.subject)")
        // Each item gets an equal share of what all cores have left.
        let share = left.map { $0 * jobs / max(jobs, queue.count - done) }
        rows[index] = try await row(of: item, index, share: share, until: end)
        queue.finishOne()
        // The next law of the same picture still needs it.
        if lane.last == index || plan.items[index + 1].selection != item.selection {
          item.release?()
        }
      }
    }
    return rows
  }

  private func row(
    of item: VerifyPlan.Item, _ index: Int, share: Duration?, until end: ContinuousClock.Instant?
  ) async throws -> Tried {
    if let share, share <= .zero {
      return Tried(row: VerifyReport.untried(item), isStoppedByTime: true)
    }
    func cell(_ block: Int?) async throws -> LawCell {
      let report = await item.trial.check(
        plan.settings(of: item, block: block, share: share, until: end))
      let pictures = try report.breaches.indices.map {
        try draw(report.breaches[$0], "\(item.trial.law)-\(item.trial.subject)-\(index)-\($0 + 1)")
      }
      return LawCell(
        report, VerifyReport.LawRow(report, of: item, pictures: pictures), block: block ?? 0)
    }
    // A time limit cuts off anywhere, and a case is tried again by itself.
    guard share == nil, plan.replay == nil, item.blocks > 1 else {
      var row = try await cell(nil).row
      if row.verdict == .undecided, row.cases == 0, end.map({ .now >= $0 }) ?? false {
        row.reason = VerifyReport.noTimeLeft
      }
      return Tried(
        row: row,
        isStoppedByTime: row.verdict == .undecided
          && share.map { row.seconds >= $0 / .seconds(1) } ?? false)
    }
    var cells: [LawCell] = []
    for block in 0..<item.blocks { cells.append(try await cell(block)) }
    return Tried(row: try LawCell.merged(cells), isStoppedByTime: false)
  }
}

/// What is left to be tried, shared by all that try.
private final class VerifyQueue: Sendable {
  /// Items that have to be tried one after the other, by their numbers.
  typealias Lane = [Int]

  /// How many items there are.
  let count: Int
  private let state: Mutex<(lanes: [Lane], done: Int)>

  /// The laws of one source go one after the other.
  ///
  /// A source has a state, such as what it keeps, on which the cost of a read depends. Concurrent reads
  /// have their own law.
  init(_ items: [Int], of plan: VerifyPlan) {
    count = items.count
    let lanes = Dictionary(grouping: items) { index in
      let item = plan.items[index]
      return item.kind == .pixels ? "source \(item.choice)" : "item \(index)"
    }
    // The longest first, so that the end is not one core's wait for a late long one.
    state = Mutex((lanes.values.sorted { ($0.count, $1[0]) < ($1.count, $0[0]) }, 0))
  }

  func next() -> Lane? { state.withLock { $0.lanes.popLast() } }

  func finishOne() { state.withLock { $0.done += 1 } }

  /// How many items are done.
  var done: Int { state.withLock { $0.done } }
}
