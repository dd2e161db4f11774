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
    deadline.subtractingToZero(now())
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
