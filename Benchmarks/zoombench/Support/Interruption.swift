internal import Foundation
internal import Measurement
internal import Synchronization
internal import ZoomPipeline

/// Removes what a run has made for itself when the run is interrupted.
enum Interruption {
  /// The pipe by which the signal handler wakes the thread that cleans up: its two ends.
  ///
  /// Writing to a pipe is one of the few things that a signal handler may do.
  private static let wakeUp: (read: Int32, write: Int32)? = {
    var ends: [Int32] = [0, 0]
    return pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }()

  /// Whether a signal is ending the process.
  private static let isEnding = Atomic<Bool>(false)

  /// Blocks if a signal is already ending the process.
  ///
  /// Work fails once its files are removed, and that is not what the process ended for.
  static func yieldToSignal() {
    while isEnding.load(ordering: .sequentiallyConsistent) { sleep(1) }
  }

  /// The work to do at SIGTERM, which returns the exit code.
  private static let termination = Mutex<(@Sendable () -> Int32)?>(nil)

  /// Sets the work to do at SIGTERM in a run that can be resumed; it returns the exit code.
  static func atTermination(_ body: @escaping @Sendable () -> Int32) {
    termination.withLock { $0 = body }
  }

  /// Watches for the signals by which people and build servers end a command.
  static func install() {
    // A reader that goes away (`zoombench | head`) is an error of write, not the end of us.
    signal(SIGPIPE, SIG_IGN)
    guard let ends = wakeUp else { return }
    // A new thread, because decoders and encoders may keep every thread of a pool busy.
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(ends.read, &number, 1) != 1 {}
      isEnding.store(true, ordering: .sequentiallyConsistent)
      // Programs first: they would go on writing where files are removed. A conversion that is still
      // running ends with the process.
      LiveWorkers.endAll()
      MarkedProcesses.endAll()
      RunningTools.endAll()
      AtomicFile.removeUnfinished()
      ScratchFolder.removeAll()
      if Int32(number) == SIGTERM, let body = termination.withLock({ $0 }) { _exit(body()) }
      // The default action, so that a shell sees that a signal ended us.
      signal(Int32(number), SIG_DFL)
      kill(getpid(), Int32(number))
    }
    // A parent may have started us with signals blocked, which is inherited.
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
}
