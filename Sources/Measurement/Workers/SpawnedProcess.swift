internal import Synchronization

// `environ` is a C variable that Swift considers unsafe. It is only read, as `getenv` does.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// A process started with three pipes.
package struct SpawnedProcess {
  /// The process, which leads a group with the same number.
  package let identifier: Int32
  /// The writing end of its standard input.
  package let input: Int32
  /// The reading end of its standard output.
  package let output: Int32
  /// The reading end of its standard error.
  package let log: Int32
  private let started = Timestamps.monotonic()

  /// A lower bound for its descendants' numbers: its own number, or 0 if numbers may have wrapped around.
  var firstDescendant: Int32 {
    // No system starts 32,768 processes, Linux' smallest range of numbers, in a second. The last field of
    // the file is the number of the newest process.
    guard Timestamps.monotonic() - started < 1_000_000_000,
      let text = SystemText.contents(ofFile: "/proc/loadavg"),
      let newest = text.split(whereSeparator: \.isWhitespace).last.flatMap({ Int32($0) })
    else { return 0 }
    return newest >= identifier ? identifier : 0
  }

  package struct Failure: Error, Sendable, Hashable {
    package let code: Int32
  }

  /// Starts a process, and adds it to the live workers.
  ///
  /// It gets three pipes and no close-on-exec descriptor of this process. It leads a process group, so that
  /// it can be ended with its children, and has the default signal handling of a shell.
  ///
  /// It and its children carry a mark by which they can be found.
  ///
  /// - Throws: `Failure`, if there are no more descriptors or the program cannot be run; ECANCELED
  ///   after `LiveWorkers.endAll()`.
  package static func start(
    _ command: WorkerCommand, as mark: MarkedProcesses = MarkedProcesses(),
    account: ProcessorAccount = ProcessorAccount()
  ) throws(Failure) -> SpawnedProcess {
    // Pipes become close-on-exec only after their creation (Glibc does not export `pipe2` to Swift). A
    // process started at that moment would keep our ends open, so our own starts are serialised.
    // `ChildProcess` handles those of other libraries.
    let started = lock.withLock { _ in
      Result { () throws(Failure) in
        if LiveWorkers.isEnding { throw Failure(code: ECANCELED) }
        let process = try startAlone(command, mark.environment)
        LiveWorkers.insert(process.identifier, account: account)
        return process
      }
    }
    return try started.get()
  }

  /// Starts a program that may outlive this process, such as a browser; nothing is sent to it or read from it.
  ///
  /// It is not a worker and carries no mark. It must not write to its standard output or error.
  ///
  /// - Throws: `Failure`, as `start` does.
  package static func startDetached(_ command: WorkerCommand) throws(Failure) {
    let started = lock.withLock { _ in
      Result { () throws(Failure) in try startAlone(command, [:]) }
    }
    let process = try started.get()
    for descriptor in [process.input, process.output, process.log] { close(descriptor) }
  }

  /// Held while a process is started and registered, so that `endAll` misses none.
  fileprivate static let lock = Mutex<Void>(())

  private static func startAlone(
    _ command: WorkerCommand, _ variables: [String: String]
  ) throws(Failure) -> SpawnedProcess {
    var open: [Int32] = []
    var identifier: pid_t = 0
    do throws(Failure) {
      for _ in 0..<3 { open += try pipeEnds() }
      let code = spawn(
        command, variables, input: open[0], output: open[3], log: open[5], identifier: &identifier)
      if code != 0 { throw Failure(code: code) }
    } catch {
      for descriptor in open { close(descriptor) }
      throw error
    }
    for index in [0, 3, 5] { close(open[index]) }
    PipeWriting.withoutSignals(open[1])
    return SpawnedProcess(
      identifier: identifier, input: open[1], output: open[2], log: open[4])
  }

  /// Creates a pipe, the reading end first, both close-on-exec and above the standard descriptors.
  ///
  /// If this process's standard input is closed, a pipe could get 0, which cannot be passed to the child.
  private static func pipeEnds() throws(Failure) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for index in ends.indices where ends[index] < 3 {
      let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3)
      let code = errno
      close(ends[index])
      ends[index] = moved
      guard moved >= 0 else {
        close(ends[1 - index])
        throw Failure(code: code)
      }
    }
    return ends
  }

  private static func spawn(
    _ command: WorkerCommand, _ more: [String: String], input: Int32, output: Int32, log: Int32,
    identifier: inout pid_t
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = FileActions()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (place, descriptor) in [input, output, log].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
    }
    var words = [command.executable] + command.arguments
    if let folder = command.folder, !change(&actions, to: folder) {
      words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + words
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    posix_spawnattr_setsigmask(&attributes, &usual)
    // A child inherits ignored signals from its parent.
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF)
      | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment(
      with: command.environment.merging(more) { $1 }
    )
    .map { strdup($0) }
    defer { for text in arguments + variables { free(text) } }
    arguments.append(nil)
    variables.append(nil)
    return posix_spawnp(
      &identifier, words[0], &actions, &attributes, arguments, variables)
  }

  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
  #endif

  /// Makes the process start in a folder; returns false if the C library lacks a function for that.
  private static func change(_ actions: inout FileActions, to folder: String) -> Bool {
    #if os(Linux)
      typealias Change =
        @convention(c) (UnsafeMutablePointer<FileActions>, UnsafePointer<CChar>) -> Int32
      guard
        let change = CLibrary.function("posix_spawn_file_actions_addchdir_np", as: Change.self)
      else { return false }
      return change(&actions, folder) == 0
    #else
      return false
    #endif
  }

  /// Returns the variables of this process; additions replace variables of the same name.
  private static func environment(with additions: [String: String]) -> [String] {
    var result = additions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let text = entry?.pointee {
      let variable = String(cString: text)
      let name = variable.prefix { $0 != "=" }
      if additions[String(name)] == nil { result.append(variable) }
      entry = entry?.advanced(by: 1)
    }
    return result
  }
}

