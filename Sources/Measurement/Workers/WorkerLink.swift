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

  /// Ends the worker, and returns the error of an answer of another kind than requested.
  func unexpected(_ answer: WorkerAnswer, to request: WorkerRequest) -> WorkerError {
    defer { close() }
    let problem: WorkerError.Problem =
      if case .error(let text) = answer { .refused(text) } else {
        .notUnderstood(
          WorkerLineError(line: answer.line, expected: "the answer to '\(request.line)'"))
      }
    return WorkerError(command: command, request: request.line, problem: problem, log: log)
  }
}
