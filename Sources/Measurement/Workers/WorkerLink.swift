/// A worker that answers requests: a process, or a stand-in for tests.
package protocol WorkerLink: AnyObject {
  var command: WorkerCommand { get }

  /// The end of its standard error.
  var log: String { get }

  /// Sends a request, and waits for the answer.
  ///
  /// - Throws: `WorkerError` for anything except an answer; the worker has then been ended.
  func answer(to request: WorkerRequest) throws(WorkerError) -> WorkerAnswer

  /// Ends the worker, gently if it responds; may be called more than once.
  func close()
}

extension WorkerLink {
  package func hello() throws(WorkerError) -> WorkerListing {
    let answer = try answer(to: .hello)
    guard case .hello(let listing) = answer else { throw unexpected(answer, to: .hello) }
    return listing
  }

  /// Opens a case, and returns the time of opening and the first run.
  package func open(_ index: Int) throws(WorkerError) -> Elapsed {
    let answer = try answer(to: .open(index: index))
    guard case .opened(let elapsed) = answer else {
      throw unexpected(answer, to: .open(index: index))
    }
    return elapsed
  }

  package func sample(
    _ index: Int, round: Int, repeats: Int, extra: Int
  ) throws(WorkerError) -> (elapsed: Elapsed, digest: String?) {
    let request = WorkerRequest.sample(
      index: index, round: round, repeats: repeats, extra: extra)
    let answer = try answer(to: request)
    guard case .sample(let elapsed, let digest) = answer else {
      throw unexpected(answer, to: request)
    }
    return (elapsed, digest)
  }

  package func count(_ index: Int, round: Int) throws(WorkerError) -> [String: Int] {
    let request = WorkerRequest.count(index: index, round: round)
    let answer = try answer(to: request)
    guard case .counters(let counts) = answer else { throw unexpected(answer, to: request) }
    return counts
  }

  private func unexpected(_ answer: WorkerAnswer, to request: WorkerRequest) -> WorkerError {
    defer { close() }
    let problem: WorkerError.Problem =
      if case .error(let text) = answer { .refused(text) } else {
        .notUnderstood(
          WorkerLineError(line: answer.line, expected: "the answer to '\(request.line)'"))
      }
    return WorkerError(command: command, request: request.line, problem: problem, log: log)
  }
}
