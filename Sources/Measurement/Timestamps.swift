#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// Reading it is a system call: several times dearer than `monotonic()`.
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
