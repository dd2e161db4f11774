extension ComparisonRun {
  struct LaunchRecord {
    var launch: PairedLaunch
    var digests: [(round: Int, base: String?, candidate: String?)]
    var baseCounters: [String: Int]
    var candidateCounters: [String: Int]
  }

  /// Measures one launch: a fresh worker of each build, warmed up and sampled in turn.
  ///
  /// Its number within the case, including confirming ones, determines the rounds and the order.
  ///
  /// - Throws: `ComparisonRunError`; both workers have then been ended.
  func launch(
    _ plan: ComparisonRunCase.Plan, number: Int, began: UInt64
  ) throws(ComparisonRunError) -> LaunchRecord {
    var random = SeededRandom(
      seed: SeededRandom.derivedSeed(from: seed, label: plan.name), stream: UInt64(number))
    let pairs = settings.pairsPerLaunch
    let candidateFirst = Self.balancedOrder(pairs: pairs, &random)
    let startingOrder = Self.order(candidateFirst: random.index(below: 2) == 1)
    let core = cores.isEmpty ? nil : cores[random.index(below: cores.count)]
    let commands = try plan.layouts.commands(
      plan.base, plan.candidate, number: number, &random)
    let started = clock().saturatingSubtract(began)
    let group = try asking(plan.name) { () throws(WorkerError) in
      try WorkerGroup(
        case: plan.workerCase,
        [
          (commands.base.kept(on: core), 0),
          (commands.candidate.kept(on: core), plan.candidateExtra),
        ], order: startingOrder, start: start)
    }
    defer { group.close() }
    let first = try asking(plan.name) { () throws(WorkerError) in
      try group.each(in: startingOrder) { (member) throws(WorkerError) in try member.open() }
    }
    let firstRound = firstRound(ofLaunch: number)
    var taken: [(round: Int, samples: [Sample], candidateRanFirst: Bool)] = []
    func take(until count: Int) throws(ComparisonRunError) {
      while taken.count < count {
        try checkCancellation()
        // The order repeats every `pairs` pairs, so the candidate ran first in half of the kept ones, however
        // many are dropped.
        let candidateIsFirst = candidateFirst[taken.count % pairs]
        let round = firstRound + taken.count
        let samples = try asking(plan.name) { () throws(WorkerError) in
          try group.each(in: Self.order(candidateFirst: candidateIsFirst)) {
            (member) throws(WorkerError) in
            try member.sample(round: round, repeats: plan.repeats)
          }
        }
        taken.append((round, samples, candidateIsFirst))
      }
    }
    func warmUp(of index: Int) -> Int {
      WarmUp.samplesToDrop(taken.map { $0.samples[index].elapsed.cpuNanoseconds })
    }
    try take(until: pairs)
    // Each of the builds may need a warm-up.
    let dropped = max(warmUp(of: 0), warmUp(of: 1))
    try take(until: pairs + dropped)
    let counters = try asking(plan.name) { () throws(WorkerError) in
      try group.each(in: [0, 1]) { (member) throws(WorkerError) in
        try member.counters(rounds: CounterRanges.rounds)
      }
    }
    let kept = taken.dropFirst(dropped)
    func arm(_ index: Int) -> PairedLaunch.Arm {
      PairedLaunch.Arm(
        first: first[index],
        wallNanoseconds: kept.map { $0.samples[index].elapsed.wallNanoseconds },
        cpuNanoseconds: kept.map { $0.samples[index].elapsed.cpuNanoseconds })
    }
    return LaunchRecord(
      launch: PairedLaunch(
        startNanoseconds: started, repeats: plan.repeats, warmUpPairs: dropped,
        layout: commands.layout, base: arm(0), candidate: arm(1),
        candidateRanFirst: kept.map(\.candidateRanFirst)),
      digests: taken.map { ($0.round, $0.samples[0].digest, $0.samples[1].digest) },
      baseCounters: counters[0], candidateCounters: counters[1])
  }

  private typealias Sample = (elapsed: Elapsed, digest: String?)

  /// Returns the order of the members of a group: the base is member 0, the candidate member 1.
  static func order(candidateFirst: Bool) -> [Int] { candidateFirst ? [1, 0] : [0, 1] }

  /// Runs a body that uses workers, and adds the case's name to its errors.
  func asking<Answer>(
    _ name: String?, _ body: () throws(WorkerError) -> Answer
  ) throws(ComparisonRunError) -> Answer {
    do { return try body() } catch { throw isStopped ? .cancelled : .worker(error, case: name) }
  }

  /// Returns the first round of a launch; rounds differ from those of other launches and of counting.
  private func firstRound(ofLaunch number: Int) -> Int {
    CounterRanges.rounds.upperBound + number * (settings.pairsPerLaunch + WarmUp.most)
  }

  /// Returns a random order in which the candidate is first in half of the pairs.
  ///
  /// If the number of pairs is odd, the build that is first once more is random.
  static func balancedOrder(pairs: Int, _ random: inout SeededRandom) -> [Bool] {
    let half = pairs / 2 + (pairs.isMultiple(of: 2) ? 0 : random.index(below: 2))
    return random.permutation(of: pairs).map { $0 < half }
  }
}

extension WorkerCommand {
  fileprivate func kept(on core: Int?) -> WorkerCommand {
    var result = self
    result.core = core
    return result
  }
}

/// The warm-up of a fresh process, until its times are steady.
package enum WarmUp {
  /// The most samples dropped, steady or not: more would hide a build that warms up slowly.
  package static let most = 10

  /// The number of samples that are compared with as many after them.
  package static let window = 5

  /// The greatest difference of two equal medians, as a fraction of the lesser.
  package static let tolerance = 0.05

  /// Returns the number of first samples to drop.
  ///
  /// It is the least number after which the medians of the next five samples and of the five after them
  /// differ by at most 5 %. Native code is already compiled, so only caches and lazy initialisation slow
  /// down its first samples, and those are few. A slow start at a constant level for eight samples or more
  /// is not detected.
  ///
  /// - Returns: From zero to `most`. If the samples are never seen to settle, the largest number that could
  ///   be tried; zero for fewer than ten samples.
  package static func samplesToDrop(_ nanoseconds: [UInt64]) -> Int {
    let last = min(most, nanoseconds.count - 2 * window)
    guard last >= 0 else { return 0 }
    return (0...last).first { isSteady(nanoseconds[$0..<($0 + 2 * window)]) } ?? last
  }

  private static func isSteady(_ samples: ArraySlice<UInt64>) -> Bool {
    let before = Double(samples.prefix(window).sorted()[window / 2])
    let after = Double(samples.suffix(window).sorted()[window / 2])
    return max(before, after) <= min(before, after) * (1 + tolerance)
  }
}
