extension ComparisonRun {
  struct LaunchRecord {
    var launch: PairedLaunch
    /// The digests of each pair's answers.
    var digests: [(round: Int, base: String?, candidate: String?)]
    var baseCounters: [String: Int]
    var candidateCounters: [String: Int]
  }

  /// Measures one launch: a fresh pair of workers, warmed up and sampled in turn.
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
    let startsCandidateFirst = random.index(below: 2) == 1
    let core = cores.isEmpty ? nil : cores[random.index(below: cores.count)]
    let commands = try plan.layouts.commands(
      plan.base, plan.candidate, number: number, &random)
    let started = clock().saturatingSubtract(began)
    let pair = try asking(plan.name) { () throws(WorkerError) in
      try WorkerPair(
        case: plan.workerCase, base: commands.base.kept(on: core),
        candidate: commands.candidate.kept(on: core),
        candidateExtra: plan.candidateExtra, candidateFirst: startsCandidateFirst, start: start)
    }
    defer { pair.close() }
    let first = try asking(plan.name) { () throws(WorkerError) in
      try pair.open(candidateFirst: startsCandidateFirst)
    }
    var samples = PairSamples(
      pair: pair, repeats: plan.repeats, firstRound: firstRound(ofLaunch: number))
    func take(until count: Int) throws(ComparisonRunError) {
      while samples.count < count {
        try checkCancellation()
        // The order is cyclic, so that in any kept pairs of a launch's number, the candidate ran first in
        // half of them.
        let candidateIsNext = candidateFirst[samples.count % pairs]
        try asking(plan.name) { () throws(WorkerError) in
          try samples.take(candidateFirst: candidateIsNext)
        }
      }
    }
    try take(until: pairs)
    let dropped = min(
      Self.longestWarmUp,
      max(
        WarmUp.samplesToDrop(samples.base.map(\.cpuNanoseconds)),
        WarmUp.samplesToDrop(samples.candidate.map(\.cpuNanoseconds))))
    try take(until: pairs + dropped)
    let counters = try asking(plan.name) { () throws(WorkerError) in
      (base: try pair.base.counters(), candidate: try pair.candidate.counters())
    }
    return LaunchRecord(
      launch: samples.launch(
        startNanoseconds: started, dropping: dropped, layout: commands.layout, first: first),
      digests: samples.digests, baseCounters: counters.base,
      candidateCounters: counters.candidate)
  }

  /// Runs a body that uses workers, and adds the case's name to its errors.
  func asking<Answer>(
    _ name: String?, _ body: () throws(WorkerError) -> Answer
  ) throws(ComparisonRunError) -> Answer {
    do { return try body() } catch { throw isStopped ? .cancelled : .worker(error, case: name) }
  }

  /// The most pairs dropped as warm-up; a case that is still not steady is measured as it is.
  static let longestWarmUp = 10

  /// Returns the first round of a launch; rounds differ from those of other launches and of counting.
  private func firstRound(ofLaunch number: Int) -> Int {
    CounterRanges.rounds.upperBound + number * (settings.pairsPerLaunch + Self.longestWarmUp)
  }

  /// Returns a random order in which the candidate is first in half of the pairs.
  ///
  /// If the number of pairs is odd, the build that is first once more is random.
  static func balancedOrder(pairs: Int, _ random: inout SeededRandom) -> [Bool] {
    let half = pairs / 2 + (pairs.isMultiple(of: 2) ? 0 : random.index(below: 2))
    return random.permutation(of: pairs).map { $0 < half }
  }
}

/// The samples of a launch during its measurement.
private struct PairSamples {
  let pair: WorkerPair
  let repeats: Int
  let firstRound: Int
  var base: [Elapsed] = []
  var candidate: [Elapsed] = []
  var candidateRanFirst: [Bool] = []
  var digests: [(round: Int, base: String?, candidate: String?)] = []

  init(pair: WorkerPair, repeats: Int, firstRound: Int) {
    self.pair = pair
    self.repeats = repeats
    self.firstRound = firstRound
  }

  var count: Int { base.count }

  mutating func take(candidateFirst: Bool) throws(WorkerError) {
    let round = firstRound + count
    let first = try (candidateFirst ? pair.candidate : pair.base).sample(round, repeats)
    let second = try (candidateFirst ? pair.base : pair.candidate).sample(round, repeats)
    let (mine, theirs) = candidateFirst ? (second, first) : (first, second)
    base.append(mine.elapsed)
    candidate.append(theirs.elapsed)
    candidateRanFirst.append(candidateFirst)
    digests.append((round, mine.digest, theirs.digest))
  }

  func launch(
    startNanoseconds: UInt64, dropping dropped: Int, layout: Int?,
    first: (base: Elapsed, candidate: Elapsed)
  ) -> PairedLaunch {
    func arm(_ samples: [Elapsed], first: Elapsed) -> PairedLaunch.Arm {
      let kept = samples.dropFirst(dropped)
      return PairedLaunch.Arm(
        first: first, wallNanoseconds: kept.map(\.wallNanoseconds),
        cpuNanoseconds: kept.map(\.cpuNanoseconds))
    }
    return PairedLaunch(
      startNanoseconds: startNanoseconds, repeats: repeats, warmUpPairs: dropped, layout: layout,
      base: arm(base, first: first.base), candidate: arm(candidate, first: first.candidate),
      candidateRanFirst: Array(candidateRanFirst.dropFirst(dropped)))
  }
}

extension WorkerPair {
  /// Opens the case in both workers, and returns the time of opening and the first run in each.
  fileprivate func open(
    candidateFirst: Bool
  ) throws(WorkerError) -> (base: Elapsed, candidate: Elapsed) {
    let sides = candidateFirst ? (candidate, base) : (base, candidate)
    let first = try sides.0.link.open(sides.0.index)
    let second = try sides.1.link.open(sides.1.index)
    return candidateFirst ? (second, first) : (first, second)
  }
}

extension WorkerPair.Side {
  fileprivate func sample(
    _ round: Int, _ repeats: Int
  ) throws(WorkerError) -> (elapsed: Elapsed, digest: String?) {
    try link.sample(index, round: round, repeats: repeats, extra: extra)
  }

  /// Returns the sums over the counted rounds, or for a peak the maximum.
  ///
  /// A sum beyond 64 bits is clamped.
  fileprivate func counters() throws(WorkerError) -> [String: Int] {
    var sums: [String: Int] = [:]
    for round in CounterRanges.rounds {
      for (name, count) in try link.count(index, round: round) {
        if CounterRanges.peaks.contains(name) {
          sums[name] = max(sums[name, default: 0], count)
          continue
        }
        let (sum, overflow) = sums[name, default: 0].addingReportingOverflow(count)
        sums[name] = overflow ? .max : sum
      }
    }
    return sums
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
