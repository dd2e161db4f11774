/// The reason that the measurement of a case ended early.
struct CaseFailure {
  /// The failure, in a clause without a full stop.
  let description: String
  /// Whether only the candidate fails, which is a finding.
  let isCandidates: Bool
}

extension ComparisonRun {
  /// Returns the consequence of an error for the case in which it happened.
  ///
  /// If a build crashes, hangs or refuses in one case, the measurements of the others stay. The base
  /// repeats the request at which the candidate failed: only if the base answers, the candidate is at
  /// fault.
  ///
  /// The check that runs the base against itself uses one of the cases, and may fail with it.
  ///
  /// - Returns: nil for an error that ends the run: a control or canary fails, or the program cannot be
  ///   started.
  /// - Throws: `ComparisonRunError.cancelled`, if the workers were ended meanwhile.
  func failure(
    _ error: ComparisonRunError, of plan: ComparisonRunCase.Plan
  ) throws(ComparisonRunError) -> CaseFailure? {
    try checkCancellation()
    guard case .worker(let failed, case: _) = error else { return nil }
    if case .cannotStart = failed.problem { return nil }
    if plan.role == .sameBuild {
      return CaseFailure(description: "\(failed)", isCandidates: false)
    }
    guard plan.role == .gated else { return nil }
    guard failed.command.label == plan.candidate.label else {
      return CaseFailure(description: "\(failed)", isCandidates: false)
    }
    do throws(WorkerError) {
      try repeatRequest(failed.request, of: plan.workerCase, by: plan.base)
    } catch {
      try checkCancellation()
      return CaseFailure(
        description: isOutOfTime(.worker(error, case: plan.name))
          ? "\(failed); no time was left to see whether the base fails, too"
          : "both builds fail: \(failed); \(error)", isCandidates: false)
    }
    return CaseFailure(description: "\(failed)", isCandidates: true)
  }

  /// Whether the end of the budget, rather than the worker's own time limit, caused a timeout.
  func isOutOfTime(_ error: ComparisonRunError) -> Bool {
    guard case .worker(let failed, case: _) = error, case .silent(let time) = failed.problem
    else { return false }
    return time < failed.command.wholeTimeLimit
  }

  /// Starts a fresh worker, opens a case and repeats the sample that another one failed at, or that of
  /// round 0.
  private func repeatRequest(
    _ request: String?, of name: String, by command: WorkerCommand
  ) throws(WorkerError) {
    let link = try start(command)
    defer { link.close() }
    let member = try WorkerGroup.Member(of: link, try link.hello(), case: name)
    _ = try member.open()
    let words = request?.split(separator: " ") ?? []
    let round = words.count > 2 ? Int(words[2]) ?? 0 : 0
    if words.first == "count" {
      _ = try member.counters(rounds: round..<round + 1)
    } else {
      _ = try member.sample(round: round)
    }
  }
}
