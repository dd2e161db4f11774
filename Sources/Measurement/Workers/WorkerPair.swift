/// A fresh worker of each build, with one case found in both.
package final class WorkerPair {
  /// One side of the pair.
  package struct Side {
    package let link: any WorkerLink
    /// The place of the case in this worker's list.
    package let index: Int
    /// How much more work it is given than the other, in thousandths.
    package let extra: Int
  }

  /// What starts a worker: a process, or a stand-in for tests.
  package typealias Starter = (WorkerCommand) throws(WorkerError) -> any WorkerLink

  package let base: Side
  package let candidate: Side

  /// Starts both workers and asks for their cases.
  ///
  /// - Parameters:
  ///   - name: The case, as both workers name it.
  ///   - base: How to start the one.
  ///   - candidate: How to start the other.
  ///   - candidateExtra: How much more work the candidate is given, in thousandths.
  ///   - candidateFirst: Which is started first.
  ///   - start: What starts a worker.
  /// - Throws: `WorkerError`; what was started has then been ended.
  package init(
    case name: String, base: WorkerCommand, candidate: WorkerCommand, candidateExtra: Int,
    candidateFirst: Bool, start: Starter
  ) throws(WorkerError) {
    if candidateFirst {
      let second = try Self.side(name, candidate, extra: candidateExtra, start: start)
      self.candidate = second
      do { self.base = try Self.side(name, base, extra: 0, start: start) } catch {
        second.link.close()
        throw error
      }
    } else {
      let first = try Self.side(name, base, extra: 0, start: start)
      self.base = first
      do {
        self.candidate = try Self.side(name, candidate, extra: candidateExtra, start: start)
      } catch {
        first.link.close()
        throw error
      }
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
            line: listing.json.description, expected: "the case '\(name)', as in the first list")),
        log: link.log)
    }
    return Side(link: link, index: index, extra: extra)
  }

  /// Ends both workers.
  package func close() {
    base.link.close()
    candidate.link.close()
  }
}
