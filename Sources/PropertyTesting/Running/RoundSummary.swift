/// A failed case before shrinking.
struct FailedCase<Value: Sendable>: Sendable {
  let phase: Phase
  let value: Value
  let error: any Error
  let origin: FailureOrigin
  /// The choices and spans; nil for a given value.
  var attempt: Attempt?
  /// The number of the case among the valid ones, from 1; 0 if it was found while shrinking.
  var number = 0
}

/// The case with the best value of a score so far.
struct ScoredCase: Sendable {
  let name: String
  let score: Double
  let choices: [Choice]
}

/// The combined results of consecutive cases.
///
/// Summaries are added in the order of their cases; apart from times, the sum does not depend on how cases were split.
struct RoundSummary<Value: Sendable>: Sendable {
  var valid = 0
  var discards = 0
  var oversized = 0
  /// The number of cases whose generator did not end in time; they also count as oversized.
  var stuck = 0
  var classes = ClassTallies()
  var tables = ValueTallies()
  /// The first case with the best value of each score.
  var best: [ScoredCase] = []
  /// The first failure of each origin.
  var failures: [FailedCase<Value>] = []
  /// The number of timed cases, and the sums of their times.
  var samples = 0
  var generating = Duration.zero
  var testing = Duration.zero
  var sampled = Duration.zero
  /// Whether the run stopped early at the deadline, when cancelled, or when too much abandoned work was still running.
  var isCutShort = false

  var executed: Int { valid + discards + oversized }

  mutating func add(_ next: RoundSummary) {
    for var failure in next.failures {
      failure.number += valid
      keep(failure)
    }
    valid += next.valid
    discards += next.discards
    oversized += next.oversized
    stuck += next.stuck
    classes.add(next.classes)
    tables.add(next.tables)
    for scored in next.best { keep(scored) }
    samples += next.samples
    generating += next.generating
    testing += next.testing
    sampled += next.sampled
    isCutShort = isCutShort || next.isCutShort
  }

  mutating func keep(_ failure: FailedCase<Value>) {
    if !failures.contains(where: { $0.origin == failure.origin }) { failures.append(failure) }
  }

  mutating func keep(_ scored: ScoredCase) {
    if let place = best.firstIndex(where: { $0.name == scored.name }) {
      if scored.score > best[place].score { best[place] = scored }
    } else {
      best.append(scored)
    }
  }
}

extension RoundSummary {
  @inline(__always)
  mutating func add(
    _ end: CaseEnd, _ testCase: borrowing TestCase, _ trace: CaseTrace<Value>, _ phase: Phase,
    _ number: Int
  ) {
    switch end {
    case .discarded: discards += 1
    case .overrun, .cancelled: oversized += 1
    case .stuck:
      oversized += 1
      stuck += 1
    case .passed, .failed:
      valid += 1
      if phase == .generate {
        classes.add(testCase.record.labels, ofCase: number)
        tables.add(testCase.record.collected)
      }
      for score in testCase.record.scores {
        keep(ScoredCase(name: score.name, score: score.value, choices: testCase.choices))
      }
      if case .failed(let error) = end, let value = trace.value {
        let origin = FailureOrigin(error)
        let attempt = Attempt(
          choices: testCase.choices, spans: testCase.spans, outcome: .failed(origin))
        keep(
          FailedCase(
            phase: phase, value: value, error: error, origin: origin, attempt: attempt,
            number: valid))
      }
    }
  }

  mutating func addTimes(_ trace: CaseTrace<Value>) {
    guard let began = trace.began, let generated = trace.generated, let ended = trace.ended
    else { return }
    samples += 1
    generating += began.duration(to: generated)
    testing += generated.duration(to: ended)
    sampled += began.duration(to: .now)
  }
}

struct ClassTallies: Sendable {
  struct Tally: Sendable {
    let name: String
    var share: Double?
    var count: Int
    /// The number of the last case counted, so that a case counts once even if it names the class repeatedly.
    var lastCase: Int
  }

  /// The classes in the order in which cases named them.
  private(set) var tallies: [Tally] = []

  mutating func add(_ labels: [(name: String, holds: Bool, share: Double?)], ofCase number: Int) {
    for (position, label) in labels.enumerated() {
      let place = place(of: label.name, near: position)
      demand(label.share, at: place)
      if label.holds, tallies[place].lastCase != number {
        tallies[place].count += 1
        tallies[place].lastCase = number
      }
    }
  }

