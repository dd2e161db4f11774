internal import Synchronization

// `environ` is a variable of C that Swift knows no owner of. It is only read, as any `getenv` does.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// A process that was started with three pipes.
package struct SpawnedProcess {
  /// The process, which leads a group of the same number.
  package let identifier: Int32
  /// The descriptor that its standard input reads from.
  package let input: Int32
  /// The descriptor that its standard output can be read from.
  package let output: Int32
  /// The descriptor that its standard error can be read from.
  package let log: Int32
  private let started = Timestamps.monotonic()

  /// A number below those of its descendants: its own while numbers cannot have started again from 1.
  var firstDescendant: Int32 {
    // Nothing starts 32,768 processes, the fewest numbers that Linux has, in a second.
    guard Timestamps.monotonic() - started < 1_000_000_000,
      let file = fopen("/proc/loadavg", "re")
    else { return 0 }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = fread(&text, 1, text.count, file)
    // The last field is the newest process.
    let words = String(decoding: text[..<count], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    guard let newest = words.last.flatMap({ Int32($0) }) else { return 0 }
    return newest >= identifier ? identifier : 0
  }

  /// Why a process was not started: the system's code.
  package struct Failure: Error, Sendable, Hashable {
    package let code: Int32
  }

  /// Starts a process, and adds it to the live workers.
  ///
  /// It is given three pipes and nothing else of ours that is marked close-on-exec, leads a process
  /// group so that it can be ended with whatever it started, and finds signals as a shell would
  /// have left them.
  ///
  /// It and what it starts carry a mark by which they can be found.
  ///
  /// - Parameters:
  ///   - command: The program, its arguments and variables.
  ///   - mark: The mark of the process and of what it starts.
  ///   - account: The account that its CPU time is added to.
  /// - Returns: The process and this end of its pipes.
  /// - Throws: `Failure`, if there are no more descriptors or the program cannot be run; ECANCELED
  ///   once `LiveWorkers.endAll()` was called.
  package static func start(
    _ command: WorkerCommand, as mark: MarkedProcesses = MarkedProcesses(),
    account: ProcessorAccount = ProcessorAccount()
  ) throws(Failure) -> SpawnedProcess {
    // Pipes are marked close-on-exec a moment after they are made (Glibc does not show `pipe2` to
    // Swift). A process started in between would keep our ends open, so ours are started one after
    // the other. Those of other libraries are a risk that `WorkerProcess` allows for.
    let started = lock.withLock { _ in
      Result { () throws(Failure) in
        if LiveWorkers.isEnding { throw Failure(code: ECANCELED) }
        let process = try startAlone(command, mark)
        LiveWorkers.insert(process.identifier, account: account)
        return process
      }
    }
    return try started.get()
  }

  /// Held while a process is started and added to the live workers, so that none is missed when all end.
  fileprivate static let lock = Mutex<Void>(())

  private static func startAlone(
    _ command: WorkerCommand, _ mark: MarkedProcesses
  ) throws(Failure) -> SpawnedProcess {
    var open: [Int32] = []
    func fail(_ code: Int32) -> Failure {
      for descriptor in open { close(descriptor) }
      return Failure(code: code)
    }
    for _ in 0..<3 {
      switch pipeEnds() {
      case .success(let ends): open += ends
      case .failure(let failure): throw fail(failure.code)
      }
    }
    var identifier: pid_t = 0
    let code = spawn(
      command, mark, input: open[0], output: open[3], log: open[5], identifier: &identifier)
    guard code == 0 else { throw fail(code) }
    for index in [0, 3, 5] { close(open[index]) }
    PipeWriting.withoutSignals(open[1])
    return SpawnedProcess(
      identifier: identifier, input: open[1], output: open[2], log: open[4])
  }

  /// Both ends of a pipe, the reading one first, close-on-exec and beyond the standard three.
  ///
  /// A parent whose standard input is closed would be given 0, which the child cannot be given.
  private static func pipeEnds() -> Result<[Int32], Failure> {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .failure(Failure(code: errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for index in ends.indices where ends[index] < 3 {
      let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3)
      let code = errno
      close(ends[index])
      ends[index] = moved
      guard moved >= 0 else {
        close(ends[1 - index])
        return .failure(Failure(code: code))
      }
    }
    return .success(ends)
  }

  private static func spawn(
    _ command: WorkerCommand, _ mark: MarkedProcesses, input: Int32, output: Int32, log: Int32,
    identifier: inout pid_t
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (place, descriptor) in [input, output, log].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    posix_spawnattr_setsigmask(&attributes, &usual)
    // A parent that ignores these would have them ignored by its children for ever.
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF)
      | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = ([command.executable] + command.arguments)
      .map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment(
      with: command.environment.merging(mark.environment) { $1 }
    )
    .map { strdup($0) }
    defer { for text in arguments + variables { free(text) } }
    arguments.append(nil)
    variables.append(nil)
    return posix_spawnp(
      &identifier, command.executable, &actions, &attributes, arguments, variables)
  }

  /// The variables of this process, those given in place of older ones of the same name.
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

/// The workers of this process that have not been waited for.
package enum LiveWorkers {
  private static let accounts = Mutex<[Int32: ProcessorAccount]>([:])
  private static let ending = Atomic<Bool>(false)
  /// The CPU time of workers and their descendants that no one has waited for, in nanoseconds.
  private static let unwaited = Mutex<UInt64>(0)

  /// Whether an interrupted run ends its workers: no other is started, and what fails does so for that.
  package static var isEnding: Bool { ending.load(ordering: .sequentiallyConsistent) }

  fileprivate static func insert(_ identifier: Int32, account: ProcessorAccount) {
    account.begin(identifier)
    accounts.withLock { $0[identifier] = account }
  }

  /// Ends all workers and what they started, at once and not gently, and lets no other start; for an
  /// interrupted run.
  ///
  /// May be called from any thread, though not from a signal handler. A thread that waits for an answer
  /// gets the error that the worker has ended, and `isEnding` is true by then.
  package static func endAll() {
    SpawnedProcess.lock.withLock { _ in ending.store(true, ordering: .sequentiallyConsistent) }
    accounts.withLock { for identifier in $0.keys { kill(-identifier, SIGKILL) } }
  }

  /// CPU time, in nanoseconds, of this process, of the workers that live, and of all children that have ended.
  ///
  /// A worker's descendants count from when they are found. Nil if the system has no clock for another process, as on
  /// Darwin.
  package static func processorTime() -> UInt64? {
    #if canImport(Darwin)
      return nil
    #else
      var ended = rusage()
      // RUSAGE_CHILDREN, whose type is another with each C library.
      guard getrusage(-1, &ended) == 0 else { return nil }
      return accounts.withLock { accounts in
        accounts.reduce(Timestamps.processCPU() + ended.nanoseconds + unwaited.withLock { $0 }) {
          sum, worker in
          sum + worker.value.time(ofLiving: worker.key)
        }
      }
    #endif
  }

  /// The processes that lead the workers' groups.
  package static var identifiers: [Int32] { accounts.withLock { Array($0.keys) } }

  /// The number of workers.
  package static var count: Int { identifiers.count }

  /// Ends a worker and its group, and returns how it ended.
  ///
  /// The group is ended before its leader is waited for, since the system may then give the number to
  /// another process; for the same reason both are done under the lock of `endAll()`.
  ///
  /// - Parameters:
  ///   - identifier: A live worker; other processes are left alone.
  ///   - patience: The nanoseconds in which it may end without being killed.
  /// - Returns: How it ended, unless it was ended here.
  package static func end(_ identifier: Int32, patience: UInt64) -> WorkerError.Ending {
    end(identifier, patience: patience, deathTime: 5_000_000_000, wait: wait4)
  }

  /// Reads whether a process has ended, and its usage, as `wait4` does.
  typealias Wait = (
    Int32, UnsafeMutablePointer<Int32>?, Int32, UnsafeMutablePointer<rusage>?
  ) -> Int32

  /// Ends a worker; waits for one that was killed for `deathTime`, in nanoseconds, at most.
  static func end(
    _ identifier: Int32, patience: UInt64, deathTime: UInt64, wait: Wait
  ) -> WorkerError.Ending {
    guard accounts.withLock({ $0[identifier] != nil }) else { return .unknown }
    let gentleEnd = Timestamps.monotonic().addingSaturating(patience)
    // WNOWAIT leaves the worker a zombie, so that its number stays its own.
    while !hasEnded(identifier), Timestamps.monotonic() < gentleEnd { usleep(200) }
    // The exit status of a process that is killed here says nothing.
    let endedItself = hasEnded(identifier)
    return accounts.withLock { accounts in
      _ = accounts[identifier]?.time(ofLiving: identifier)
      kill(-identifier, SIGKILL)
      let account = accounts.removeValue(forKey: identifier)
      // A process that was killed ends soon, unless it hangs inside the kernel: not for ever, then.
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
          // The number of a lost process may be that of another one by now, so its clock is not read.
          // `getrusage` counts it among the children that have ended.
          let own = isLost ? 0 : ProcessorAccount.time(of: identifier) ?? 0
          let more = account?.end(identifier, own) ?? 0
          if !isLost { unwaited.withLock { $0 += own + more } }
          return .unknown
        }
        usleep(200)
      }
    }
  }

  /// Returns whether a worker that was not waited for has ended.
  package static func hasEnded(_ identifier: Int32) -> Bool {
    var information = siginfo_t()
    let status = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    // With WNOHANG and nothing to report, the structure stays zero.
    return status != 0 ? errno != EINTR : information.si_signo == SIGCHLD
  }

  /// Reads a status as the macros WIFEXITED, WEXITSTATUS and WTERMSIG do.
  private static func ending(_ status: Int32) -> WorkerError.Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }
}

