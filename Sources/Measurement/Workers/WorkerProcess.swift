#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A worker in a new process, connected by pipes and used by one thread at a time.
///
/// Reads block in `poll` with a deadline, because a thread pool adds latency. Of 9,000 lines echoed by
/// `cat` on two busy virtual cores, half took 5 µs and one in twenty more than 9; with swift-subprocess 1.0
/// the median was 27 to 31 µs, and one in twenty took more than 42. So workers are started by
/// `SpawnedProcess`.
package final class WorkerProcess: WorkerLink {
  /// The number of bytes kept from the end of standard error.
  package static let logLimit = 8192

  /// The milliseconds after which the end of a silent worker is noticed.
  private static let glance: UInt64 = 500

  package let command: WorkerCommand
  private let process: SpawnedProcess
  private let descendants = MarkedProcesses()
  private var lines = LineBuffer(limit: WorkerRequest.lineLimit)
  private var logBytes: [UInt8] = []
  private var logIsOpen = true
  private var isOpen = true

  /// Starts the process without sending anything.
  ///
  /// - Throws: `WorkerError` with `cannotStart`.
  package init(_ command: WorkerCommand) throws(WorkerError) {
    self.command = command
    do {
      process = try SpawnedProcess.start(command, as: descendants)
    } catch {
      throw WorkerError(command: command, problem: .cannotStart(code: error.code))
    }
    // Only the first thread exists, which is still loading libraries; later threads inherit the core.
    if let core = command.core { CoreAffinity.pin(process: process.identifier, to: core) }
  }

  package var identifier: Int32 { process.identifier }

  deinit { end(patience: 0) }

  /// The end of its standard error, with invalid UTF-8 replaced.
  package var log: String { String(decoding: logBytes, as: UTF8.self) }

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
      // The tolerance is for a clock that differs slightly from ours: adjusted by NTP, or coarse.
      throw failure(
        .impossible(claimedNanoseconds: claimed, passedNanoseconds: passed), request)
    }
    return answer
  }

  /// Sends `quit`, and kills a worker that does not end within a second.
  package func close() {
    guard isOpen else { return }
    _ = PipeWriting.sendQuietly(WorkerRequest.quit.line + "\n", to: process.input)
    end(patience: 1_000_000_000)
  }

  /// Throws if there is output before the request, because it would be read as its answer.
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
      // Rounded up; otherwise the last millisecond would be a busy loop.
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

  /// Reads once from the log, after `poll` reported data.
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
    // It has just closed its output, so it will end soon if it is ending.
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
    // A worker may have started programs that lead their own groups.
    descendants.end()
    // The last output usually has the reason. The amount is limited, because a child may hold the pipe and
    // never stop writing.
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

/// Calls the system's `close`, which the method of that name hides.
private func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}

extension WorkerAnswer {
  /// The wall time that an answer reports.
  fileprivate var claimedNanoseconds: UInt64? {
    switch self {
    case .opened(let elapsed), .sample(let elapsed, _): elapsed.wallNanoseconds
    case .hello, .counters, .error: nil
    }
  }
}
