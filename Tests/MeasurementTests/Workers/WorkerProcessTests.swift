#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Foundation
import Testing

@testable import Measurement

/// Workers as short shell scripts, each with another fault.
@Suite struct WorkerProcessTests {
  static let hello = #"read x; echo 'hello 1 {"tool":"sh","cases":[]}'; "#

  static func worker(_ script: String, limit: Double = 20) throws(WorkerError) -> WorkerProcess {
    try WorkerProcess(
      WorkerCommand(
        label: "base", executable: "/bin/sh", arguments: ["-c", script], timeLimitSeconds: limit))
  }

  /// Starts the script, sends hello, requests a sample, and returns the error.
  static func failure(_ script: String, limit: Double = 20) throws -> WorkerError {
    let worker = try worker(script, limit: limit)
    let error = #expect(throws: WorkerError.self) {
      _ = try worker.hello()
      _ = try worker.sample(0, round: 1, repeats: 1, extra: 0)
    }
    // The process is gone, not even a zombie, and so is its group.
    #expect(kill(worker.identifier, 0) == -1)
    #expect(errno == ESRCH)
    let found = try #require(error)
    #expect(!"\(found)".contains("\n"))
    #expect("\(found)".contains("the base worker (/bin/sh -c "))
    return found
  }

  @Test func `a program that is not there cannot be started`() {
    let error = #expect(throws: WorkerError.self) {
      try WorkerProcess(WorkerCommand(label: "base", executable: "/nowhere/at all"))
    }
    #expect(error?.problem == .cannotStart(code: ENOENT))
    #expect(error?.description.contains("('/nowhere/at all') cannot be started: No such") == true)
  }

  @Test func `a folder cannot be started`() {
    let error = #expect(throws: WorkerError.self) {
      try WorkerProcess(WorkerCommand(label: "base", executable: "/"))
    }
    #expect(error?.problem == .cannotStart(code: EACCES))
  }

  @Test func `a worker that ends is told by its status and its last words`() throws {
    let error = try Self.failure("read x; echo 'no corpus' >&2; exit 3")
    #expect(error.problem == .ended(.exited(status: 3)))
    #expect(error.request == "hello 1")
    #expect("\(error)".contains("ended with status 3 when asked 'hello 1'; it wrote 'no corpus'"))
  }

  @Test func `a worker that crashes is told by its signal`() throws {
    let error = try Self.failure(Self.hello + "read x; kill -SEGV $$")
    #expect(error.problem == .ended(.killed(signal: SIGSEGV)))
    #expect(error.request == "sample 0 1 1 0")
  }

  @Test func `a worker that says nothing is ended`() throws {
    #expect(try Self.failure("sleep 1000", limit: 0.2).problem == .silent(nanoseconds: 200_000_000))
  }

  @Test func `a worker that ignores every gentle signal is ended`() throws {
    let script = "trap '' TERM INT HUP PIPE; while :; do :; done"
    #expect(try Self.failure(script, limit: 0.2).problem == .silent(nanoseconds: 200_000_000))
  }

  @Test func `a worker that talks beside its output is silent all the same`() throws {
    let script = "while :; do echo noise >&2; done"
    let error = try Self.failure(script, limit: 0.3)
    #expect(error.problem == .silent(nanoseconds: 300_000_000))
    #expect(error.log.utf8.count <= ChildProcess.logLimit)
    #expect(error.log.hasSuffix("noise\n"))
  }

  @Test func `a line without an end is not waited for`() throws {
    let error = try Self.failure("read x; exec tr '\\0' x </dev/zero")
    #expect(error.problem == .overlong(limit: WorkerRequest.lineLimit))
  }

  @Test func `bytes that are no text are refused`() throws {
    #expect(try Self.failure("read x; printf '\\377\\n'; sleep 1000").problem == .notText)
  }

  @Test(arguments: ["hello 2 {}", "ready", "", "opened 1 2"])
  func `an answer that is none is refused`(line: String) throws {
    let error = try Self.failure("read x; echo '\(line)'; sleep 1000")
    guard case .notUnderstood = error.problem else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `an error is passed on`() throws {
    let error = try Self.failure(Self.hello + "read x; echo 'error no such file'; read x")
    #expect(error.problem == .refused("no such file"))
  }

  @Test func `two answers at once are one too many`() throws {
    let error = try Self.failure(
      Self.hello + "read x; printf 'sample 1 1 -\\nsample 2 2 -\\n'; sleep 1000")
    #expect(error.problem == .unasked("sample 2 2 -\n"))
  }

  @Test func `what is said before a request is not its answer`() throws {
    // A file shows when the line has been written; nothing was requested before that.
    let mark = "/tmp/zoombench-chatter-\(getpid())"
    defer { unlink(mark) }
    let worker = try Self.worker(
      Self.hello + "sleep 0.2; echo 'sample 1 1 -'; : >\(mark); sleep 1000")
    _ = try worker.hello()
    for _ in 0..<2000 where access(mark, F_OK) != 0 { usleep(10_000) }
    let error = #expect(throws: WorkerError.self) {
      try worker.sample(0, round: 1, repeats: 1, extra: 0)
    }
    #expect(error?.problem == .unasked("sample 1 1 -\n"))
  }

  @Test func `more time than passed is a lie`() throws {
    let error = try Self.failure(
      Self.hello + "read x; echo 'sample 3600000000000 1 -'; sleep 1000")
    guard case .impossible(claimedNanoseconds: 3_600_000_000_000, _) = error.problem else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a worker that does not read ends neither this process nor the run`() throws {
    // Its input is closed before it answers, so nothing reads the next request.
    let script = "read x; exec 0<&-; echo 'hello 1 {\"tool\":\"sh\",\"cases\":[]}'; sleep 1000"
    let error = try Self.failure(script)
    #expect(error.problem == .ended(.unknown))
  }

  @Test func `an ended worker stays ended`() throws {
    let worker = try Self.worker("exit 0")
    for _ in 0..<3 {
      #expect(throws: WorkerError.self) { try worker.hello() }
      worker.close()
    }
  }

  @Test func `a worker that is forgotten is ended`() throws {
    var worker: WorkerProcess? = try Self.worker("sleep 1000")
    let identifier = try #require(worker?.identifier)
    #expect(kill(identifier, 0) == 0)
    worker = nil
    #expect(kill(identifier, 0) == -1)
  }

  @Test func `what a worker started ends with it`() throws {
    let worker = try Self.worker(
      "read x; sleep 1000 & echo \"error $!\"; sleep 1000")
    let answer = try worker.answer(to: .hello)
    guard case .error(let text) = answer, let child = Int32(text) else {
      Issue.record("\(answer)")
      return
    }
    #expect(kill(child, 0) == 0)
    worker.close()
    // Its new parent must wait for it, which may take a moment, or forever in a container
    // without an init. A zombie's command line is empty, which also shows that it ended.
    var tries = 0
    func isGone() -> Bool {
      kill(child, 0) == -1 || SystemText.contents(ofFile: "/proc/\(child)/cmdline") == ""
    }
    while !isGone(), tries < 500 {
      usleep(10_000)
      tries += 1
    }
    #expect(isGone())
  }

  @Test func `variables are added to those of this process, and replace them`() throws {
    let worker = try WorkerProcess(
      WorkerCommand(
        label: "base", executable: "sh",
        arguments: ["-c", "read x; echo \"error $ZOOM $HOME${PATH:+ has a path}\"; cat"],
        environment: ["ZOOM": "8 = x", "HOME": "/there"]))
    #expect(try worker.answer(to: .hello) == .error("8 = x /there has a path"))
    worker.close()
  }

  @Test func `a command is shown as a shell would take it`() {
    let command = WorkerCommand(
      label: "base", executable: "/a b/worker", arguments: ["--x=1", "it's", "", "$HOME"])
    #expect(command.description == "'/a b/worker' --x=1 'it'\\''s' '' '$HOME'")
  }
}

@Suite struct LiveWorkersTests {
  // In a separate process, because the list of workers includes those of other tests.
  @Test func `an interrupted run ends every worker`() async {
    await #expect(processExitsWith: .success) {
      let workers = try (0..<3).map { number in
        try WorkerProcess(
          WorkerCommand(
            label: "\(number)", executable: "/bin/sh", arguments: ["-c", "sleep 1000"]))
      }
      #expect(LiveWorkers.count == 3)
      LiveWorkers.endAll()
      for worker in workers {
        let error = #expect(throws: WorkerError.self) { try worker.hello() }
        #expect(error?.problem == .ended(.killed(signal: 9)))
      }
      #expect(LiveWorkers.count == 0)
      // Work in progress cannot start another worker.
      #expect(LiveWorkers.isEnding)
      #expect {
        try WorkerProcess(WorkerCommand(label: "late", executable: "/bin/sh"))
      } throws: {
        ($0 as? WorkerError)?.problem == .cannotStart(code: ECANCELED)
      }
      #expect(LiveWorkers.count == 0)
    }
  }

  #if os(Linux)
    // If other code waited for the process, its number may belong to another one.
    @Test func `a worker that is lost does not stay in its account`() async {
      await #expect(processExitsWith: .success) {
        let account = ProcessorAccount()
        let process = try SpawnedProcess.start(
          WorkerCommand(
            label: "base", executable: "/bin/sh", arguments: ["-c", "while :; do :; done"]),
          account: account)
        usleep(50_000)
        kill(process.identifier, SIGKILL)
        var status: Int32 = 0
        #expect(waitpid(process.identifier, &status, 0) == process.identifier)
        #expect(LiveWorkers.end(process.identifier, patience: 0) == .unknown)
        #expect(account.isIdle)
      }
    }

    @Test func `the CPU time of a killed worker that does not end goes on counting`() async {
      await #expect(processExitsWith: .success) {
        let account = ProcessorAccount()
        let process = try SpawnedProcess.start(
          WorkerCommand(
            label: "base", executable: "/bin/sh", arguments: ["-c", "while :; do :; done"]),
          account: account)
        while account.nanoseconds ?? 0 < 50_000_000 { usleep(1000) }
        let before = try #require(LiveWorkers.processorTime())
        // Without an answer of `wait4`, it seems to hang inside the kernel.
        let ending = LiveWorkers.end(
          process.identifier, patience: 0, deathTime: 0, wait: { _, _, _, _ in 0 })
        #expect(ending == .unknown)
        let after = try #require(LiveWorkers.processorTime())
        #expect(after >= before)
        #expect(account.isIdle)
      }
    }

    @Test func `processes that a worker starts later count, though the first took next to nothing`()
      throws
    {
      let account = ProcessorAccount()
      let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
      let process = try SpawnedProcess.start(
        WorkerCommand(
          label: "base", executable: "/bin/sh",
          arguments: ["-c", "sh -c :; echo 1; read x; sh -c '\(busy)'; echo 2; read x"]),
        account: account)
      var lines = LineBuffer(limit: 100)
      #expect(lines.nextLine(from: process.output) == "1")
      account.note(descendants: [], of: process.identifier)
      #expect(PipeWriting.send("\n", to: process.input))
      #expect(lines.nextLine(from: process.output) == "2")
      let living = try #require(account.nanoseconds)
      for descriptor in [process.input, process.output, process.log] { close(descriptor) }
      _ = LiveWorkers.end(process.identifier, patience: 10_000_000_000)
      let ended = try #require(account.nanoseconds)
      // The second process used nearly all of the time, which is counted in hundredths of a second.
      #expect(living > ended / 2)
    }
  #endif
}

@Suite struct WorkerCommandTests {
  @Test func `an answer may take its limit or the time until the deadline, but a second at least`()
  {
    var command = WorkerCommand(label: "base", executable: "a", timeLimitSeconds: 60)
    #expect(command.timeLimit(at: 5) == 60_000_000_000)
    command.deadline = 100_000_000_000
    #expect(command.timeLimit(at: 30_000_000_000) == 60_000_000_000)
    #expect(command.timeLimit(at: 90_000_000_000) == 10_000_000_000)
    #expect(command.timeLimit(at: 99_500_000_000) == 1_000_000_000)
    #expect(command.timeLimit(at: 200_000_000_000) == 1_000_000_000)
    command.timeLimitSeconds = 0.2
    #expect(command.timeLimit(at: 200_000_000_000) == 200_000_000)
  }
}

@Suite struct CoreAffinityTests {
  @Test func `this process may run somewhere, where the system tells`() {
    let cores = CoreAffinity.allowed()
    #if os(Linux)
      #expect(!cores.isEmpty)
      #expect(cores.count <= ProcessInfo.processInfo.processorCount)
    #endif
    #expect(cores == cores.sorted() && Set(cores).count == cores.count)
  }

  #if os(Linux)
    @Test func `a worker is kept on the core that it was given`() throws {
      let core = try #require(CoreAffinity.allowed().last)
      // The kernel reports on which cores a process may run.
      var command = WorkerCommand(
        label: "base", executable: "/bin/sh",
        arguments: [
          "-c", "sleep 0.2; grep Cpus_allowed_list /proc/self/status >&2; read line; echo no",
        ])
      command.core = core
      let worker = try WorkerProcess(command)
      defer { worker.close() }
      #expect(throws: WorkerError.self) { try worker.hello() }
      #expect(worker.log.contains("Cpus_allowed_list:\t\(core)\n"), "\(worker.log)")
    }
  #endif

  @Test(arguments: [-1, 1024, 100_000])
  func `a core that is none is refused`(core: Int) {
    #expect(!CoreAffinity.pin(process: 0, to: core))
  }
}
