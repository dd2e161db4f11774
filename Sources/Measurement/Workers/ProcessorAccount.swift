internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The CPU time of one program, added up over the processes that were started for it.
///
/// A process that lives is asked by its clock, which has nanoseconds. The time of one that has ended
/// comes from `wait4`, with the time of all that it started and waited for.
package final class ProcessorAccount: Sendable {
  private struct State {
    var living: Set<Int32> = []
    var ended: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Opens an account without a process.
  package init() {}

  /// The nanoseconds so far; nil where the system cannot read the clock of another process, as on Darwin.
  package var nanoseconds: UInt64? {
    #if canImport(Darwin)
      return nil
    #else
      return state.withLock { state in
        state.living.reduce(state.ended) { $0 + (Self.time(of: $1) ?? 0) }
      }
    #endif
  }

  /// Whether no process of the program lives.
  package var isIdle: Bool { state.withLock { $0.living.isEmpty } }

  func begin(_ identifier: Int32) { state.withLock { _ = $0.living.insert(identifier) } }

  func end(_ identifier: Int32, _ nanoseconds: UInt64) {
    state.withLock { state in
      state.living.remove(identifier)
      state.ended += nanoseconds
    }
  }

  /// Returns the CPU time of a process that was not waited for; nil if the system cannot read it.
  static func time(of identifier: Int32) -> UInt64? {
    #if canImport(Darwin)
      return nil
    #else
      var clock = clockid_t()
      var reading = timespec()
      guard clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &reading) == 0
      else { return nil }
      return UInt64(reading.tv_sec) * 1_000_000_000 + UInt64(reading.tv_nsec)
    #endif
  }
}

extension rusage {
  /// User and system time.
  var nanoseconds: UInt64 {
    let seconds = UInt64(ru_utime.tv_sec + ru_stime.tv_sec)
    let microseconds = UInt64(ru_utime.tv_usec + ru_stime.tv_usec)
    return seconds * 1_000_000_000 + microseconds * 1000
  }
}
