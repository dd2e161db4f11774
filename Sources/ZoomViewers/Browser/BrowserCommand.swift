internal import Foundation
internal import Measurement
package import SystemPackage
internal import ZoomGeometry

/// A headless Chromium on this machine.
package struct BrowserCommand: Sendable {
  let path: FilePath
  /// The program's name and version: "Chromium 156.0.8078.108".
  package let version: String

  static let variable = "ZOOMBENCH_BROWSER"
  /// Debian's place, then names to look for in PATH; only the headless shell obeys BeginFrames.
  private static let usual = [
    "/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell",
    "chrome-headless-shell",
  ]

  /// Finds a browser: the named one, that of ZOOMBENCH_BROWSER, or an installed headless shell.
  ///
  /// - Throws: `notInstalled`; `cannotStart` if its version cannot be read.
  package static func find(
    _ named: FilePath?, in environment: [String: String]? = nil
  ) throws(ViewerFailure) -> BrowserCommand {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let wanted = named?.string ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    let folders = environment["PATH", default: ""].split(separator: ":")
    for name in wanted.map({ [$0] }) ?? usual {
      let places = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
      if let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) {
        return BrowserCommand(path: FilePath(place), version: try version(of: place))
      }
    }
    throw .notInstalled(
      wanted.map { "\($0) is not a program" } ?? "no headless Chromium is installed")
  }

  private static func version(of path: String) throws(ViewerFailure) -> String {
    let command = WorkerCommand(label: "browser", executable: path, arguments: ["--version"])
    let run: (ending: WorkerError.Ending, output: [UInt8], log: String)
    do throws(ChildProcess.Failure) {
      // The version is a line. Ten seconds are forty times what it takes on a busy machine.
      run = try ChildProcess.run(
        command, limit: 1 << 14, until: Timestamps.deadline(after: 10))
    } catch {
      throw .cannotStart("\(path) --version: \(error)")
    }
    guard run.ending == .exited(status: 0) else {
      throw .cannotStart("\(path) --version fails\(LastLines.phrase(run.log))")
    }
    return String(decoding: run.output, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
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
