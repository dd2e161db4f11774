internal import Foundation
internal import Measurement
package import SystemPackage
package import ZoomGeometry

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A headless Chromium on this machine.
package struct BrowserCommand: Sendable, Hashable {
  /// The program's path.
  package let path: FilePath
  /// The program's name and version: "Chromium 156.0.8078.108".
  package let version: String

  /// The variable of the environment that names a browser.
  static let variable = "ZOOMBENCH_BROWSER"
  /// Debian's place, then names to look for in PATH; the headless shell alone obeys BeginFrames.
  private static let usual = [
    "/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell",
    "chrome-headless-shell",
  ]

  /// Finds a browser: the named one, that of ZOOMBENCH_BROWSER, or an installed headless shell.
  ///
  /// - Throws: `notInstalled`; `cannotStart` if its version cannot be read.
  package static func find(_ named: FilePath?) throws(ViewerFailure) -> BrowserCommand {
    try find(named, in: ProcessInfo.processInfo.environment)
  }

  static func find(
    _ named: FilePath?, in environment: [String: String]
  ) throws(ViewerFailure) -> BrowserCommand {
    let wanted = named?.string ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    let folders = environment["PATH", default: ""].split(separator: ":").map(String.init)
    for name in wanted.map({ [$0] }) ?? usual {
      let places = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
      if let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) {
        return try BrowserCommand(path: FilePath(place))
      }
    }
    throw .notInstalled(
      wanted.map { "\($0) is not a program" } ?? "no headless Chromium is installed")
  }

  /// Asks the program for its version.
  private init(path: FilePath) throws(ViewerFailure) {
    let command = WorkerCommand(
      label: "browser", executable: path.string, arguments: ["--version"])
    let run: (ending: WorkerError.Ending, output: [UInt8], log: String)
    do throws(ChildProcess.Failure) {
      // The version is a line. Ten seconds are forty times what it takes on a busy machine.
      run = try ChildProcess.run(
        command, limit: 1 << 14, until: Timestamps.monotonic().addingSaturating(10_000_000_000))
    } catch {
      throw .cannotStart("\(path) --version: \(error)")
    }
    guard run.ending == .exited(status: 0) else {
      throw .cannotStart("\(path) --version fails\(LastLines.phrase(run.log))")
    }
    self.path = path
    version = String(decoding: run.output, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the arguments of a start.
  ///
  /// - Parameters:
  ///   - ratio: The number of device pixels per CSS pixel; screenshots follow only this flag.
  ///   - size: The size of the window in CSS pixels.
  ///   - profile: The folder of the browser's own files.
  ///   - hosts: The hosts that the page may reach; all others are answered from memory.
  /// - Returns: The flags of Chromium.
  package func flags(
    ratio: Double, size: ViewSize, profile: FilePath, allows hosts: [String]
  ) -> [String] {
    let resolving = ["MAP * ~NOTFOUND"] + hosts.map { "EXCLUDE \($0)" }
    var flags = [
      "--headless", "--remote-debugging-pipe", "--deterministic-mode", "--hide-scrollbars",
      "--force-color-profile=srgb", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--disable-dev-shm-usage", "--mute-audio", "--no-first-run",
      // With this feature, the compositor waits for touches by a clock that stands.
      "--disable-features=WaitForLateScrollEvents",
    ]
    flags.append("--force-device-scale-factor=\(ratio)")
    flags.append("--user-data-dir=\(profile)")
    flags.append("--window-size=\(Int(size.width)),\(Int(size.height))")
    flags.append("--host-resolver-rules=\(resolving.joined(separator: ", "))")
    // Chromium refuses to be sandboxed as root.
    if geteuid() == 0 { flags.append("--no-sandbox") }
    return flags
  }
}
