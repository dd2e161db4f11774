import Measurement
import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomViewers

@Suite struct BrowserCommandTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Writes a program that runs a shell script, and returns its path.
  ///
  /// Another process writes it, because a file that this one writes is open in each process that another
  /// test starts meanwhile, too, and cannot be run then ("Text file busy").
  private func program(_ name: String, _ script: String) throws -> FilePath {
    let path = folder.path.appending(name)
    let write = #"printf '#!/bin/sh\n%s\n' "$1" >"$2" && chmod 755 "$2""#
    let command = WorkerCommand(
      label: "writer", executable: "/bin/sh", arguments: ["-c", write, "sh", script, path.string])
    let (ending, _, log) = try ChildProcess.run(command)
    try #require(ending == .exited(status: 0), "\(log)")
    return path
  }

  @Test func `a named browser tells its version`() throws {
    let path = try program("own-browser", "echo 'Chromium 1.2.3 '")
    let found = try BrowserCommand.find(path, in: [:])
    #expect(found.path == path)
    #expect(found.version == "Chromium 1.2.3")
  }

  @Test func `the argument precedes the variable, and names are looked for in PATH`() throws {
    let own = try program("own-browser", "echo Chromium own")
    let environment = [BrowserCommand.variable: "echo"]
    let error = #expect(throws: ViewerFailure.self) {
      try BrowserCommand.find(nil, in: environment)
    }
    #expect(error?.description.contains("echo is not Chromium but '") == true)
    #expect(try BrowserCommand.find(own, in: environment).path == own)
  }

  @Test func `a browser that does not exist is not replaced by another`() {
    let error = #expect(throws: ViewerFailure.self) {
      try BrowserCommand.find("/nonexistent/browser", in: [:])
    }
    let reason = "/nonexistent/browser cannot be run, or does not answer --version"
    #expect(error == .cannotStart(reason))
    #expect(error?.description.contains("apt-get install chromium-headless-shell") == true)
  }

  @Test func `a program that fails to tell its version is no browser`() throws {
    let path = try program("failing", "echo 'no library' >&2; exit 4")
    let error = #expect(throws: ViewerFailure.self) { try BrowserCommand.find(path, in: [:]) }
    #expect(error == .cannotStart("\(path) --version fails; it wrote 'no library'"))
  }

  @Test func `a program that is not Chromium is named with the first line of its version`() throws {
    let path = try program("true", "echo 'true 9.1'; echo 'There is no warranty.'")
    let error = #expect(throws: ViewerFailure.self) { try BrowserCommand.find(path, in: [:]) }
    #expect(error == .cannotStart("\(path) is not Chromium but 'true 9.1'"))
  }

  @Test func `only the named hosts can be reached`() throws {
    let command = try BrowserCommand.find(program("browser", "echo Chromium 1"), in: [:])
    let flags = command.flags(
      ratio: 1.25, size: ViewSize(width: 360, height: 480), profile: "profile",
      allows: ["localhost"])
    #expect(flags.contains("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost"))
    #expect(flags.contains("--force-device-scale-factor=1.25"))
    #expect(flags.contains("--window-size=360,480"))
  }
}
