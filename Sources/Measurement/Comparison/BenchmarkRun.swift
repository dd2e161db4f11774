/// Times several contenders at the same work, round by round, without judging them.
///
/// Each launch starts a fresh worker of each contender, which serves all cases. In a case, every contender
/// does each round once, in an order that is shuffled and balanced over rounds. The seed determines
/// everything except the times, and the number of rounds where it depends on the budget.
///
/// A contender that fails loses only its samples of that case: the others go on, and it is started again for
/// the next case.
package struct BenchmarkRun {
  package struct Case: Sendable, Hashable {
    package var name: String
    /// The names of the case in the contenders' workers; nil for a contender that takes no part.
    package var names: [String?]
    /// The fewest rounds of a launch, whatever the budget, and the most.
    package var rounds: ClosedRange<Int>

    package init(name: String, names: [String?], rounds: ClosedRange<Int>) {
      (self.name, self.names, self.rounds) = (name, names, rounds)
    }
  }

  /// The samples of one contender in one case; the outer arrays have one element for each launch.
  package struct Arm: Sendable, Hashable {
    /// Nanoseconds on the monotonic clock, round by round.
    package var wall: [[UInt64]] = []
    /// Nanoseconds of CPU time, round by round.
    package var cpu: [[UInt64]] = []
    /// The digests of the answers, round by round.
    package var digests: [[String?]] = []
    /// The counts of one run after the first opening, before any sample; so "peak memory" in the first case
    /// is that of a fresh process.
    package var counters: [String: Int] = [:]
    /// The reason that the samples end early, in a clause without a full stop: the worker's own message if
    /// it sent one.
    package var failure: String?
    /// The end of what the worker has written to standard error.
    package var log = ""
  }

  /// The samples of one case.
  package struct Outcome: Sendable, Hashable {
    /// The numbers of the rounds, for each launch.
    package var rounds: [[Int]] = []
    /// The samples of each contender; empty for one that takes no part.
    package var arms: [Arm]
  }

  /// The commands that start the contenders' workers; their labels name them in failures.
  package var contenders: [WorkerCommand]
  package var cases: [Case]
  package var launches: Int
  package var seed: UInt64
  package var start: WorkerGroup.Starter
  /// Called before each sample; returns whether to stop.
  package var isCancelled: () -> Bool
  /// Called before each case of each launch.
  package var report: (_ name: String, _ launch: Int) -> Void

  package init(
    contenders: [WorkerCommand], cases: [Case], launches: Int = 1, seed: UInt64
  ) {
    precondition(cases.allSatisfy { $0.names.count == contenders.count })
    (self.contenders, self.cases) = (contenders, cases)
    (self.launches, self.seed) = (launches, seed)
    start = { (command) throws(WorkerError) in try WorkerProcess(command) }
    isCancelled = { Task.isCancelled }
    report = { _, _ in }
  }

  /// Measures all cases, and always ends all workers; blocks the thread until that is done.
  ///
  /// - Parameter budget: The time for all launches; it counts each launch of a case as a case.
  /// - Returns: The samples of each case. A cancelled run returns all complete rounds.
  package func measure(within budget: inout TimeBudget) -> [Outcome] {
    var outcomes = cases.map { _ in Outcome(arms: contenders.map { _ in Arm() }) }
    for launch in 0..<launches {
      var workers: [Int: Worker] = [:]
      defer { for worker in workers.values { worker.link.close() } }
      for (index, each) in cases.enumerated() {
        if isStopped { return outcomes }
        report(each.name, launch)
        let share = budget.nextCase(rounds: each.rounds)
        measure(each, launch: launch, within: share, by: &workers, into: &outcomes[index])
      }
    }
    return outcomes
  }

  private typealias Worker = (link: any WorkerLink, listing: WorkerListing)

  private var isStopped: Bool { LiveWorkers.isEnding || isCancelled() }

  private func measure(
    _ each: Case, launch: Int, within share: RoundBudget, by workers: inout [Int: Worker],
    into outcome: inout Outcome
  ) {
    let taking = contenders.indices.filter {
      each.names[$0] != nil && outcome.arms[$0].failure == nil
    }
    guard !taking.isEmpty else { return }
    let plan = ShuffledRounds(
      arms: taking.count,
      seed: SeededRandom.derivedSeed(
        from: SeededRandom.derivedSeed(from: seed, label: each.name), stream: UInt64(launch)))
    var members: [Int: WorkerGroup.Member] = [:]
    func fail(_ contender: Int, _ error: WorkerError) {
      // The end of the run, not the contender, causes failures while the run is being ended.
      if !isStopped {
        outcome.arms[contender].failure =
          if case .refused(let text) = error.problem { text } else { "\(error)" }
      }
      members[contender] = nil
      workers[contender] = nil
    }
    outcome.rounds.append([])
    for contender in plan.order(round: 0).map({ taking[$0] }) {
      if isStopped { return }
      do throws(WorkerError) {
        let running = try worker(of: contender, among: &workers)
        let member = try WorkerGroup.Member(
          of: running.link, running.listing, case: each.names[contender] ?? each.name)
        _ = try member.open()
        if launch == 0 { outcome.arms[contender].counters = try member.counters(rounds: 0..<1) }
        outcome.arms[contender].begin()
        members[contender] = member
      } catch {
        fail(contender, error)
      }
    }
    defer {
      for (contender, member) in members { outcome.arms[contender].log = member.link.log }
    }
    var budget = share
    while !members.isEmpty, let round = budget.nextRound() {
      // Each launch has different rounds; round 0 serves for counters only.
      let number = 1 + launch + round * launches
      var samples: [(contender: Int, elapsed: Elapsed, digest: String?)] = []
      for contender in plan.order(round: round).map({ taking[$0] }) {
        guard let member = members[contender] else { continue }
        if isStopped { return }
        do throws(WorkerError) {
          let sample = try member.sample(round: number)
          samples.append((contender, sample.elapsed, sample.digest))
        } catch {
          fail(contender, error)
        }
      }
      // All have failed in this round.
      if samples.isEmpty { return }
      outcome.rounds[outcome.rounds.count - 1].append(number)
      for sample in samples {
        outcome.arms[sample.contender].add(sample.elapsed, sample.digest)
      }
    }
  }

  /// Returns the running worker of a contender, or starts one.
  private func worker(
    of contender: Int, among workers: inout [Int: Worker]
  ) throws(WorkerError) -> Worker {
    if let running = workers[contender] { return running }
    let link = try start(contenders[contender])
    let listing = try link.hello()
    workers[contender] = (link, listing)
    return (link, listing)
  }
}

extension BenchmarkRun.Arm {
  fileprivate mutating func begin() {
    wall.append([])
    cpu.append([])
    digests.append([])
  }

  /// Adds a sample to the last launch.
  fileprivate mutating func add(_ elapsed: Elapsed, _ digest: String?) {
    wall[wall.count - 1].append(elapsed.wallNanoseconds)
    cpu[cpu.count - 1].append(elapsed.cpuNanoseconds)
    digests[digests.count - 1].append(digest)
  }
}
