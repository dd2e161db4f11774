internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A process of another program: its output is read with a deadline and a limit, its descendants end with it.
///
/// The owner's lock admits one thread at a time: hence `@unchecked Sendable`.
final class ChildProcess: @unchecked Sendable {
  private let process: SpawnedProcess
  private let descendants = MarkedProcesses()
  private let observations: ForeignObservations
  /// Output that was read but not yet returned.
  private var bytes: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var log: [UInt8] = []
  private var logIsOpen = true
  private var isRunning = true
  private var inputIsOpen = true

  /// Starts a program with its arguments and limits.
  ///
  /// A shell sets the memory limit with `ulimit -v`, then executes the program with its arguments unchanged.
  init(_ words: [String], _ session: ForeignSession) throws(AnswerFailure) {
    if let refusal = InstalledProgram.refusal(of: words[0]) {
      throw AnswerFailure(
        "cannot be started: \(refusal.reason)", .notInstalled, advice: refusal.advice)
    }
    var words = words
    if let memory = session.options.memory {
      let limit = "ulimit -v \(max(1, memory / 1024)) && exec \"$@\""
      words = ["/bin/sh", "-c", limit, "sh"] + words
    }
    observations = session.observations
    do {
      process = try SpawnedProcess.start(
        WorkerCommand(
          label: "foreign", executable: words[0], arguments: Array(words.dropFirst())),
        as: descendants, account: observations.processor)
    } catch {
      throw AnswerFailure(
        "cannot be started: \(String(cString: strerror(error.code)))", .notInstalled)
    }
  }

  deinit { end() }

  /// Writes a line to the program's standard input.
  func send(_ line: String) throws(AnswerFailure) {
    guard isRunning, PipeWriting.sendQuietly(line + "\n", to: process.input) else {
      throw ended()
    }
  }

  func closeInput() {
    if inputIsOpen { _ = close(process.input) }
    inputIsOpen = false
  }

  /// Returns the next line of the output.
  func line(limit: Int, until deadline: AnswerDeadline) throws(AnswerFailure) -> String {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        return line
      }
      guard bytes.count <= limit else {
        throw broken("it wrote a line of more than \(limit) bytes")
      }
      guard try fill(until: deadline) else { throw ended() }
    }
  }

  /// Returns the next `count` bytes of the output.
  func take(_ count: Int, until deadline: AnswerDeadline) throws(AnswerFailure) -> [UInt8] {
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard try fill(until: deadline) else {
        let had = bytes.count
        throw AnswerFailure("\(ended().reason) after \(had) of \(count) bytes")
      }
    }
    // Returned without a copy, so that a large answer is not held twice.
    if bytes.count == count {
      defer { bytes = [] }
      return bytes
    }
    defer { bytes.removeSubrange(..<count) }
    return Array(bytes[..<count])
  }

  /// Whether there is output that was not requested.
  var hasUnasked: Bool {
    guard bytes.isEmpty else { return true }
    var entry = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
  }

  /// Returns all output until the process ends; throws unless it ends with status 0, whatever it wrote.
  func rest(limit: Int, until deadline: AnswerDeadline) throws(AnswerFailure) -> [UInt8] {
    while try fill(until: deadline) {
      guard bytes.count <= limit else { throw broken("it wrote more than \(limit) bytes") }
    }
    // Some programs close their output before they end.
    let ending = finish(patience: deadline.left)
    if ending == .unknown, deadline.left == 0 { throw deadline.failure }
    guard ending == .exited(status: 0) else { throw AnswerFailure(words(ending)) }
    return bytes
  }

  /// Adds the CPU time of the processes that the program has started to the program's.
  func countDescendants() {
    observations.processor.note(
      descendants: descendants.descendants(of: process), of: process.identifier)
  }

  /// Ends the process and its descendants at once.
  func end() {
    if isRunning { _ = finish(patience: 0) }
  }

  /// Ends the process and returns the failure that made it unusable.
  func broken(_ reason: String) -> AnswerFailure {
    end()
    return AnswerFailure(reason + lastWords)
  }

  /// Reads once; returns false at the end of the output.
  private func fill(until deadline: AnswerDeadline) throws(AnswerFailure) -> Bool {
    while true {
      let left = deadline.left
      guard left > 0 else {
        let failure = deadline.failure
        end()
        throw AnswerFailure(failure.reason + lastWords, failure.code, advice: failure.advice)
      }
      var entries = [pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)]
      if logIsOpen { entries.append(pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)) }
      if observations.watchesMemory { noteMemory() }
      let wait = Int32(
        min(left / 1_000_000 + 1, observations.watchesMemory ? 1 : 500))
      let outcome = PipeWaiting.wait(for: &entries, milliseconds: wait) {
        LiveWorkers.hasEnded(process.identifier)
      }
      switch outcome {
      case .ready: break
      case .nothing: continue
      case .writerEnded: return false
      }
      if entries.count > 1, entries[1].revents != 0 { readLog() }
      if entries[0].revents == 0 { continue }
      let got = chunk.withUnsafeMutableBytes { read(process.output, $0.baseAddress, $0.count) }
      bytes += chunk[..<max(got, 0)]
      if got < 0 && errno == EINTR { continue }
      return got > 0
    }
  }

  /// Notes the peak memory of the process so far.
  ///
  /// The maximum that `wait4` reports is unusable: after `vfork` it includes the memory of this process.
  private func noteMemory() {
    #if os(Linux)
      let status = SystemText.contents(ofFile: "/proc/\(process.identifier)/status") ?? ""
      if let peak = SystemText.bytes(of: "VmHWM", in: status) {
        observations.note(residentBytes: peak)
      }
    #endif
  }

  private func readLog() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(process.log, &chunk, chunk.count)
    guard count > 0 else {
      logIsOpen = false
      return
    }
    log += chunk[..<count]
    // The last lines are the most useful for an error message.
    if log.count > 8192 { log.removeFirst(log.count - 8192) }
  }

  /// Ends the process and returns the reason.
  private func ended() -> AnswerFailure {
    guard isRunning else { return AnswerFailure("it has ended" + lastWords) }
    return AnswerFailure(words(finish(patience: 200_000_000)))
  }

  private func words(_ ending: WorkerError.Ending) -> String {
    switch ending {
    case .exited(let status): "it ended with status \(status)\(lastWords)"
    case .killed(let signal): "it crashed by signal \(signal)\(lastWords)"
    case .unknown: "it closed its output\(lastWords)"
    }
  }

  private var lastWords: String { LastLines.phrase(String(decoding: log, as: UTF8.self)) }

  /// Ends the process and its descendants, reads the end of its log, and closes the pipes.
  private func finish(patience: UInt64) -> WorkerError.Ending {
    let ending = LiveWorkers.end(process.identifier, patience: patience)
    isRunning = false
    for _ in 0..<4 where logIsOpen {
      var entry = pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) > 0 else { break }
      readLog()
    }
    closeInput()
    for descriptor in [process.output, process.log] { _ = close(descriptor) }
    descendants.end(after: process)
    return ending
  }
}

/// A check whether a program can be run, by the rules of `execvp`.
enum InstalledProgram {
  /// Returns why a program cannot be run and what to do; nil if it can be run.
  ///
  /// A name without a slash is looked up in PATH.
  static func refusal(of name: String) -> (reason: String, advice: String)? {
    let variable = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    let folders = variable.split(separator: ":", omittingEmptySubsequences: false)
    let paths =
      name.contains("/") ? [name] : folders.map { ($0.isEmpty ? "." : $0) + "/" + name }
    let files = paths.filter { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
    guard !files.contains(where: { access($0, X_OK) == 0 }) else { return nil }
    return files.first.map { ("\($0) is not executable", "chmod +x it") }
      ?? ("there is no program \(name)", "install it, or correct its name")
  }
}

/// Removes a file if it exists.
func removeFile(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }
