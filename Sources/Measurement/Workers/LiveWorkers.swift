internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The workers of this process that have not been waited for.
package enum LiveWorkers {
  private static let identifiers = Mutex<Set<Int32>>([])

  /// Notes a worker that was started.
  package static func insert(_ identifier: Int32) {
    identifiers.withLock { _ = $0.insert(identifier) }
  }

  /// Ends all workers and what they started, at once and not gently; for an interrupted run.
  ///
  /// May be called from any thread, though not from a signal handler. Whoever waits for an answer
  /// is told that the worker has ended.
  package static func endAll() {
    identifiers.withLock { for identifier in $0 { kill(-identifier, SIGKILL) } }
  }

  /// How many workers there are.
  package static var count: Int { identifiers.withLock { $0.count } }

  /// Ends a worker and its group, and tells how it ended.
  ///
  /// The group is ended before its leader is waited for, since afterwards the number may be given
  /// to somebody else; for the same reason both are done under the lock of `endAll()`.
  ///
  /// - Parameters:
  ///   - identifier: A worker that was inserted; one that was not is left alone.
  ///   - patience: How long, in nanoseconds, it may take to end by itself.
  /// - Returns: How it ended, unless it was ended here.
  package static func end(_ identifier: Int32, patience: UInt64) -> WorkerError.Ending {
    guard identifiers.withLock({ $0.contains(identifier) }) else { return .unknown }
    let gentleEnd = Timestamps.monotonic().addingSaturating(patience)
    // WNOWAIT leaves the worker a zombie, so that its number stays its own.
    while !hasEnded(identifier), Timestamps.monotonic() < gentleEnd { usleep(200) }
    // What is ended here has no end of its own to tell of.
    let endedItself = hasEnded(identifier)
    return identifiers.withLock { identifiers in
      kill(-identifier, SIGKILL)
      identifiers.remove(identifier)
      // A process that was killed ends soon, unless it hangs inside the kernel: not for ever, then.
      let deadline = Timestamps.monotonic().addingSaturating(5_000_000_000)
      var status: Int32 = 0
      while true {
        let found = waitpid(identifier, &status, WNOHANG)
        if found == identifier { return endedItself ? ending(status) : .unknown }
        if found < 0, errno != EINTR { return .unknown }
        if Timestamps.monotonic() >= deadline { return .unknown }
        usleep(200)
      }
    }
  }

  /// Tells whether a worker, which nobody has waited for, has ended.
  package static func hasEnded(_ identifier: Int32) -> Bool {
    var information = siginfo_t()
    let status = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    // With WNOHANG and nothing to report, the structure stays zero.
    return status != 0 ? errno != EINTR : information.si_signo == SIGCHLD
  }

  /// What POSIX hides behind WIFEXITED and its kin, which are macros.
  private static func ending(_ status: Int32) -> WorkerError.Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }
}
