internal import Dispatch
internal import Foundation
internal import Synchronization

/// Removes files made for a run when the run is interrupted.
enum Interruption {
  private static let actions = Mutex<[@Sendable () -> Void]>([])

  /// Adds something to be done when the process ends early.
  static func onEnd(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
  }

  /// Does all of it, once.
  static func cleanUp() {
    let due = actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in due { action() }
  }

  /// Watches for the signals by which people and build servers end a command.
  static func install() {
    // A reader that goes away (`zoombench | head`) is an error of write, not the end of us.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        cleanUp()
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
