#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Measurement
import Testing

/// Processes as short shell scripts.
@Suite struct ChildProcessTests {
  static func shell(_ script: String) -> WorkerCommand {
    WorkerCommand(label: "sh", executable: "sh", arguments: ["-c", script])
  }

  @Test(arguments: [0, 3, 255] as [Int32])
  func `the status, the output and the log are returned`(status: Int32) throws {
    let command = Self.shell("cat; echo log >&2; exit \(status)")
    let result = try ChildProcess.run(command, input: "text")
    #expect(result.ending == .exited(status: status))
    #expect(result.output == Array("text".utf8) && result.log == "log\n")
    #expect(try ChildProcess.run(Self.shell("kill -9 $$")).ending == .killed(signal: 9))
  }

  /// More than a pipe holds; a program whose log is not read would hang.
  private static let much = "head -c 300000 /dev/zero | tr '\\0' x"

  @Test(arguments: [
    "\(much); \(much) >&2", "\(much) >&2; \(much)", "\(much); exec >&-; \(much) >&2",
  ])
  func `output and log are read at the same time`(script: String) throws {
    let result = try ChildProcess.run(Self.shell(script))
    #expect(result.output.count == 300_000 && result.log.utf8.count == 300_000)
  }

  @Test func `the end of a program is noticed although another one holds its output`() throws {
    let result = try ChildProcess.run(Self.shell("sleep 1000 & echo a"))
    #expect(result.ending == .exited(status: 0) && result.output == Array("a\n".utf8))
  }

  @Test func `lines and blocks may be taken in any order`() throws {
    let process = try ChildProcess(Self.shell("printf 'ab\\ncdefg\\n\\nhi'"))
    #expect(try process.line(until: .max) == Array("ab".utf8))
    #expect(try process.take(3, until: .max) == Array("cde".utf8))
    #expect(process.hasUnread)
    #expect(try process.line(until: .max) == Array("fg".utf8))
    #expect(try process.line(until: .max) == [])
    let rest = try process.rest(limit: 2, until: .max)
    #expect(rest.output == Array("hi".utf8) && rest.ending == .exited(status: 0))
    #expect(throws: ChildProcess.Failure.ended(.unknown)) { try process.line(until: .max) }
  }

  @Test func `a process works in its folder, from which its path is resolved`() throws {
    var command = WorkerCommand(label: "sh", executable: "./sh", arguments: ["-c", "pwd"])
    command.folder = "/bin"
    #expect(try ChildProcess.run(command).ending == .exited(status: 0))
    command.executable = "pwd"
    command.arguments = []
    command.folder = "/"
    #expect(try ChildProcess.run(command).output == Array("/\n".utf8))
  }

  #if os(Linux)
    @Test(arguments: [
      ("exec tr '\\0' x </dev/zero", ChildProcess.Failure.overlong), ("wait", .late),
    ])
    func `a process beyond its limits is killed with what it has started`(
      script: String, failure: ChildProcess.Failure
    ) throws {
      let process = try ChildProcess(
        Self.shell(
          "setsid sleep 1000 >/dev/null 2>&1 & echo $! $ZOOMBENCH_PROGRAM; \(script)"))
      let line = String(decoding: try process.line(until: .max), as: UTF8.self)
      let words = line.split(separator: " ")
      let started = try #require(Int32(words[0]))
      // The mark follows those that this process has inherited.
      let inherited = getenv("ZOOMBENCH_PROGRAM").map { String(cString: $0) } ?? ""
      #expect(words[1].hasPrefix(inherited) && words[1].count > inherited.count)
      let deadline = failure == .late ? Timestamps.monotonic() + 300_000_000 : .max
      #expect(throws: failure) { try process.rest(limit: 100_000, until: deadline) }
      // A killed process ends when the kernel schedules it.
      let patience = Timestamps.monotonic() + 60_000_000_000
      while ProcessStatus.isRunning(started), Timestamps.monotonic() < patience { usleep(1000) }
      #expect(!process.isRunning && !ProcessStatus.isRunning(started))
    }

    @Test func `processes that an ended program leaves continue`() throws {
      // The shell waits until the other program has left its group.
      let script = "echo $(setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' 2>/dev/null &)"
      let result = try ChildProcess.run(Self.shell(script))
      let text = String(decoding: result.output.dropLast(), as: UTF8.self)
      let started = try #require(Int32(text))
      #expect(ProcessStatus.isRunning(started))
      kill(started, SIGKILL)
    }
  #endif

  // In a separate process, because no worker can be started there afterwards.
  @Test func `an interrupted run lets workers end, and kills those that do not`() async {
    await #expect(processExitsWith: .success) {
      let processes = try ["trap 'exit 7' TERM", "trap '' TERM"].map {
        try ChildProcess(ChildProcessTests.shell("\($0); echo; while :; do sleep 0.01; done"))
      }
      for process in processes { _ = try process.line(until: .max) }
      LiveWorkers.endAll(patience: 1_000_000_000)
      let endings = processes.map { $0.end(patience: 1_000_000_000) }
      #expect(endings == [.exited(status: 7), .killed(signal: SIGKILL)])
      // Work in progress cannot start another worker.
      #expect(LiveWorkers.count == 0 && LiveWorkers.isEnding)
      #expect(throws: ChildProcess.Failure.cannotStart(code: ECANCELED)) {
        try ChildProcess(ChildProcessTests.shell("exit"))
      }
    }
  }
}