/// The processor cores that a process may run on.
///
/// A worker that is moved from core to core, or whose threads wake each other across cores, does the
/// same work in more CPU time now and less then. On two virtual cores, keeping both workers of a
/// launch on one core halved the spread of a pair (3.5 to 1.9 %) and of a launch (1.2 to 0.6 %).
/// They are never busy at the same time, so neither takes time from the other.
package enum CoreAffinity {
  /// The cores that this process may run on, in ascending order; empty where the system has no such
  /// setting, as on Darwin.
  package static func allowed() -> [Int] {
    var set = CoreSet()
    guard let ask = function("sched_getaffinity", as: GetAffinity.self),
      set.bytes.withUnsafeMutableBytes({ ask(0, $0.count, $0.baseAddress) }) >= 0
    else { return [] }
    return (0..<CoreSet.size).filter { set[$0] }
  }

  /// Lets a process, and every thread it starts from now on, run on one core only.
  ///
  /// - Returns: Whether it was done. For a process that has just ended, or a core that does not exist,
  ///   callers go on: the samples are merely noisier.
  @discardableResult
  package static func pin(process identifier: Int32, to core: Int) -> Bool {
    var set = CoreSet()
    guard (0..<CoreSet.size).contains(core),
      let tell = function("sched_setaffinity", as: SetAffinity.self)
    else { return false }
    set.insert(core)
    return set.bytes.withUnsafeBytes { tell(identifier, $0.count, $0.baseAddress) } == 0
  }

  private typealias GetAffinity =
    @convention(c) (Int32, Int, UnsafeMutableRawPointer?) -> Int32
  private typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer?) -> Int32

  /// A function of the C library that its headers show to programs of GNU only, and so not to Swift.
  ///
  /// Both have had these types since glibc 2.3.4; a size, and bits that count from the least of the
  /// first byte on the little-endian machines that Swift's Linux runs on (sched_setaffinity(2)).
  private static func function<Type>(_ name: String, as type: Type.Type) -> Type? {
    #if os(Linux)
      // Not closed again: what it finds is called as long as the process lives.
      guard let symbol = dlsym(dlopen(nil, RTLD_NOW), name) else { return nil }
      return unsafeBitCast(symbol, to: type)
    #else
      return nil
    #endif
  }
}

/// A set of cores as the system takes it: as many bits as the C library's own has.
private struct CoreSet {
  static let size = 1024
  var bytes = [UInt8](repeating: 0, count: size / 8)

  subscript(core: Int) -> Bool { bytes[core / 8] & 1 << UInt8(core % 8) != 0 }

  mutating func insert(_ core: Int) { bytes[core / 8] |= 1 << UInt8(core % 8) }
}
