package import ZoomLaws
package import ZoomPipeline

/// The reason for which a viewer cannot be tested, or the end of its page.
package enum ViewerFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// No browser is installed, or it does not start.
  case cannotStart(String)
  /// The page cannot be found or loaded, or its script fails before it is ready.
  case pageFailed(String)
  /// The page or its browser ended, or did not answer in time.
  case ended(ViewerPlay.Ending, String)
  /// The browser refused a command, or its answer is not understood.
  case `protocol`(String)
  case picture(PipelineError)
  case cancelled

  static func hung(seconds: Double, last: String) -> ViewerFailure {
    .ended(.hung, "no answer for \(seconds) s after \(last)")
  }

  /// The reason in words if it says nothing about the page: the machine or the browser is at fault.
  package var ofMachine: String? {
    switch self {
    case .cannotStart, .protocol, .picture, .cancelled: "\(self)"
    case .pageFailed, .ended: nil
    }
  }

  package var description: String {
    switch self {
    case .cannotStart(let why):
      "no browser starts: \(why) (apt-get install chromium-headless-shell, or name one with --browser)"
    case .pageFailed(let why): "the page cannot be tested: \(why) (open it in a browser)"
    case .ended(let ending, let why):
      "the page is \(ending): \(why) (look for an endless loop, and at the memory that is free)"
    case .protocol(let why): "the browser refused a command: \(why) (try another browser)"
    case .picture(let error): "\(error)"
    case .cancelled: "cancelled"
    }
  }
}
