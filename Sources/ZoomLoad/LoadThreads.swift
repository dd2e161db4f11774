internal import Dispatch
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import Synchronization

/// Threads that ask a subject, one for each connection, and drive an engine by the monotonic clock.
package final class LoadThreads: Sendable {
  /// A request; its times count from the start of the step, in nanoseconds.
  private struct Job {
    let ticket: LoadEngine.Ticket
    let start: UInt64
    var sent: UInt64 = 0
    var time: UInt64 = 0
    var answer = LoadAnswer(.failed)

    var now: UInt64 { Timestamps.monotonic().saturatingSubtract(start) }

    mutating func send(to subject: any LoadSubject, lane: Int) {
      sent = now
      answer = subject.answer(ticket.part, lane: lane)
      time = now
      answer.digest = answer.body.map(LoadAnswer.digest)
    }
  }

  /// The jobs to do, and those that are done; a nil ends a thread.
  private let state = Mutex<(jobs: [Job?], done: [Job])>(([], []))
  private let work = DispatchSemaphore(value: 0)
  private let answers = DispatchSemaphore(value: 0)
  private let count: Int

  /// Starts the threads.
  package init(_ subject: any LoadSubject, count: Int) {
    self.count = count
    for lane in 0..<count {
      Thread.detachNewThread { [self] in
        while var job = nextJob() {
          job.send(to: subject, lane: lane)
          state.withLock { [job] in $0.done.append(job) }
          answers.signal()
        }
      }
    }
  }

  private func nextJob() -> Job? {
    work.wait()
    return state.withLock { $0.jobs.removeFirst() }
  }

  private func add(_ jobs: [Job?]) {
    state.withLock { $0.jobs += jobs }
    for _ in jobs { work.signal() }
  }

  /// Ends the threads after the requests on their way.
  package func end() { add(Array(repeating: nil, count: count)) }

  /// Drives an engine until its load is over.
  package func drive(_ engine: inout LoadEngine, _ tick: (UInt64, LoadEngine) -> Bool) {
    let start = Timestamps.monotonic()
    while true {
      let now = Timestamps.monotonic().saturatingSubtract(start)
      takeAnswers(into: &engine)
      if !tick(now, engine) { engine.stop() }
      add(engine.start(at: now).map { Job(ticket: $0, start: start) })
      if engine.isOver { break }
      // A tick is due ten times per second.
      let left = engine.nextWake.map { $0.saturatingSubtract(now) } ?? .max
      _ = answers.wait(timeout: .now() + .nanoseconds(Int(min(left, 100_000_000))))
    }
    // A late answer must not count in the next step.
    while engine.open > 0 {
      answers.wait()
      takeAnswers(into: &engine)
    }
  }

  private func takeAnswers(into engine: inout LoadEngine) {
    let done = state.withLock { state in
      defer { state.done = [] }
      return state.done
    }
    for each in done.sorted(by: { $0.time < $1.time }) {
      engine.finish(each.ticket, sent: each.sent, at: each.time, each.answer)
    }
  }
}