  mutating func add(_ next: ClassTallies) {
    for (position, tally) in next.tallies.enumerated() {
      let place = place(of: tally.name, near: position)
      demand(tally.share, at: place)
      tallies[place].count += tally.count
    }
  }

  // The guess is usually right, because cases usually name classes in the same order.
  private mutating func place(of name: String, near guess: Int) -> Int {
    if guess < tallies.count, tallies[guess].name == name { return guess }
    if let found = tallies.firstIndex(where: { $0.name == name }) { return found }
    tallies.append(Tally(name: name, share: nil, count: 0, lastCase: -1))
    return tallies.count - 1
  }

  /// Requires a share; the highest of several shares applies.
  private mutating func demand(_ share: Double?, at place: Int) {
    guard let share else { return }
    if let old = tallies[place].share, old >= share { return }
    tallies[place].share = share
  }
}

/// The number of cases for each value that a property collects.
struct ValueTallies: Sendable {
  /// The greatest number of distinct values per table; further values are counted together.
  static let mostValues = 1000

  /// The tables in the order in which cases named them.
  private(set) var tables: [(name: String, counts: [String: Int], others: Int)] = []

  mutating func add(_ collected: [(table: String, value: String)]) {
    for entry in collected { add(1, of: entry.value, to: entry.table) }
  }

  mutating func add(_ next: ValueTallies) {
    for table in next.tables {
      for (value, count) in table.counts.sorted(by: { $0.key < $1.key }) {
        add(count, of: value, to: table.name)
      }
      if table.others > 0 { add(table.others, of: nil, to: table.name) }
    }
  }

  private mutating func add(_ count: Int, of value: String?, to name: String) {
    let place = tables.firstIndex { $0.name == name } ?? tables.count
    if place == tables.count { tables.append((name, [:], 0)) }
    if let value, tables[place].counts[value] != nil || tables[place].counts.count < Self.mostValues
    {
      tables[place].counts[value, default: 0] += count
    } else {
      tables[place].others += count
    }
  }
}

/// A sequential test of whether a share is reached, repeated while cases arrive.
///
/// As in QuickCheck's `checkCoverage`, a share is met once it is certain to be at least nine tenths of the requirement,
/// and missed once it is certain to be below the requirement. Certain means an error probability of 10^-9 per test, so
/// below one in a million for the few hundred tests of a run.
enum SequentialShare {
  /// The normal quantile of 1 - 10^-9 / 2.
  private static let sureDeviations = 6.1094
  private static let tolerance = 0.9
  /// The least number of cases for a decision; Wilson's interval is poor below, and QuickCheck also starts at 100.
  static let fewestCases = 100

  /// Decides whether a class has its required share; a share above 1 or NaN is always missed.
  ///
  /// An early decision needs 10 cases, with an error probability of a thousandth.
  static func decide(
    share: Double, count: Int, of total: Int, isEarly: Bool = false
  ) -> ClassReport.Verdict {
    if share <= 0 { return .met }
    guard share <= 1 else { return .missed }
    guard total >= (isEarly ? 10 : fewestCases) else { return .undecided }
    let interval = wilson(count, of: total, deviations: isEarly ? 3.2905 : sureDeviations)
    if interval.lowerBound >= tolerance * share { return .met }
    return interval.upperBound < share ? .missed : .undecided
  }

  /// Returns Wilson's score interval of a probability (Wilson 1927), from the count of occurrences in some trials.
  ///
  /// `deviations` is the normal quantile of the confidence: 1.96 for 95 %.
  static func wilson(_ count: Int, of total: Int, deviations: Double) -> ClosedRange<Double> {
    let (n, square) = (Double(total), deviations * deviations)
    let rate = Double(count) / n
    let center = rate + square / (2 * n)
    let margin = deviations * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
    let scale = 1 + square / n
    // The exact ends are 0 without occurrences and 1 without misses; rounding may change them.
    let low = count == 0 ? 0 : min(max((center - margin) / scale, 0), 1)
    let high = count == total ? 1 : max(min((center + margin) / scale, 1), low)
    return low...high
  }
}
