internal import Foundation
internal import Measurement
package import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

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
        command, limit: 1 << 14, until: Timestamps.monotonic().addingSaturating(10_000_000_000))
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

/// A running browser of one device pixel ratio, with one page at a time.
final class BrowserProcess {
  /// The number of device pixels per CSS pixel, which cannot change: screenshots follow only the flag.
  let ratio: Double
  private let command: BrowserCommand
  private let tools: DevTools
  private let profile: ScratchFolder
  private var current: VirtualPage?

  /// Starts a browser whose pages may reach some hosts; throws `cannotStart`.
  init(
    _ command: BrowserCommand, ratio: Double, size: ViewSize, allows hosts: [String] = []
  ) throws(ViewerFailure) {
    do throws(PipelineError) { profile = try ScratchFolder() } catch {
      throw .cannotStart("\(error)")
    }
    (self.command, self.ratio) = (command, ratio)
    let flags = command.flags(ratio: ratio, size: size, profile: profile.path, allows: hosts)
    // The browser reads commands at descriptor 3 and writes answers to 4.
    tools = try DevTools(
      WorkerCommand(
        label: "browser", executable: "/bin/sh",
        arguments: [
          "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", command.path.string,
        ] + flags))
    do {
      try tools.call("Browser.getVersion")
    } catch {
      throw error.isDeath ? .cannotStart("\(command.path): \(error)") : error
    }
  }

  deinit { close() }

  /// Returns the last page at an origin such as "https://v.test", or a fresh one, which shares no storage,
  /// cache or process with it.
  func page(fresh: Bool, size: ViewSize, origin: String) throws(ViewerFailure) -> VirtualPage {
    if let current, !fresh, current.origin == origin {
      try current.resize(to: size)
      return current
    }
    try current?.close()
    current = nil
    do {
      let page = try VirtualPage(tools, size: size, origin: origin)
      current = page
      return page
    } catch {
      guard case .protocol(let refusal) = error else { throw error }
      throw .tooOld(version: command.version, lacks: "what a page needs: \(refusal)")
    }
  }

  /// Returns the peak resident memory of the largest process of pages in bytes; nil if it is unknown.
  func rendererMemory() throws(ViewerFailure) -> UInt64? {
    let found = try tools.call("SystemInfo.getProcessInfo")["processInfo"] as? [JSONObject] ?? []
    return found.filter { $0["type"] as? String == "renderer" }.compactMap { process -> UInt64? in
      guard let id = process["id"] as? Int,
        let status = SystemText.contents(ofFile: "/proc/\(id)/status")
      else { return nil }
      return SystemText.bytes(of: "VmHWM", in: status)
    }.max()
  }

  func close() {
    tools.end()
    profile.remove()
  }
}
