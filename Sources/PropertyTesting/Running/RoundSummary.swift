/// A case that failed, as it was met.
struct FailedCase<Value: Sendable>: Sendable {
  let phase: Phase
  let value: Value
  let error: any Error
  let origin: FailureOrigin
  /// What was chosen; nil for a value that was given.
  let attempt: Attempt?
  /// The number of the case among the valid ones, from 1; 0 for one met while shrinking.
  var number = 0
}

/// A case with the best score of a name so far.
struct ScoredCase: Sendable {
  let name: String
  let score: Double
  let choices: [Choice]
}

/// What some consecutive cases came to.
///
/// Summaries are added in the order of their cases; the sum does not depend on how cases were
/// split, apart from times.
struct RoundSummary<Value: Sendable>: Sendable {
  var valid = 0
  var discards = 0
  var oversized = 0
  /// How many of the oversized did not end in time while they were generated.
  var stuck = 0
  var classes = ClassTallies()
  var tables = ValueTallies()
  /// The best of each name; of equal ones the first.
  var best: [ScoredCase] = []
  /// The first failure of each origin.
  var failures: [FailedCase<Value>] = []
  /// The lines for the observer.
  var lines: [String] = []
  /// Times of the sampled cases.
  var samples = 0
  var generating = Duration.zero
  var testing = Duration.zero
  var sampled = Duration.zero
  /// Whether the cases were not all run, for lack of time or because the task was cancelled.
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

  /// Keeps a failure unless there is one of its origin.
  mutating func keep(_ failure: FailedCase<Value>) {
    if !failures.contains(where: { $0.origin == failure.origin }) { failures.append(failure) }
  }

  /// Keeps a case if its score is the best of its name.
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
