/// Divides the time of a whole run among its cases.
///
///     var run = TimeBudget(nanoseconds: 60_000_000_000, cases: cases.count)
///     for each in cases {
///       var budget = run.nextCase(rounds: 5...200)
///       while let round = budget.nextRound() { … }
///     }
///
/// Each case is given, when it starts, an equal share of the time that is then left. What earlier
/// cases did not use is thereby shared by the later ones, and so is what they used too much.
/// Whatever is done between cases is paid by the cases to come.
public struct TimeBudget: Sendable {
  /// How many cases have not been started yet.
  public private(set) var remainingCases: Int

  private let now: NanosecondClock
  private let deadline: UInt64

  /// Starts the time of a run.
  ///
  /// - Parameters:
  ///   - nanoseconds: How long the run may take from now on.
  ///   - cases: How many cases will share it, not negative.
  ///   - now: The clock that the deadline is on.
  public init(
    nanoseconds: UInt64, cases: Int, now: @escaping NanosecondClock = Timestamps.monotonic
  ) {
    precondition(cases >= 0, "A run cannot have \(cases) cases.")
    remainingCases = cases
    self.now = now
    deadline = now().addingSaturating(nanoseconds)
  }

  /// How much time is left, in nanoseconds; zero once the deadline has passed.
  public var remainingNanoseconds: UInt64 {
    deadline.saturatingSubtract(now())
  }

  /// Starts the next case with its share of the time that is left.
  ///
  /// A case more than announced is given all that is left.
  ///
  /// - Parameter rounds: The fewest rounds of the case, which are run even if no time is left,
  ///   and the most.
  /// - Returns: The budget of the case, whose time has begun.
  public mutating func nextCase(rounds: ClosedRange<Int>) -> RoundBudget {
    let share = remainingNanoseconds / UInt64(max(remainingCases, 1))
    remainingCases = max(remainingCases - 1, 0)
    return RoundBudget(nanoseconds: share, rounds: rounds, now: now)
  }
}

/// Decides whether another round of a case fits into the time the case has.
///
///     var budget = RoundBudget(nanoseconds: 2_000_000_000, rounds: 5...200)
///     while let round = budget.nextRound() { … }
///
/// The round to come is expected to cost as much as the costliest of the last few: a cold first
/// round is soon forgotten, and the budget is overrun only by a round that is slower than
/// those before it, or for the sake of the minimum.
public struct RoundBudget: Sendable {
  /// How many past rounds the forecast looks at.
  package static let memory = 8

  /// How many rounds have been started.
  public private(set) var started = 0

  /// The fewest and the most rounds of this case, whatever the time.
  public let rounds: ClosedRange<Int>

  private let now: NanosecondClock
  private let deadline: UInt64
  private var roundStart: UInt64?
  private var recentCosts: [UInt64] = []

  /// Starts the time of a case.
  ///
  /// - Parameters:
  ///   - nanoseconds: How long the case may take from now on.
  ///   - rounds: The fewest rounds, which are run even if time is up, and the most.
  ///   - now: The clock that the deadline is on.
  public init(
    nanoseconds: UInt64, rounds: ClosedRange<Int>,
    now: @escaping NanosecondClock = Timestamps.monotonic
  ) {
    precondition(rounds.lowerBound >= 0, "A case cannot have \(rounds.lowerBound) rounds.")
    self.rounds = rounds
    self.now = now
    deadline = now().addingSaturating(nanoseconds)
  }

  /// Ends the round before, if there is one, and starts the next if it fits.
  ///
  /// What happens between two calls is the cost of a round. Nothing is known of the first round,
  /// so it is started whenever there is time left at all.
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
