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

/// A fresh worker of each build, with one case that both have.
package final class WorkerPair {
  package struct Side {
    package let link: any WorkerLink
    /// The index of the case in this worker's list.
    package let index: Int
    /// The additional work for this side, per mille.
    package let extra: Int
  }

  /// A function that starts a worker: a process, or a stand-in for tests.
  package typealias Starter = (WorkerCommand) throws(WorkerError) -> any WorkerLink

  package let base: Side
  package let candidate: Side

  /// Starts both workers and requests their cases.
  ///
  /// - Throws: `WorkerError`; started workers have then been ended.
  package init(
    case name: String, base: WorkerCommand, candidate: WorkerCommand, candidateExtra: Int,
    candidateFirst: Bool, start: Starter
  ) throws(WorkerError) {
    func side(isCandidate: Bool) throws(WorkerError) -> Side {
      try Self.side(
        name, isCandidate ? candidate : base, extra: isCandidate ? candidateExtra : 0, start: start)
    }
    let first = try side(isCandidate: candidateFirst)
    do {
      let second = try side(isCandidate: !candidateFirst)
      (self.base, self.candidate) = candidateFirst ? (second, first) : (first, second)
    } catch {
      first.link.close()
      throw error
    }
  }

  private static func side(
    _ name: String, _ command: WorkerCommand, extra: Int, start: Starter
  ) throws(WorkerError) -> Side {
    let link = try start(command)
    let listing = try link.hello()
    guard let index = listing.cases.firstIndex(where: { $0.name == name }) else {
      defer { link.close() }
      throw WorkerError(
        command: command, request: WorkerRequest.hello.line,
        problem: .notUnderstood(
          WorkerLineError(
            line: WorkerAnswer.hello(listing).line,
            expected: "the case '\(name)', as in the first list")),
        log: link.log)
    }
    return Side(link: link, index: index, extra: extra)
  }

  package func close() {
    base.link.close()
    candidate.link.close()
  }
}
