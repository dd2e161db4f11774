internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization

/// Threads that ask a subject, one for each connection, and drive an engine by the monotonic clock.
package final class LoadThreads: Sendable {
  private struct Job {
    let ticket: LoadEngine.Ticket
    let start: UInt64
  }

  private struct Done {
    let ticket: LoadEngine.Ticket
    let sent: UInt64
    let time: UInt64
    let answer: LoadAnswer
  }

  private struct State {
    var jobs: [Job] = []
    var done: [Done] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let answers = DispatchSemaphore(value: 0)
  private let count: Int

  /// Starts the threads.
  package init(_ subject: any LoadSubject, count: Int) {
    self.count = count
    for lane in 0..<count {
      Thread.detachNewThread { [self] in
        while let job = nextJob() {
          let sent = Timestamps.monotonic()
          let (answer, time) = Self.ask(subject, job.ticket.part, lane)
          let done = Done(
            ticket: job.ticket, sent: sent.saturatingSubtract(job.start),
            time: time.saturatingSubtract(job.start), answer: answer)
          state.withLock { $0.done.append(done) }
          answers.signal()
        }
      }
    }
  }

  /// Returns an answer and the time when it had come.
  private static func ask(
    _ subject: any LoadSubject, _ part: LoadPart, _ lane: Int
  ) -> (LoadAnswer, UInt64) {
    var arrived: UInt64 = 0
    let answer = subject.answer(part, lane: lane) { arrived = Timestamps.monotonic() }
    return (answer, arrived == 0 ? Timestamps.monotonic() : arrived)
  }

  private func nextJob() -> Job? {
    work.wait()
    return state.withLock { $0.isOver ? nil : $0.jobs.removeFirst() }
  }

  /// Ends the threads after the requests on their way.
  package func end() {
    state.withLock { $0.isOver = true }
    for _ in 0..<count { work.signal() }
  }

  /// Drives an engine until its load is over, or its views should be given up after `patience` nanoseconds.
  ///
  /// `tick` is called with the nanoseconds since the start, at least ten times per second; the load
  /// stops early if it returns false.
  package func drive(
    _ engine: inout LoadEngine, patience: UInt64, tick: (UInt64, LoadEngine) -> Bool
  ) {
    let start = Timestamps.monotonic()
    while true {
      let now = Timestamps.monotonic().saturatingSubtract(start)
      takeAnswers(into: &engine)
      if !tick(now, engine) { engine.stop() }
      let jobs = engine.start(at: now).map { Job(ticket: $0, start: start) }
      if !jobs.isEmpty {
        state.withLock { $0.jobs += jobs }
        for _ in jobs { work.signal() }
      }
      if engine.isOver { break }
      if engine.shouldGiveUp(at: now, patience: patience) {
        engine.abandon()
        break
      }
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
      defer { state.done.removeAll(keepingCapacity: true) }
      return state.done
    }
    for each in done.sorted(by: { $0.time < $1.time }) {
      engine.finish(each.ticket, sent: each.sent, at: each.time, each.answer)
    }
  }
}
