#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How long something took: one sample, on the wall and on the CPU.
public struct Elapsed: Sendable, Hashable, Codable {
  /// Nanoseconds that passed on the monotonic clock, waiting included.
  public var wallNanoseconds: UInt64

  /// Nanoseconds of CPU time, all threads of the process added up.
  ///
  /// More than `wallNanoseconds` if threads worked at the same time, less if the process waited.
  public var cpuNanoseconds: UInt64

  /// Creates a sample from two durations in nanoseconds.
  public init(wallNanoseconds: UInt64, cpuNanoseconds: UInt64) {
    self.wallNanoseconds = wallNanoseconds
    self.cpuNanoseconds = cpuNanoseconds
  }
}

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
      wallNanoseconds: wallEnd.saturatingSubtract(wallStart),
      cpuNanoseconds: cpuEnd.saturatingSubtract(cpuStart))
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

/// A source of nanosecond readings that never go back: the machine's own clock, or a test's.
public typealias NanosecondClock = @Sendable () -> UInt64

/// Readings of the two clocks that matter to a benchmark, in nanoseconds.
///
/// A single reading means nothing: only the difference of two readings of the same clock does.
public enum Timestamps {
  /// Reads the monotonic clock, which passes while the process waits or is not scheduled.
  ///
  /// The clock is not set by anyone, so differences are never negative. On Linux it is
  /// `CLOCK_MONOTONIC`, answered without a system call on common hardware. On Darwin it is
  /// `CLOCK_UPTIME_RAW`, because `CLOCK_MONOTONIC` there counts in whole microseconds.
  ///
  /// - Returns: Nanoseconds since an unspecified moment, often the start of the machine.
  public static func monotonic() -> UInt64 {
    #if canImport(Darwin)
      nanoseconds(of: CLOCK_UPTIME_RAW)
    #else
      nanoseconds(of: CLOCK_MONOTONIC)
    #endif
  }

  /// Reads the CPU time that all threads of this process have used, user and system together.
  ///
  /// Threads that work at the same time add up, so it can pass faster than the monotonic clock.
  /// Reading it is a system call: several times slower than `monotonic()`.
  ///
  /// - Returns: Nanoseconds of CPU time since the process started.
  public static func processCPU() -> UInt64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
  }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var reading = timespec()
    // POSIX lets clock_gettime fail for an unknown clock or a bad address only, and both are ours.
    let status = clock_gettime(clock, &reading)
    precondition(status == 0, "The system has no monotonic or process CPU clock.")
    return UInt64(reading.tv_sec) * 1_000_000_000 + UInt64(reading.tv_nsec)
  }
}

extension UInt64 {
  /// The sum, or the greatest number if the sum is greater: a deadline that never comes.
  package func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The difference, or zero if it would be negative: a deadline that has passed.
  package func saturatingSubtract(_ other: UInt64) -> UInt64 {
    self > other ? self - other : 0
  }

  /// The product, or the greatest number if the product is greater.
  func multipliedSaturating(by count: Int) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: UInt64(count))
    return overflow ? .max : product
  }
}

// Both attributes are needed: a body that is never inlined may still be found to be empty by the
// optimiser, which then drops the call together with its argument. The second is underscored, yet
// it is what Swift benchmark packages rely on (ordo-one/benchmark, google/swift-benchmark).

/// Uses a value in a way the compiler cannot see through, so that computing it is not optimised
/// away.
///
/// The call reads nothing, stores nothing and keeps no reference.
///
/// - Parameter value: The result of the work that has to happen.
@inline(never)
@_optimize(none)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {}
