internal import Synchronization

// `environ` is a variable of C that Swift knows no owner of. It is only read, as any `getenv` does.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// Starting a process with pipes of its own.
package struct SpawnedProcess {
  /// The process, which leads a group of the same number.
  package let identifier: Int32
  /// Where to write for its standard input.
  package let input: Int32
  /// Where its standard output can be read.
  package let output: Int32
  /// Where its standard error can be read.
  package let log: Int32

  /// Why a process was not started: the system's code.
  package struct Failure: Error, Sendable, Hashable {
    package let code: Int32
  }

  /// Starts a process.
  ///
  /// It is given three pipes and nothing else of ours that is marked close-on-exec, leads a process
  /// group so that it can be ended with whatever it started, and finds signals as a shell would
  /// have left them.
  ///
  /// - Throws: `Failure`, if there are no more descriptors or the program cannot be run.
  package static func start(_ command: WorkerCommand) throws(Failure) -> SpawnedProcess {
    // Pipes are marked close-on-exec a moment after they are made (`pipe2` is not among what Glibc
    // shows to Swift). A process started in between would keep our ends open, so ours are started
    // one after the other. Those of other libraries are a risk that `WorkerProcess` allows for.
    let started = lock.withLock { _ in Result { () throws(Failure) in try startAlone(command) } }
    return try started.get()
  }

  private static let lock = Mutex<Void>(())

  private static func startAlone(_ command: WorkerCommand) throws(Failure) -> SpawnedProcess {
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
      command, input: open[0], output: open[3], log: open[5], identifier: &identifier)
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
    _ command: WorkerCommand, input: Int32, output: Int32, log: Int32, identifier: inout pid_t
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
    var variables: [UnsafeMutablePointer<CChar>?] = environment(with: command.environment)
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
