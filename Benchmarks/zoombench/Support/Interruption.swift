internal import Foundation
internal import Measurement
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

  /// Watches for the signals by which people and build servers end a command.
  static func install() {
    // A reader that goes away (`zoombench | head`) is an error of write, not the end of us.
    signal(SIGPIPE, SIG_IGN)
    guard let ends = wakeUp else { return }
    // A thread of its own, because decoders and encoders may keep every thread of a pool busy.
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(ends.read, &number, 1) != 1 {}
      // Nothing is waited for: a conversion that is still running ends with the process.
      AtomicFile.removeUnfinished()
      ScratchFolder.removeAll()
      LiveWorkers.endAll()
      // The default action, so that a shell sees that a signal ended us.
      signal(Int32(number), SIG_DFL)
      kill(getpid(), Int32(number))
    }
    // A parent may have started us with signals blocked, which is inherited.
    var watched = sigset_t()
    sigemptyset(&watched)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      sigaddset(&watched, number)
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        if let wakeUp = Interruption.wakeUp { _ = write(wakeUp.write, &byte, 1) }
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }
}
