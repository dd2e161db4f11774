/// A failed case before shrinking.
struct FailedCase<Value: Sendable>: Sendable {
  let phase: Phase
  let value: Value
  let error: any Error
  let origin: FailureOrigin
  /// The choices and spans; nil for a given value.
  let attempt: Attempt?
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
  /// The number of oversized cases whose generator did not end in time.
  var stuck = 0
  var classes = ClassTallies()
  var tables = ValueTallies()
  /// The best case of each score; of equal ones the first.
  var best: [ScoredCase] = []
  /// The first failure of each origin.
  var failures: [FailedCase<Value>] = []
  /// The lines for the observer.
  var lines: [String] = []
  /// The sampled cases and their times.
  var samples = 0
  var generating = Duration.zero
  var testing = Duration.zero
  var sampled = Duration.zero
  /// Whether the run stopped before the last case, at the deadline or when cancelled.
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
    for scored in next.best { keep(scored.name, scored.score) { scored.choices } }
    lines += next.lines
    samples += next.samples
    generating += next.generating
    testing += next.testing
    sampled += next.sampled
    isCutShort = isCutShort || next.isCutShort
  }

  /// Keeps a failure if it is the first with its origin.
  mutating func keep(_ failure: FailedCase<Value>) {
    if !failures.contains(where: { $0.origin == failure.origin }) { failures.append(failure) }
  }

  /// Keeps a case if it has the best value of the score.
  mutating func keep(_ name: String, _ score: Double, choices: () -> [Choice]) {
    guard let place = best.firstIndex(where: { $0.name == name }) else {
      best.append(ScoredCase(name: name, score: score, choices: choices()))
      return
    }
    if score > best[place].score {
      best[place] = ScoredCase(name: name, score: score, choices: choices())
    }
  }
}
