internal import Dispatch
internal import Foundation
internal import ZoomPipeline

/// Removes what a run has made for itself when the run is interrupted.
enum Interruption {
  /// Watches for the signals by which people and build servers end a command.
  static func install() {
    // A reader that goes away (`zoombench | head`) is an error of write, not the end of us.
    signal(SIGPIPE, SIG_IGN)
    // A serial queue gets a thread of its own even while decoders and encoders keep all others busy.
    let queue = DispatchQueue(label: "zoombench.signals", qos: .userInteractive)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // Nothing is waited for: a conversion that is still running ends with the process.
        AtomicFile.removeUnfinished()
        ScratchFolder.removeAll()
        // The default action, so that a shell sees that a signal ended us.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
      // Held for the life of the process: a released source would stop watching.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
  }
}
