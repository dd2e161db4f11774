#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Foundation
import Testing

@testable import Measurement

/// Workers as short shell scripts, each with a different fault.
@Suite struct WorkerProcessTests {
  static let listing =
    #"echo 'hello 1 {"tool":"sh","cases":[{"name":"a","role":"gated"}]}'; "#
  static let hello = "read x; " + listing

  static func worker(_ script: String, limit: Double = 20) throws(WorkerError) -> WorkerProcess {
    try WorkerProcess(
      WorkerCommand(
        label: "base", executable: "/bin/sh", arguments: ["-c", script], timeLimitSeconds: limit))
  }

  /// Starts the script, sends hello, requests a sample, and returns the error.
  static func failure(_ script: String, limit: Double = 20) throws -> WorkerError {
    let worker = try worker(script, limit: limit)
    let error = #expect(throws: WorkerError.self) {
      _ = try WorkerGroup.Member(of: worker, try worker.hello(), case: "a").sample(round: 1)
    }
    // The process is gone, not even a zombie, and so is its group.
    #expect(kill(worker.identifier, 0) == -1)
    #expect(errno == ESRCH)
    let found = try #require(error)
    #expect(!"\(found)".contains("\n"))
    #expect("\(found)".contains("the base worker (/bin/sh -c "))
    return found
  }

  @Test(arguments: [("/nowhere/at all", ENOENT), ("/", EACCES)])
  func `a program that is missing or a folder cannot be started`(path: String, code: Int32) {
    let error = #expect(throws: WorkerError.self) {
      try WorkerProcess(WorkerCommand(label: "base", executable: path))
    }
    #expect(error?.problem == .cannotStart(code: code))
    #expect(error?.description.contains(") cannot be started: ") == true)
  }

  @Test(
    arguments: [
      (hello + "read x; kill -SEGV $$", 20, .ended(.killed(signal: SIGSEGV))),
      ("sleep 1000", 0.2, .silent(nanoseconds: 200_000_000)),
      // It ignores every gentle signal.
      (
        "trap '' TERM INT HUP PIPE; while :; do :; done", 0.2,
        .silent(nanoseconds: 200_000_000)
      ),
      // A line without an end, and bytes that are not text.
      ("read x; exec tr '\\0' x </dev/zero", 20, .overlong(limit: WorkerRequest.lineLimit)),
      ("read x; printf '\\377\\n'; sleep 1000", 20, .notText),
      (hello + "read x; echo 'error no such file'; read x", 20, .refused("no such file")),
      // Two answers to one request.
      (
        hello + "read x; printf 'sample 1 1 -\\nsample 2 2 -\\n'; sleep 1000", 20,
        .unasked("sample 2 2 -\n")
      ),
      // Its input is closed before it answers, so nothing reads the next request.
      ("read x; exec 0<&-; " + listing + "sleep 1000", 20, .ended(.unknown)),
    ] as [(String, Double, WorkerError.Problem)])
  func `a worker with a fault is ended, and the fault is named`(
    script: String, limit: Double, problem: WorkerError.Problem
  ) throws {
    #expect(try Self.failure(script, limit: limit).problem == problem)
  }

  @Test func `a worker that ends is named with its status and its last words`() throws {
    let error = try Self.failure("read x; echo 'no corpus' >&2; exit 3")
    #expect(error.problem == .ended(.exited(status: 3)))
    #expect("\(error)".contains("ended with status 3 when asked 'hello 1'; it wrote 'no corpus'"))
  }

  @Test func `a worker that writes only to standard error is silent`() throws {
    let error = try Self.failure("while :; do echo noise >&2; done", limit: 0.3)
    #expect(error.problem == .silent(nanoseconds: 300_000_000))
    #expect(error.log.utf8.count <= ChildProcess.logLimit)
    #expect(error.log.hasSuffix("noise\n"))
  }

  @Test(arguments: ["hello 2 {}", "ready", "", "opened 1 2"])
  func `a line that is not an answer is refused`(line: String) throws {
    let error = try Self.failure("read x; echo '\(line)'; sleep 1000")
    guard case .notUnderstood = error.problem else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a line sent before a request is not its answer`() throws {
    // A file shows when the line has been written; nothing was requested before that.
    let mark = "/tmp/zoombench-chatter-\(getpid())"
    defer { unlink(mark) }
    let worker = try Self.worker(
      Self.hello + "sleep 0.2; echo 'sample 1 1 -'; : >\(mark); sleep 1000")
    let listing = try worker.hello()
    for _ in 0..<2000 where access(mark, F_OK) != 0 { usleep(10_000) }
    let error = #expect(throws: WorkerError.self) {
      try WorkerGroup.Member(of: worker, listing, case: "a").sample(round: 1)
    }
    #expect(error?.problem == .unasked("sample 1 1 -\n"))
  }

  @Test func `a reported time longer than the answer took is refused`() throws {
    let error = try Self.failure(
      Self.hello + "read x; echo 'sample 3600000000000 1 -'; sleep 1000")
    guard case .impossible(claimedNanoseconds: 3_600_000_000_000, _) = error.problem else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a worker that is released is ended`() throws {
    var worker: WorkerProcess? = try Self.worker("sleep 1000")
    let identifier = try #require(worker?.identifier)
    #expect(kill(identifier, 0) == 0)
    worker = nil
    #expect(kill(identifier, 0) == -1)
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
}

@Suite struct LiveWorkersTests {
  #if os(Linux)
    /// Starts a process that is busy until it is ended.
    private static func busy(_ account: ProcessorAccount) throws -> SpawnedProcess {
      let loop = ["-c", "while :; do :; done"]
      return try SpawnedProcess.start(
        WorkerCommand(label: "base", executable: "/bin/sh", arguments: loop), account: account)
    }

    // If other code waited for the process, its number may belong to another one.
    @Test func `a worker that is lost does not stay in its account`() async {
      await #expect(processExitsWith: .success) {
        let account = ProcessorAccount()
        let process = try LiveWorkersTests.busy(account)
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
        let process = try LiveWorkersTests.busy(account)
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
  @Test func `an answer may take its limit or the time until the deadline, but 5 s at least`() {
    var command = WorkerCommand(label: "base", executable: "a", timeLimitSeconds: 60)
    #expect(command.timeLimit(at: 5) == 60_000_000_000)
    command.deadline = 100_000_000_000
    #expect(command.timeLimit(at: 30_000_000_000) == 60_000_000_000)
    #expect(command.timeLimit(at: 90_000_000_000) == 10_000_000_000)
    #expect(command.timeLimit(at: 99_500_000_000) == 5_000_000_000)
    #expect(command.timeLimit(at: 200_000_000_000) == 5_000_000_000)
    command.timeLimitSeconds = 0.2
    #expect(command.timeLimit(at: 200_000_000_000) == 200_000_000)
  }
}

@Suite struct CoreAffinityTests {
  @Test func `this process has cores in ascending order, where the system lists them`() {
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
  func `a core that does not exist is refused`(core: Int) {
    #expect(!CoreAffinity.pin(process: 0, to: core))
  }
}
