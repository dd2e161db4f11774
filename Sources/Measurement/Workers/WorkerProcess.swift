/// A worker in a new process, connected by pipes and used by one thread at a time.
package final class WorkerProcess: WorkerLink {
  package let command: WorkerCommand
  private let child: ChildProcess

  /// Starts the process without sending anything.
  ///
  /// - Throws: `WorkerError` with `cannotStart`.
  package init(_ command: WorkerCommand) throws(WorkerError) {
    self.command = command
    do {
      child = try ChildProcess(command)
    } catch {
      throw WorkerError(
        command: command, problem: WorkerProcess.problem(error, timeLimit: 0))
    }
    // Only the first thread exists, which is still loading libraries; later threads inherit the core.
    if let core = command.core { CoreAffinity.pin(process: child.identifier, to: core) }
  }

  package var identifier: Int32 { child.identifier }

  package var log: String { child.log }

  package func answer(to request: WorkerRequest) throws(WorkerError) -> WorkerAnswer {
    try refuseChatter(request)
    let start = Timestamps.monotonic()
    let limit = command.timeLimit(at: start)
    let line: [UInt8]
    do throws(ChildProcess.Failure) {
      try child.send(request.line + "\n")
      line = try child.line(until: start.addingSaturating(limit))
    } catch {
      throw failure(Self.problem(error, timeLimit: limit), request)
    }
    let passed = Timestamps.monotonic() - start
    guard let text = String(validating: line, as: UTF8.self) else {
      throw failure(.notText, request)
    }
    try refuseChatter(request)
    let answer: WorkerAnswer
    do { answer = try WorkerAnswer(line: text) } catch {
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
    guard child.isRunning else { return }
    try? child.send(WorkerRequest.quit.line + "\n")
    child.end(patience: 1_000_000_000)
  }

  /// Throws if there is output that was not requested, because it would be read as the next answer.
  private func refuseChatter(_ request: WorkerRequest) throws(WorkerError) {
    guard child.isRunning, child.hasUnread else { return }
    throw failure(.unasked(String(child.unread().prefix(200))), request)
  }

  private func failure(
    _ problem: WorkerError.Problem, _ request: WorkerRequest
  ) -> WorkerError {
    child.end()
    return WorkerError(command: command, request: request.line, problem: problem, log: log)
  }

  private static func problem(
    _ failure: ChildProcess.Failure, timeLimit: UInt64
  ) -> WorkerError.Problem {
    switch failure {
    case .cannotStart(let code): .cannotStart(code: code)
    case .ended(let ending): .ended(ending)
    case .late: .silent(nanoseconds: timeLimit)
    case .overlong: .overlong(limit: WorkerRequest.lineLimit)
    }
  }
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
