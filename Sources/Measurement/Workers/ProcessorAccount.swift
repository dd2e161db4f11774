internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The CPU time of one program, summed over its processes.
///
/// The clock of a live process has nanoseconds. The time of an ended process comes from `wait4`, including
/// the children that it waited for.
package final class ProcessorAccount: Sendable {
  private struct Living {
    /// Its descendants with their start times; nil until they are noted, and then their time is not read.
    var descendants: [Int32: UInt64]?
    /// The largest total time of it and its descendants so far, since an ended descendant drops out.
    var nanoseconds: UInt64 = 0
  }

  private struct State {
    var living: [Int32: Living] = [:]
    var ended: UInt64 = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The nanoseconds so far; nil if the system cannot read the clock of another process, as on Darwin.
  package var nanoseconds: UInt64? {
    #if canImport(Darwin)
      return nil
    #else
      return state.withLock { state in
        state.living.keys.reduce(state.ended) { $0 + Self.update(&state.living[$1], $1) }
      }
    #endif
  }

  /// Whether all processes of the program have ended.
  package var isIdle: Bool { state.withLock { $0.living.isEmpty } }

  func begin(_ identifier: Int32) { state.withLock { $0.living[identifier] = Living() } }

  /// Notes the processes that a process has started, because wrappers delegate their work.
  ///
  /// From then on, the time of its awaited children counts, even if none is noted: the time of earlier
  /// short ones may have been less than the system's unit, a hundredth of a second.
  package func note(descendants: [Int32], of identifier: Int32) {
    let found = descendants.compactMap { child in
      ProcessStatus(of: child).map { (child, $0.start) }
    }
    state.withLock { state in
      state.living[identifier]?.descendants = Dictionary(found) { $1 }
    }
  }

  func time(ofLiving identifier: Int32) -> UInt64 {
    state.withLock { Self.update(&$0.living[identifier], identifier) }
  }

  /// Records the end of a process, and returns the time of descendants that it did not wait for.
  @discardableResult func end(_ identifier: Int32, _ nanoseconds: UInt64) -> UInt64 {
    state.withLock { state in
      let known = max(nanoseconds, state.living.removeValue(forKey: identifier)?.nanoseconds ?? 0)
      state.ended += known
      return known - nanoseconds
    }
  }

  private static func update(_ living: inout Living?, _ identifier: Int32) -> UInt64 {
    guard var known = living else { return 0 }
    var sum = time(of: identifier) ?? 0
    if let descendants = known.descendants {
      sum += ProcessStatus(of: identifier)?.waited ?? 0
      for (child, start) in descendants {
        // Another process may have this number by now.
        if let status = ProcessStatus(of: child), status.start == start {
          sum += (time(of: child) ?? 0) + status.waited
        }
      }
    }
    known.nanoseconds = max(known.nanoseconds, sum)
    living = known
    return known.nanoseconds
  }

  /// Returns the CPU time of a process that was not awaited; nil if the system cannot read it.
  package static func time(of identifier: Int32) -> UInt64? {
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
  /// The sum of user and system time.
  var nanoseconds: UInt64 {
    let seconds = UInt64(ru_utime.tv_sec + ru_stime.tv_sec)
    let microseconds = UInt64(ru_utime.tv_usec + ru_stime.tv_usec)
    return seconds * 1_000_000_000 + microseconds * 1000
  }
}

/// The state of a process that /proc shows.
package struct ProcessStatus {
  package let parent: Int32
  /// The start time, which distinguishes it from a later process with the same number.
  package let start: UInt64
  package let isZombie: Bool
  /// The CPU time of its awaited children, in nanoseconds, to a hundredth of a second.
  let waited: UInt64

  /// Whether the process exists and is not a zombie; false without /proc.
  package static func isRunning(_ process: Int32) -> Bool {
    ProcessStatus(of: process).map { !$0.isZombie } ?? false
  }

  /// Reads the description; nil if there is no such process, or no /proc.
  package init?(of process: Int32) {
    // The name, in parentheses, may contain any character.
    guard let text = SystemText.contents(ofFile: "/proc/\(process)/stat", limit: 4096),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 19, let parent = Int32(fields[1]), let user = UInt64(fields[13]),
      let system = UInt64(fields[14]), let start = UInt64(fields[19])
    else { return nil }
    (self.parent, self.start, isZombie) = (parent, start, fields[0] == "Z")
    waited = (user + system) * (1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }
}
