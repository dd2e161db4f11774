/// The fresh workers of one launch, one for each contender, each with the same case.
package struct WorkerGroup {
  /// A function that starts a worker: a process, or a stand-in for tests.
  package typealias Starter = (WorkerCommand) throws(WorkerError) -> any WorkerLink

  /// One case of one worker.
  package struct Member {
    package let link: any WorkerLink
    /// The index of the case in the worker's list.
    private let index: Int
    /// The additional work, per mille.
    private let extra: Int

    /// Finds a case in a worker's list.
    ///
    /// - Throws: `WorkerError` if the list lacks it; the worker has then been ended.
    package init(
      of link: any WorkerLink, _ listing: WorkerListing, case name: String, extra: Int = 0
    ) throws(WorkerError) {
      guard let index = listing.cases.firstIndex(where: { $0.name == name }) else {
        defer { link.close() }
        throw WorkerError(
          command: link.command, request: WorkerRequest.hello.line,
          problem: .notUnderstood(
            WorkerLineError(
              line: WorkerAnswer.hello(listing).line,
              expected: "the case '\(name)', as in the first list")),
          log: link.log)
      }
      (self.link, self.index, self.extra) = (link, index, extra)
    }

    /// Opens the case, and returns the time of opening and the first run.
    package func open() throws(WorkerError) -> Elapsed {
      let request = WorkerRequest.open(index: index)
      let answer = try link.answer(to: request)
      guard case .opened(let elapsed) = answer else { throw link.unexpected(answer, to: request) }
      return elapsed
    }

    package func sample(
      round: Int, repeats: Int = 1
    ) throws(WorkerError) -> (elapsed: Elapsed, digest: String?) {
      let request = WorkerRequest.sample(
        index: index, round: round, repeats: repeats, extra: extra)
      let answer = try link.answer(to: request)
      guard case .sample(let elapsed, let digest) = answer else {
        throw link.unexpected(answer, to: request)
      }
      return (elapsed, digest)
    }

    /// Returns the sums of the counts over some rounds, or for a peak the maximum.
    ///
    /// A sum beyond 64 bits is clamped.
    package func counters(rounds: Range<Int>) throws(WorkerError) -> [String: Int] {
      var sums: [String: Int] = [:]
      for round in rounds {
        let request = WorkerRequest.count(index: index, round: round)
        let answer = try link.answer(to: request)
        guard case .counters(let counts) = answer else {
          throw link.unexpected(answer, to: request)
        }
        for (name, count) in counts {
          if CounterRanges.peaks.contains(name) {
            sums[name] = max(sums[name, default: 0], count)
            continue
          }
          let (sum, overflow) = sums[name, default: 0].addingReportingOverflow(count)
          sums[name] = overflow ? .max : sum
        }
      }
      return sums
    }
  }

  package let members: [Member]

  /// Starts workers in the given order, and finds the case in the list of each.
  ///
  /// - Throws: `WorkerError`; started workers have then been ended.
  package init(
    case name: String, _ commands: [(command: WorkerCommand, extra: Int)], order: [Int],
    start: Starter
  ) throws(WorkerError) {
    var started: [Int: Member] = [:]
    do throws(WorkerError) {
      for index in order {
        let link = try start(commands[index].command)
        started[index] = try Member(
          of: link, try link.hello(), case: name, extra: commands[index].extra)
      }
    } catch {
      for member in started.values { member.link.close() }
      throw error
    }
    members = commands.indices.compactMap { started[$0] }
  }

  /// Calls a function with each member in the given order.
  ///
  /// - Returns: The results in the order of the members.
  /// - Throws: The first error; the members after it are not asked.
  package func each<Value>(
    in order: [Int], _ body: (Member) throws(WorkerError) -> Value
  ) throws(WorkerError) -> [Value] {
    var results: [Int: Value] = [:]
    for index in order { results[index] = try body(members[index]) }
    return members.indices.compactMap { results[$0] }
  }

  package func close() {
    for member in members { member.link.close() }
  }
}
