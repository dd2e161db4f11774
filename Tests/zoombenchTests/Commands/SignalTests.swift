import Foundation
import Subprocess
import SystemPackage
import Testing

@testable import zoombench

/// Files and processes that remain after a command is interrupted.
@Suite struct SignalTests {
  /// Starts the command, and sends the signal once `isReady` accepts the name of a file.
  private func end(
    _ arguments: [String], with signal: Signal, in folder: TestFolder,
    environment: [Environment.Key: String?] = [:], when isReady: @Sendable (String) -> Bool
  ) async throws -> TerminationStatus {
    // With low priority, because it works until the signal and must not slow down the other tests.
    let result = try await Subprocess.run(
      .path("/usr/bin/nice"),
      arguments: Arguments(["-n", "19", try TestFolder.executable().string] + arguments),
      environment: folder.environment(environment), workingDirectory: folder.path, input: .none,
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20)
    ) { execution in
      // Bounded, so that a command that never becomes ready fails the test instead of hanging it.
      for _ in 0..<3000 {
        if try folder.names().contains(where: isReady) {
          try execution.send(signal: signal)
          return true
        }
        try await Task.sleep(for: .milliseconds(10))
      }
      try execution.send(signal: .kill)
      return false
    }
    #expect(result.closureResult, "the command did not get to the point where it is to be ended")
    return result.terminationStatus
  }

  @Test(arguments: [Signal.interrupt, .terminate, .terminalClosed, .quit])
  func `a benchmark that is ended removes its folder for temporary files`(
    signal: Signal
  ) async throws {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "a.jpg")
      let status = try await end(
        ["a.jpg", "--rounds", "1000000", "--sources", "partial", "-o", "out.json"], with: signal,
        in: folder
      ) { $0.hasPrefix("tmp/zoombench.") && $0.hasSuffix("/.zoombench-scratch") }
      #expect(status == .signaled(signal.rawValue))
      #expect(try folder.names() == ["work/a.jpg"])
    }
  }

  @Test func `making the corpus leaves no half-made picture when it is ended`() async throws {
    try await TestFolder.with { folder in
      let status = try await end(
        // Minutes of work in a debug build, so that it cannot end before the signal.
        ["corpus", "make", "gigapixel", "--corpus-folder", "corpus"], with: .interrupt, in: folder
      ) { $0.hasPrefix("work/corpus/") }
      #expect(status == .signaled(Signal.interrupt.rawValue))
      #expect(try folder.names() == ["work/corpus"])
    }
  }

  @Test func `the page opens by a file for this user alone, and no process shows the token`()
    async throws
  {
    try await TestFolder.with { folder in
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
        try folder.write(browser.utf8, to: "bin/\(name)")
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: folder.file("bin/\(name)").string)
      }
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let status = try await end(
        ["play", "a.jpg", "--open", "--port", "0"], with: .terminate, in: folder,
        environment: [
          "PATH": "\(folder.file("bin")):\(path)", "ZOOMBENCH_TOKEN": "abcdefghijklmnop1234",
        ]
      ) { $0.hasSuffix("/opened") }
      #expect(status == .signaled(Signal.terminate.rawValue))
      let lines = String(decoding: try folder.bytes(of: "opened"), as: UTF8.self)
        .split(separator: "\n")
      #expect(lines.prefix(2) == ["-rw-------", "drwx------"])
      #expect(lines[2].contains("play a.jpg") && !lines[2].contains("abcdefghijklmnop1234"))
      #expect(lines.last?.contains("?token=abcdefghijklmnop1234\"") == true)
      #expect(try !folder.names().contains { $0.hasPrefix("tmp/") })
    }
  }

  @Test func `a comparison that is ended ends its build, and what that has started`()
    async throws
  {
    try await TestFolder.with { folder in
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
      try folder.write(fake.utf8, to: "bin/swift")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.file("bin/swift").string)
      try folder.write("".utf8, to: "Package.swift")
      for words in [
        ["init", "-q"], ["add", "Package.swift"],
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "first"],
      ] {
        #expect(try await Tool.git.run(words, in: folder.path).isSuccess)
      }
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let status = try await end(
        ["compare", "HEAD", "HEAD", "--product", "tiny"], with: .terminate, in: folder,
        environment: ["PATH": "\(folder.file("bin")):\(path)"]
      ) { $0.hasSuffix("/started") }
      #expect(status == .signaled(Signal.terminate.rawValue))
      let started = try #require(try folder.names().first { $0.hasSuffix("/started") })
      let text = try String(
        contentsOfFile: folder.path.removingLastComponent().appending(started).string,
        encoding: .utf8)
      let processes = text.split(separator: "\n").compactMap { Int32($0) }
      #expect(processes.count == 2)
      for process in processes {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        #expect(state == nil || state?.contains(") Z ") == true, "\(state ?? "")")
      }
    }
  }
}