/// The workers of this process that have not been awaited.
package enum LiveWorkers {
  private static let accounts = Mutex<[Int32: ProcessorAccount]>([:])
  private static let ending = Atomic<Bool>(false)
  /// The CPU time of ended workers and descendants that were not awaited, in nanoseconds.
  private static let unwaited = Mutex<UInt64>(0)

  /// Whether an interrupted run is ending its workers: no other is started, and failures are due to this.
  package static var isEnding: Bool { ending.load(ordering: .sequentiallyConsistent) }

  fileprivate static func insert(_ identifier: Int32, account: ProcessorAccount) {
    account.begin(identifier)
    accounts.withLock { $0[identifier] = account }
  }

  /// Kills all workers and their children, and prevents new ones; for an interrupted run.
  ///
  /// It may be called on any thread, but not in a signal handler. A thread that waits for an answer then
  /// gets the error that the worker has ended, after `isEnding` is set.
  ///
  /// - Parameter patience: The nanoseconds in which workers may end at SIGTERM, and remove their files; zero
  ///   to kill them at once.
  package static func endAll(patience: UInt64 = 0) {
    SpawnedProcess.lock.withLock { _ in ending.store(true, ordering: .sequentiallyConsistent) }
    func send(_ signal: Int32) {
      accounts.withLock { for identifier in $0.keys { kill(-identifier, signal) } }
    }
    if patience > 0 {
      send(SIGTERM)
      let deadline = Timestamps.monotonic().addingSaturating(patience)
      while !identifiers.allSatisfy(hasEnded), Timestamps.monotonic() < deadline { usleep(1000) }
    }
    send(SIGKILL)
  }

  /// Returns the CPU time, in nanoseconds, of this process, the live workers, and all ended children.
  ///
  /// A worker's descendants count from the time they are found. Nil if the system cannot read the clock of
  /// another process, as on Darwin.
  package static func processorTime() -> UInt64? {
    #if canImport(Darwin)
      return nil
    #else
      var ended = rusage()
      // The value of RUSAGE_CHILDREN, whose type differs between C libraries.
      guard getrusage(-1, &ended) == 0 else { return nil }
      return accounts.withLock { accounts in
        accounts.reduce(Timestamps.processCPU() + ended.nanoseconds + unwaited.withLock { $0 }) {
          sum, worker in
          sum + worker.value.time(ofLiving: worker.key)
        }
      }
    #endif
  }

  /// The leaders of the workers' process groups.
  package static var identifiers: [Int32] { accounts.withLock { Array($0.keys) } }

  package static var count: Int { identifiers.count }

  /// Ends a worker and its group, and returns how it ended.
  ///
  /// The group is killed before its leader is awaited, because the system may then reuse the number; for
  /// the same reason both happen under the lock of `endAll()`.
  ///
  /// - Parameters:
  ///   - identifier: A live worker; other processes are ignored.
  ///   - patience: The nanoseconds in which it may end without being killed.
  /// - Returns: How it ended, unless it was killed here.
  package static func end(_ identifier: Int32, patience: UInt64) -> WorkerError.Ending {
    end(identifier, patience: patience, deathTime: 5_000_000_000, wait: wait4)
  }

  /// A function that reads whether a process has ended, and its usage, as `wait4` does.
  typealias Wait = (
    Int32, UnsafeMutablePointer<Int32>?, Int32, UnsafeMutablePointer<rusage>?
  ) -> Int32

  /// Ends a worker; waits for a killed one at most `deathTime` nanoseconds.
  static func end(
    _ identifier: Int32, patience: UInt64, deathTime: UInt64, wait: Wait
  ) -> WorkerError.Ending {
    guard accounts.withLock({ $0[identifier] != nil }) else { return .unknown }
    let gentleEnd = Timestamps.monotonic().addingSaturating(patience)
    // WNOWAIT keeps the worker a zombie, so that its number is not reused.
    while !hasEnded(identifier), Timestamps.monotonic() < gentleEnd { usleep(200) }
    // The exit status of a process that is killed here is meaningless.
    let endedItself = hasEnded(identifier)
    return accounts.withLock { accounts in
      _ = accounts[identifier]?.time(ofLiving: identifier)
      kill(-identifier, SIGKILL)
      let account = accounts.removeValue(forKey: identifier)
      // A killed process ends soon, unless it hangs inside the kernel.
      let deadline = Timestamps.monotonic().addingSaturating(deathTime)
      var status: Int32 = 0
      var usage = rusage()
      while true {
        let found = wait(identifier, &status, WNOHANG, &usage)
        if found == identifier {
          let more = account?.end(identifier, usage.nanoseconds) ?? 0
          unwaited.withLock { $0 += more }
          return endedItself ? ending(status) : .unknown
        }
        let isLost = found < 0 && errno != EINTR
        if isLost || Timestamps.monotonic() >= deadline {
          // The number of a lost process may have been reused, so its clock is not read. `getrusage` counts
          // it among the ended children.
          let own = isLost ? 0 : ProcessorAccount.time(of: identifier) ?? 0
          let more = account?.end(identifier, own) ?? 0
          if !isLost { unwaited.withLock { $0 += own + more } }
          return .unknown
        }
        usleep(200)
      }
    }
  }

  /// Returns whether a worker that was not awaited has ended.
  package static func hasEnded(_ identifier: Int32) -> Bool {
    var information = siginfo_t()
    let status = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    // With WNOHANG and nothing to report, the structure stays zero.
    return status != 0 ? errno != EINTR : information.si_signo == SIGCHLD
  }

  /// Decodes a status, as the macros WIFEXITED, WEXITSTATUS and WTERMSIG do.
  private static func ending(_ status: Int32) -> WorkerError.Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }
}
