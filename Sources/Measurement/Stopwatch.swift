#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One sample of time, on the wall clock and the CPU clock.
public struct Elapsed: Sendable, Hashable, Codable {
  /// Nanoseconds on the monotonic clock, including waiting.
  public var wallNanoseconds: UInt64

  /// Nanoseconds of CPU time, summed over all threads of the process.
  ///
  /// It exceeds `wallNanoseconds` if threads work concurrently, and is less if the process waits.
  public var cpuNanoseconds: UInt64

  /// Creates a sample from two durations in nanoseconds.
  public init(wallNanoseconds: UInt64, cpuNanoseconds: UInt64) {
    self.wallNanoseconds = wallNanoseconds
    self.cpuNanoseconds = cpuNanoseconds
  }
}

/// Times a piece of work on the monotonic clock and on the CPU clock of the process.
///
///     let (image, elapsed) = try Stopwatch().measure { try decode(file) }
///     print(elapsed.wallNanoseconds, elapsed.cpuNanoseconds)
///     blackHole(image)
///
/// CPU time is the whole process's, including the concurrent work of other threads.
public struct Stopwatch: Sendable {
  private let wall: NanosecondClock
  private let cpu: NanosecondClock

  /// Creates a stopwatch on the machine's clocks, or on given clocks.
  public init(
    wall: @escaping NanosecondClock = Timestamps.monotonic,
    cpu: @escaping NanosecondClock = Timestamps.processCPU
  ) {
    self.wall = wall
    self.cpu = cpu
  }

  /// Runs the body once and returns its result and its time.
  ///
  /// The CPU clock is read first and last, because reading it is a system call that would otherwise be part
  /// of the wall time. Freeing the result is not timed, because it is returned. A clock that goes backwards
  /// counts as one that stood still.
  ///
  /// - Parameter body: The work to time. The compiler may remove work whose result is unused:
  ///   return the result and pass it to `blackHole(_:)`.
  /// - Returns: The body's result and its time.
  /// - Throws: The body's error; a failed body gives no sample.
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
}

/// A source of nanosecond readings that never decrease: the machine's own clock, or a test's.
public typealias NanosecondClock = @Sendable () -> UInt64

/// Readings of the two clocks of a benchmark, in nanoseconds.
///
/// Only the difference of two readings of the same clock is meaningful.
public enum Timestamps {
  /// Reads the monotonic clock, which continues while the process waits or is not scheduled.
  ///
  /// It cannot be set, so differences are never negative. On Linux it is
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

  /// Returns what the monotonic clock reads after some seconds, clamped to its range.
  package static func deadline(after seconds: Double) -> UInt64 {
    monotonic().addingSaturating(UInt64(exactly: (max(0, seconds) * 1e9).rounded()) ?? .max)
  }

  /// Reads the CPU time of all threads of this process, user and system together.
  ///
  /// The times of concurrent threads add up, so it can advance faster than the monotonic clock.
  /// Reading it is a system call, several times slower than `monotonic()`.
  ///
  /// - Returns: Nanoseconds of CPU time since the process started.
  public static func processCPU() -> UInt64 {
    nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
  }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var reading = timespec()
    // clock_gettime can only fail for an unknown clock or an invalid address.
    let status = clock_gettime(clock, &reading)
    precondition(status == 0, "The system has no monotonic or process CPU clock.")
    return UInt64(reading.tv_sec) * 1_000_000_000 + UInt64(reading.tv_nsec)
  }
}

extension UInt64 {
  /// Returns the sum, clamped to the largest number: a deadline that never comes.
  package func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Returns the difference, or zero if it would be negative: a deadline that has passed.
  package func saturatingSubtract(_ other: UInt64) -> UInt64 {
    self > other ? self - other : 0
  }

  func multipliedSaturating(by count: Int) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: UInt64(count))
    return overflow ? .max : product
  }
}

// Both attributes are needed: without the second, the optimiser may recognise the body as empty and drop
// the call with its argument. It is underscored, but Swift benchmark packages rely on it
// (ordo-one/benchmark, google/swift-benchmark).
/// Uses a value opaquely for the compiler, so that its computation is not optimised away.
///
/// The call reads nothing, stores nothing and keeps no reference.
///
/// - Parameter value: The result of the work that has to happen.
@inline(never)
@_optimize(none)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {}
