internal import Foundation
internal import Measurement
internal import Synchronization
internal import ZoomPipeline

/// Removes a run's temporary files and processes when the run is interrupted.
enum Interruption {
  /// The two ends of the pipe by which the signal handler wakes the cleanup thread.
  ///
  /// Writing to a pipe is one of the few things that a signal handler may do.
  private static let wakeUp: (read: Int32, write: Int32)? = {
    var ends: [Int32] = [0, 0]
    return pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }()

  private static let isEnding = Atomic<Bool>(false)
  private static let cancelsFirst = Atomic<Bool>(false)
  private static let cancelled = Atomic<Bool>(false)

  /// Makes the first SIGINT set `isCancelled` instead of ending the process.
  static func cancelFirst() { cancelsFirst.store(true, ordering: .sequentiallyConsistent) }

  /// Whether SIGINT has asked the run to stop and to keep its results.
  static var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Blocks if a signal is already ending the process.
  ///
  /// Work whose files were removed fails, and its error must not be reported as the cause.
  static func yieldToSignal() {
    while isEnding.load(ordering: .sequentiallyConsistent) { sleep(1) }
  }

  /// The work to do at SIGTERM, which returns the exit code.
  private static let termination = Mutex<(@Sendable () -> Int32)?>(nil)

  /// Sets the work to do at SIGTERM in a run that can be resumed; it returns the exit code.
  static func atTermination(_ body: @escaping @Sendable () -> Int32) {
    termination.withLock { $0 = body }
  }

  /// Watches for the signals by which users and build servers end a command.
  static func install() {
    // A closed reader (`zoombench | head`) is a write error; it must not end the process.
    signal(SIGPIPE, SIG_IGN)
    guard let ends = wakeUp else { return }
    // A new thread, because decoders and encoders may occupy all threads of a pool.
    Thread.detachNewThread {
      var number: UInt8 = 0
      repeat {
        while read(ends.read, &number, 1) != 1 {}
      } while isCancellation(Int32(number))
      isEnding.store(true, ordering: .sequentiallyConsistent)
      // Programs first, because they would keep writing where files are removed. Compilers are found by
      // their mark: `swift build` starts each in another group.
      LiveWorkers.endAll(patience: 2_000_000_000)
      MarkedProcesses.endAll()
      ScratchFolder.removeAll()
      if Int32(number) == SIGTERM, let body = termination.withLock({ $0 }) { _exit(body()) }
      // The default action, so that the shell sees that a signal ended the process.
      signal(Int32(number), SIG_DFL)
      kill(getpid(), Int32(number))
    }
    // The parent may have started this process with signals blocked, which is inherited.
    var watched = sigset_t()
    sigemptyset(&watched)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      sigaddset(&watched, number)
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        if let wakeUp = Interruption.wakeUp { _ = write(wakeUp.write, &byte, 1) }
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }

  /// Returns whether a signal only cancels the run, and cancels it.
  private static func isCancellation(_ number: Int32) -> Bool {
    number == SIGINT && cancelsFirst.load(ordering: .sequentiallyConsistent)
      && !cancelled.exchange(true, ordering: .sequentiallyConsistent)
  }
}
