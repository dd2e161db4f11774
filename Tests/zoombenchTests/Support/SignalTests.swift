import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

/// Files and processes that remain after a command is interrupted.
@Suite struct SignalTests {
  /// Starts the command, and sends the signal once `isReady` accepts the name of a file.
  private func end(
    _ arguments: [String], with signal: Int32, in folder: TestFolder,
    environment: [String: String?] = [:], when isReady: (String) -> Bool
  ) async throws -> WorkerError.Ending {
    var command = try folder.command(arguments, environment: environment)
    // With low priority, because it works until the signal and must not slow down the other tests.
    command.arguments = ["-n", "19", command.executable] + command.arguments
    command.executable = "/usr/bin/nice"
    let process = try ChildProcess(command)
    // Bounded, so that a command that never becomes ready fails the test instead of hanging it.
    var attempts = 3000
    while attempts > 0, try !folder.names().contains(where: isReady) {
      attempts -= 1
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(attempts > 0, "the command never became ready for the signal")
    kill(process.identifier, attempts > 0 ? signal : SIGKILL)
    return try process.rest(
      limit: 1 << 20, until: Timestamps.monotonic() + 60_000_000_000
    ).ending
  }

  /// A program whose description bench writes into its folder for temporary files before it measures.
  private static let null = ["--sources", "naive", "--pipeline", "x=command:true {file} {out}"]

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `a benchmark that is ended removes its temporary files`(signal: Int32) async throws {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    let status = try await end(
      ["a.jpg", "--rounds", "1000000", "-o", "out.json"] + Self.null, with: signal, in: folder
    ) { $0.hasPrefix("tmp/zoombench.") && $0.hasSuffix("/program-0.json") }
    #expect(status == .killed(signal: signal))
    #expect(try folder.names() == ["work/a.jpg"])
  }

  @Test func `making the corpus leaves no half-made picture when it is ended`() async throws {
    let folder = try TestFolder()
    let status = try await end(
      // Many minutes of work, so that it cannot end before the signal.
      ["corpus", "make", "huge-png", "--corpus-folder", "corpus"], with: SIGINT, in: folder
    ) { $0.hasPrefix("work/corpus/") }
    #expect(status == .killed(signal: SIGINT))
    let left = try folder.names()
    #expect(left == ["work/corpus"])
  }

  @Test func `the page opens by a file for this user alone, and no process shows the token`()
    async throws
  {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    let browser = """
      #!/bin/sh
      ls -l "$1" | cut -c1-10 > opened.tmp
      ls -ld "$(dirname "$1")" | cut -c1-10 >> opened.tmp
      tr '\\0' ' ' < /proc/$PPID/cmdline >> opened.tmp
      echo " $*" >> opened.tmp
      cat "$1" >> opened.tmp
      mv opened.tmp opened

      """
    for name in ["open", "xdg-open"] {
      try folder.writeProgram(browser, to: "bin/\(name)")
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let status = try await end(
      ["play", "a.jpg", "--open", "--port", "0"], with: SIGTERM, in: folder,
      environment: [
        "PATH": "\(folder.file("bin")):\(path)", "ZOOMBENCH_TOKEN": "abcdefghijklmnop1234",
      ]
    ) { $0.hasSuffix("/opened") }
    #expect(status == .killed(signal: SIGTERM))
    let lines = String(decoding: try folder.bytes(of: "opened"), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.prefix(2) == ["-rw-------", "drwx------"])
    #expect(lines[2].contains("play a.jpg") && !lines[2].contains("abcdefghijklmnop1234"))
    #expect(lines.last?.contains("?token=abcdefghijklmnop1234\"") == true)
    #expect(try !folder.names().contains { $0.hasPrefix("tmp/") })
  }

  @Test func `a comparison that is ended ends its build and the processes of the build`()
    async throws
  {
    let folder = try TestFolder()
    // A fake compiler that starts another program in a separate session, and waits.
    let fake = """
      #!/bin/sh
      case "$*" in
        --version) echo "Swift version 6.0" ;;
        *--show-bin-path*) echo "$PWD" ;;
        build*)
          setsid sleep 600 &
          echo $! > started.tmp && echo $$ >> started.tmp && mv started.tmp started
          wait ;;
        *) exit 1 ;;
      esac

      """
    try folder.writeProgram(fake, to: "bin/swift")
    try folder.write("".utf8, to: "Package.swift")
    try TestRepository(in: folder.path).commit("first")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // The second comparison does not find a lock or a half-made build of the first.
    for _ in 0..<2 {
      let status = try await end(
        ["compare", "HEAD", "HEAD", "--product", "tiny"], with: SIGTERM, in: folder,
        environment: ["PATH": "\(folder.file("bin")):\(path)"]
      ) { $0.hasSuffix("/started") }
      #expect(status == .killed(signal: SIGTERM))
      let started = try #require(try folder.names().first { $0.hasSuffix("/started") })
      let note = folder.path.removingLastComponent().appending(started).string
      let text = try String(contentsOfFile: note, encoding: .utf8)
      let processes = text.split(separator: "\n").compactMap { Int32($0) }
      #expect(processes.count == 2)
      for process in processes { #expect(!ProcessStatus.isRunning(process)) }
      try FileManager.default.removeItem(atPath: note)
    }
  }

  @Test func `a benchmark that is cancelled writes what it has measured`() async throws {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    let status = try await end(
      ["a.jpg", "--rounds", "1000000", "--format", "json", "-o", "out.json"] + Self.null,
      with: SIGINT, in: folder
    ) { $0.hasSuffix("/program-0.json") }
    #expect(status == .exited(status: 130))
    #expect(try folder.names() == ["work/a.jpg", "work/out.json"])
    let text = String(decoding: try folder.bytes(of: "out.json"), as: UTF8.self)
    #expect(text.contains("\"partial\""))
  }
}
