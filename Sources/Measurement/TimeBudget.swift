/// Divides the time of a whole run among its cases.
///
///     var run = TimeBudget(nanoseconds: 60_000_000_000, cases: cases.count)
///     for each in cases {
///       var budget = run.nextCase(rounds: 5...200)
///       while let round = budget.nextRound() { … }
///     }
///
/// Each case gets, when it starts, an equal share of the remaining time. So later cases share the time that
/// earlier cases did not use or used in excess, and the time spent between cases.
public struct TimeBudget: Sendable {
  /// The number of cases not started yet.
  private var remainingCases: Int
  private let now: NanosecondClock
  private let deadline: UInt64

  /// Starts the time of a run.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time for the run from now on.
  ///   - cases: The number of cases, not negative.
  ///   - now: The clock of the deadline.
  public init(
    nanoseconds: UInt64, cases: Int, now: @escaping NanosecondClock = Timestamps.monotonic
  ) {
    precondition(cases >= 0, "A run cannot have \(cases) cases.")
    remainingCases = cases
    self.now = now
    deadline = now().addingSaturating(nanoseconds)
  }

  /// Starts the next case with its share of the remaining time.
  ///
  /// A case beyond the announced number gets all of the remaining time.
  ///
  /// - Parameter rounds: The fewest rounds of the case, which run even if no time is left,
  ///   and the most.
  /// - Returns: The budget of the case, whose time has begun.
  public mutating func nextCase(rounds: ClosedRange<Int>) -> RoundBudget {
    let share = deadline.saturatingSubtract(now()) / UInt64(max(remainingCases, 1))
    remainingCases = max(remainingCases - 1, 0)
    return RoundBudget(nanoseconds: share, rounds: rounds, now: now)
  }
}

/// Decides whether another round of a case fits into its time.
///
///     var budget = RoundBudget(nanoseconds: 2_000_000_000, rounds: 5...200)
///     while let round = budget.nextRound() { … }
///
/// The next round is expected to cost as much as the most expensive of the last few: a cold first
/// round is soon forgotten, and the budget is exceeded only by a round that is slower than
/// those before it, or to reach the fewest rounds.
public struct RoundBudget: Sendable {
  package static let memory = 8

  /// The number of rounds started.
  public private(set) var started = 0

  private let rounds: ClosedRange<Int>
  private let now: NanosecondClock
  private let deadline: UInt64
  private var roundStart: UInt64?
  private var recentCosts: [UInt64] = []

  /// Starts the time of a case.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time for the case from now on.
  ///   - rounds: The fewest rounds, which run even if time is up, and the most.
  ///   - now: The clock of the deadline.
  public init(
    nanoseconds: UInt64, rounds: ClosedRange<Int>,
    now: @escaping NanosecondClock = Timestamps.monotonic
  ) {
    precondition(rounds.lowerBound >= 0, "A case cannot have \(rounds.lowerBound) rounds.")
    self.rounds = rounds
    self.now = now
    deadline = now().addingSaturating(nanoseconds)
  }

  /// Ends the previous round, if any, and starts the next if it fits.
  ///
  /// The time between two calls is the cost of a round. The cost of the first round is unknown, so it
  /// starts whenever any time is left.
  ///
  /// - Returns: The index of the round to run, from zero, or nil if the case is over.
  public mutating func nextRound() -> Int? {
    let time = now()
    if let roundStart {
      if recentCosts.count == Self.memory { recentCosts.removeFirst() }
      recentCosts.append(time.saturatingSubtract(roundStart))
    }
    roundStart = nil
    guard started < rounds.upperBound, started < rounds.lowerBound || fits(at: time) else {
      return nil
    }
    roundStart = time
    defer { started += 1 }
    return started
  }

  private func fits(at time: UInt64) -> Bool {
    let expected = recentCosts.max() ?? 0
    return time < deadline && expected <= deadline - time
  }
}
