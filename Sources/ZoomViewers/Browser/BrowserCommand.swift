internal import Foundation
internal import Measurement
package import SystemPackage
internal import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// A headless Chromium on this machine.
package struct BrowserCommand: Sendable {
  /// A path, or a name to find in PATH.
  let path: FilePath
  /// The program's name and version: "Chromium 156.0.8078.108".
  package let version: String

  static let variable = "ZOOMBENCH_BROWSER"
  /// Only the headless shell obeys BeginFrames.
  private static let usual = [
    "/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell",
    "chrome-headless-shell",
  ]

  /// Finds a browser: the named one, that of ZOOMBENCH_BROWSER, or an installed headless shell; throws
  /// `cannotStart` without one, or if its version cannot be read.
  package static func find(
    _ named: FilePath?, in environment: [String: String]? = nil
  ) throws(ViewerFailure) -> BrowserCommand {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let wanted = named?.string ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    for name in wanted.map({ [$0] }) ?? usual {
      let command = WorkerCommand(label: "browser", executable: name, arguments: ["--version"])
      // The version is a line. Ten seconds are forty times what it takes on a busy machine.
      guard
        let run = try? ChildProcess.run(
          command, limit: 1 << 14, until: Timestamps.deadline(after: 10))
      else { continue }
      guard run.ending == .exited(status: 0) else {
        throw .cannotStart("\(name) --version fails\(LastLines.phrase(run.log))")
      }
      let version = String(decoding: run.output, as: UTF8.self)
      return BrowserCommand(
        path: FilePath(name), version: version.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    throw .cannotStart(
      wanted.map { "\($0) is not a program that tells its version" }
        ?? "no headless Chromium is installed")
  }

  /// Returns the arguments of a browser that reaches only the given hosts.
  func flags(ratio: Double, size: ViewSize, profile: FilePath, allows hosts: [String]) -> [String] {
    let resolving = ["MAP * ~NOTFOUND"] + hosts.map { "EXCLUDE \($0)" }
    let flags = [
      "--headless", "--remote-debugging-pipe", "--deterministic-mode", "--hide-scrollbars",
      "--force-color-profile=srgb", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--disable-dev-shm-usage", "--mute-audio", "--no-first-run",
      // With this feature, the compositor waits for touches by a clock that stands.
      "--disable-features=WaitForLateScrollEvents",
      "--force-device-scale-factor=\(ratio)", "--user-data-dir=\(profile)",
      "--window-size=\(Int(size.width)),\(Int(size.height))",
      "--host-resolver-rules=\(resolving.joined(separator: ", "))",
    ]
    // Chromium refuses to be sandboxed as root.
    return flags + (ProcessInfo.processInfo.userName == "root" ? ["--no-sandbox"] : [])
  }
}

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
