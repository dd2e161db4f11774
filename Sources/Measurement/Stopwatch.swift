/// Times a piece of work on the monotonic clock and on the CPU clock of the process at once.
///
///     let (image, elapsed) = try Stopwatch().measure { try decode(file) }
///     print(elapsed.wallNanoseconds, elapsed.cpuNanoseconds)
///     blackHole(image)
///
/// CPU time counts the whole process: whatever other threads do meanwhile is counted too.
public struct Stopwatch: Sendable {
  private let wall: NanosecondClock
  private let cpu: NanosecondClock

  /// Creates a stopwatch on the machine's clocks, or on clocks of your own.
  public init(
    wall: @escaping NanosecondClock = Timestamps.monotonic,
    cpu: @escaping NanosecondClock = Timestamps.processCPU
  ) {
    self.wall = wall
    self.cpu = cpu
  }

  /// Runs the body once and tells how long it took.
  ///
  /// The CPU clock is read first and last: reading it is a system call, which would otherwise be
  /// part of the wall time. Results live on in the returned value, so freeing them is not timed.
  /// A clock that goes back counts as one that stood still.
  ///
  /// - Parameter body: The work to time. The compiler may remove work whose result nobody uses:
  ///   return the result and hand it to `blackHole(_:)`.
  /// - Returns: What the body returned, and the time it took.
  /// - Throws: What the body throws; a failed body gives no sample.
  public func measure<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> (value: Value, elapsed: Elapsed) {
    let cpuStart = cpu()
    let wallStart = wall()
    let value = try body()
    let wallEnd = wall()
    let cpuEnd = cpu()
    let elapsed = Elapsed(
      wallNanoseconds: wallEnd.subtractingToZero(wallStart),
      cpuNanoseconds: cpuEnd.subtractingToZero(cpuStart))
    return (value, elapsed)
  }

  /// Measures what measuring costs: the median of many samples of an empty body.
  ///
  /// This is the part of every sample that is not work. Compare it with the samples to see that
  /// it does not matter; samples themselves are never corrected by it.
  ///
  /// - Parameter repetitions: How many samples to take; an even number is answered by the lower of
  ///   the two middle ones.
  /// - Returns: The median wall time and, apart from it, the median CPU time.
  public func overhead(repetitions: Int = 1001) -> Elapsed {
    precondition(repetitions > 0, "The overhead of a timer needs at least one repetition.")
    let samples = (0..<repetitions).map { _ in measure {}.elapsed }
    let middle = (repetitions - 1) / 2
    return Elapsed(
      wallNanoseconds: samples.map(\.wallNanoseconds).sorted()[middle],
      cpuNanoseconds: samples.map(\.cpuNanoseconds).sorted()[middle])
  }
}
