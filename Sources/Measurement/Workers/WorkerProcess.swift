#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A worker in a new process, asked over pipes by the thread that calls.
///
/// Reads block in `poll` with a deadline: a thread pool adds latency. Of
/// 9,000 lines echoed by `cat` on two busy virtual cores, half took 5 µs and one in twenty more than
/// 9; by swift-subprocess 1.0 they took 27 to 31 µs, and one in twenty more than 42. That is why
/// workers are started by `SpawnedProcess`. To be used by one thread at a time.
package final class WorkerProcess: WorkerLink {
  /// The number of bytes of standard error that are kept: its end.
  package static let logLimit = 8192

  /// The milliseconds in which the end of a silent worker is noticed.
  private static let glance: UInt64 = 500

  package let command: WorkerCommand
  private let process: SpawnedProcess
  private let descendants = MarkedProcesses()
  private var lines = LineBuffer(limit: WorkerRequest.lineLimit)
  private var logBytes: [UInt8] = []
  private var logIsOpen = true
  private var isOpen = true

  /// Starts the process; it is not spoken to yet.
  ///
  /// - Throws: `WorkerError` with `cannotStart`.
  package init(_ command: WorkerCommand) throws(WorkerError) {
    self.command = command
    do {
      process = try SpawnedProcess.start(command, as: descendants)
    } catch {
      throw WorkerError(command: command, problem: .cannotStart(code: error.code))
    }
    // Its first thread is still loading libraries: the threads to come are kept there too.
    if let core = command.core { CoreAffinity.pin(process: process.identifier, to: core) }
  }

  /// The number of the process, and of its group.
  package var identifier: Int32 { process.identifier }

  deinit { end(patience: 0) }

  /// The end of what was written to standard error, what is not UTF-8 replaced.
  package var log: String { String(decoding: logBytes, as: UTF8.self) }

  /// Sends a request and waits for its answer.
  package func answer(to request: WorkerRequest) throws(WorkerError) -> WorkerAnswer {
    guard isOpen else { throw failure(.ended(.unknown), request) }
    try refuseChatter(request)
    let start = Timestamps.monotonic()
    guard PipeWriting.sendQuietly(request.line + "\n", to: process.input) else {
      throw hasGone(request)
    }
    let line = try nextLine(request, from: start)
    let passed = Timestamps.monotonic() - start
    guard lines.isEmpty else {
      throw failure(.unasked(String(lines.takeAll().prefix(200))), request)
    }
    let answer: WorkerAnswer
    do { answer = try WorkerAnswer(line: line) } catch {
      throw failure(.notUnderstood(error), request)
    }
    if let claimed = answer.claimedNanoseconds, claimed > passed + passed / 100 + 1_000_000 {
      // The allowance is for a clock that is not quite ours: steered by NTP or not, or coarse.
      throw failure(
        .impossible(claimedNanoseconds: claimed, passedNanoseconds: passed), request)
    }
    return answer
  }

  /// Says `quit`, and ends what does not listen within a second.
  package func close() {
    guard isOpen else { return }
    _ = PipeWriting.sendQuietly(WorkerRequest.quit.line + "\n", to: process.input)
    end(patience: 1_000_000_000)
  }

  /// Throws if there is output before the request, which would be taken for its answer.
  private func refuseChatter(_ request: WorkerRequest) throws(WorkerError) {
    var entry = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return }
    switch lines.fill(from: process.output) {
    case .bytes: throw failure(.unasked(String(lines.takeAll().prefix(200))), request)
    case .end, .failure: throw hasGone(request)
    }
  }

  private func nextLine(
    _ request: WorkerRequest, from start: UInt64
  ) throws(WorkerError) -> String {
    let limit = command.timeLimit(at: start)
    let deadline = start.addingSaturating(limit)
    while true {
      switch lines.take() {
      case .line(let line): return line
      case .overlong: throw failure(.overlong(limit: WorkerRequest.lineLimit), request)
      case .notText: throw failure(.notText, request)
      case nil: break
      }
      let left = deadline.saturatingSubtract(Timestamps.monotonic())
      if left == 0 { throw failure(.silent(nanoseconds: limit), request) }
      var entries = [pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)]
      if logIsOpen { entries.append(pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)) }
      // Rounded up, or the last millisecond would be spent turning round and round.
      let wait = Int32(min((left + 999_999) / 1_000_000, Self.glance))
      let outcome = PipeWaiting.wait(for: &entries, milliseconds: wait) {
        LiveWorkers.hasEnded(process.identifier)
      }
      switch outcome {
      case .ready: break
      case .nothing: continue
      case .writerEnded: throw hasGone(request)
      }
      if entries.count > 1, entries[1].revents != 0 { readLog() }
      if entries[0].revents != 0 {
        guard case .bytes = lines.fill(from: process.output) else { throw hasGone(request) }
      }
    }
  }

  /// Reads once of the log, which `poll` said will not wait.
  private func readLog() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(process.log, &chunk, chunk.count)
    if count > 0 {
      logBytes += chunk[..<count]
      if logBytes.count > Self.logLimit { logBytes.removeFirst(logBytes.count - Self.logLimit) }
    } else if count == 0 || errno != EINTR {
      logIsOpen = false
    }
  }

  private func hasGone(_ request: WorkerRequest) -> WorkerError {
    // It closed its output a moment ago, so its end is near if it is one.
    let ending = end(patience: 200_000_000)
    return WorkerError(
      command: command, request: request.line, problem: .ended(ending), log: log)
  }

  private func failure(
    _ problem: WorkerError.Problem, _ request: WorkerRequest
  ) -> WorkerError {
    end(patience: 0)
    return WorkerError(command: command, request: request.line, problem: problem, log: log)
  }

  @discardableResult private func end(patience: UInt64) -> WorkerError.Ending {
    guard isOpen else { return .unknown }
    isOpen = false
    closeDescriptor(process.input)
    let ending = LiveWorkers.end(process.identifier, patience: patience)
    // A worker may have started programs that lead groups of their own.
    descendants.end()
    // What was written last says most about why it ended.
    // No more than is kept: something it started may hold the pipe and never stop writing.
    var reads = 0
    while logIsOpen, reads < Self.logLimit {
      reads += 1
      var entry = pollfd(fd: process.log, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) > 0 else { break }
      readLog()
    }
    closeDescriptor(process.output)
    closeDescriptor(process.log)
    return ending
  }
}

/// The system's `close`, which the method of that name hides.
private func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}

extension WorkerAnswer {
  /// The wall time that an answer speaks of.
  fileprivate var claimedNanoseconds: UInt64? {
    switch self {
    case .opened(let elapsed), .sample(let elapsed, _): elapsed.wallNanoseconds
    case .hello, .counters, .error: nil
    }
  }
}
