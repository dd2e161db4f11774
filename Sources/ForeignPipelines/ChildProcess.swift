internal import Measurement
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A process of somebody else's program: what it writes is read with a deadline and a limit, and it is ended with all it
/// started.
///
/// Used by one thread at a time, which its owner's lock sees to: hence `@unchecked Sendable`.
final class ChildProcess: @unchecked Sendable {
  /// Why there is no answer, in words.
  struct Failure: Error { let reason: String }

  private let process: SpawnedProcess
  private let seconds: Double
  private let observations: ForeignObservations
  /// Read and not taken yet.
  private var bytes: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var log: [UInt8] = []
  private var logIsOpen = true
  private var isRunning = true
  private var inputIsOpen = true

  /// Starts a program with its arguments, within limits.
  ///
  /// Memory is limited by `ulimit -v` of a shell that becomes the program; the words reach it as they are.
  init(
    _ words: [String], _ options: ForeignOptions, _ observations: ForeignObservations
  ) throws(Failure) {
    var words = words
    if let memory = options.memory {
      let limit = "ulimit -v \(max(1, memory / 1024)) && exec \"$@\""
      words = ["/bin/sh", "-c", limit, "sh"] + words
    }
    seconds = options.seconds
    self.observations = observations
    do {
      process = try SpawnedProcess.start(
        WorkerCommand(label: "foreign", executable: words[0], arguments: Array(words.dropFirst())))
    } catch {
      throw Failure(
        reason: "\(words[0]) cannot be started: \(String(cString: strerror(error.code)))")
    }
    LiveWorkers.insert(process.identifier, account: observations.processor)
  }

  deinit { end() }

  /// Writes a line to its standard input.
  func send(_ line: String) throws(Failure) {
    guard isRunning, PipeWriting.sendQuietly(line + "\n", to: process.input) else {
      throw ended()
    }
  }

  /// Says that nothing more is coming.
  func closeInput() {
    if inputIsOpen { closeDescriptor(process.input) }
    inputIsOpen = false
  }

  /// When a wait that begins now is over.
  var deadline: UInt64 { deadline(after: seconds) }

  /// When a wait of so many seconds that begins now is over.
  func deadline(after seconds: Double) -> UInt64 {
    let (sum, overflow) = Timestamps.monotonic().addingReportingOverflow(
      UInt64(exactly: (seconds * 1e9).rounded()) ?? .max)
    return overflow ? .max : sum
  }

  /// The next line of its output.
  func line(limit: Int, until deadline: UInt64) throws(Failure) -> String {
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

  /// The next bytes of its output, exactly so many.
  func take(_ count: Int, until deadline: UInt64) throws(Failure) -> [UInt8] {
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard try fill(until: deadline) else {
        let had = bytes.count
        throw Failure(reason: "\(ended().reason) after \(had) of \(count) bytes")
      }
    }
    defer { bytes.removeSubrange(..<count) }
    return Array(bytes[..<count])
  }

  /// Whether it wrote more than was asked for.
  var hasUnasked: Bool {
    guard bytes.isEmpty else { return true }
    var entry = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
  }

  /// All that it writes until its end, and whether it ended with status 0.
  func rest(limit: Int, until deadline: UInt64) throws(Failure) -> (
    bytes: [UInt8], failure: String?
  ) {
    while try fill(until: deadline) {
      guard bytes.count <= limit else { throw broken("it wrote more than \(limit) bytes") }
    }
    // Some close their output and work on.
    let now = Timestamps.monotonic()
    let ending = LiveWorkers.end(
      process.identifier, patience: deadline > now ? deadline - now : 0)
    close()
    return (bytes, ending == .exited(status: 0) ? nil : words(ending))
  }

  /// Ends it, at once.
  func end() {
    guard isRunning else { return }
    _ = LiveWorkers.end(process.identifier, patience: 0)
    close()
  }

  /// Why it is of no use any more; it is ended.
  func broken(_ reason: String) -> Failure {
    end()
    return Failure(reason: reason + lastWords)
  }

  /// Reads once; false at the end of its output.
  private func fill(until deadline: UInt64) throws(Failure) -> Bool {
    while true {
      let now = Timestamps.monotonic()
      guard now < deadline else { throw broken("it gave no answer within \(seconds) s") }
      var entries = [pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)]
      if logIsOpen { entries.append(pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)) }
      if observations.watchesMemory { noteMemory() }
      let wait = Int32(
        min((deadline - now) / 1_000_000 + 1, observations.watchesMemory ? 1 : 500))
      let ready = poll(&entries, nfds_t(entries.count), wait)
      if ready < 0 { continue }
      guard ready > 0 else {
        // What it started may hold the pipe beyond its end.
        if LiveWorkers.hasEnded(process.identifier) { return false }
        continue
      }
      if entries.count > 1, entries[1].revents != 0 { readLog() }
      if entries[0].revents == 0 { continue }
      let got = chunk.withUnsafeMutableBytes { read(process.output, $0.baseAddress, $0.count) }
      bytes += chunk[..<max(got, 0)]
      if got < 0 && errno == EINTR { continue }
      return got > 0
    }
  }

  /// Notes the most memory that the process has held so far.
  ///
  /// What `wait4` tells at its end is no use: after `vfork` it has this process's own memory in it.
  private func noteMemory() {
    #if os(Linux)
      guard let file = fopen("/proc/\(process.identifier)/status", "re") else { return }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.first == "VmHWM:", words.count > 1, let kilobytes = UInt64(words[1]) else {
          continue
        }
        observations.note(residentBytes: kilobytes * 1024)
        return
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
    // The end says most about what went wrong.
    if log.count > 8192 { log.removeFirst(log.count - 8192) }
  }

  /// Ends the process and says why.
  private func ended() -> Failure {
    guard isRunning else { return Failure(reason: "it has ended" + lastWords) }
    let ending = LiveWorkers.end(process.identifier, patience: 200_000_000)
    close()
    return Failure(reason: words(ending))
  }

  private func words(_ ending: WorkerError.Ending) -> String {
    switch ending {
    case .exited(let status): "it ended with status \(status)\(lastWords)"
    case .killed(let signal): "it crashed by signal \(signal)\(lastWords)"
    case .unknown: "it closed its output\(lastWords)"
    }
  }

  private var lastWords: String {
    let last = String(decoding: log, as: UTF8.self).split(whereSeparator: \.isNewline).last
    return last.map { "; it wrote '\($0.prefix(200))'" } ?? ""
  }

  private func close() {
    isRunning = false
    var reads = 0
    while logIsOpen, reads < 4 {
      var entry = pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) > 0 else { break }
      readLog()
      reads += 1
    }
    closeInput()
    closeDescriptor(process.output)
    closeDescriptor(process.log)
  }
}

/// The system's `close`, which the method of that name hides.
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

/// Removes a file that may not be there.
func removeFile(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }
