internal import Dispatch
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import Synchronization
internal import SystemPackage

/// Threads that ask a subject, one for each connection, and drive an engine by the monotonic clock.
package final class LoadThreads: Sendable {
  private typealias Answered = (
    ticket: LoadEngine.Ticket, sent: UInt64, time: UInt64, freed: UInt64, answer: LoadAnswer
  )
  private typealias Given = (ticket: LoadEngine.Ticket, time: UInt64)

  /// The requests to send, with the times at which they were given, and those that are answered; a nil ends a thread.
  private let state = Mutex<(given: [Given?], answered: [Answered])>(([], []))
  private let work = DispatchSemaphore(value: 0)
  private let answers = DispatchSemaphore(value: 0)
  private let count: Int

  package init(_ subject: any LoadSubject, count: Int) {
    self.count = count
    for lane in 0..<count {
      Thread.detachNewThread { [self] in
        #if canImport(Glibc)
          // The driver must not wait for the cores that it loads. On Linux, this counts for the calling thread only.
          if subject.worksInThread { _ = nice(10) }
        #endif
        let schedule = subject.worksInThread ? nil : ThreadSchedule()
        while true {
          work.wait()
          guard let (ticket, given) = state.withLock({ $0.given.removeFirst() }) else { break }
          let before = schedule?.delay ?? 0
          // Cores that the subject itself takes do not make the generator late.
          let began = subject.worksInThread ? given : Timestamps.monotonic()
          var answer = subject.answer(ticket.part, lane: lane)
          // The work of a client before and after the request must not count as time of the server.
          let (sent, time) = answer.times ?? (began, Timestamps.monotonic())
          // Not more than the request took: what the client waits before and after it counts by `sent` and `ready`.
          answer.runDelay = min(time - sent, (schedule?.delay ?? 0).saturatingSubtract(before))
          answer.digestBody()
          // While the subject takes the cores, the digest waits for them, too.
          let freed = subject.worksInThread ? Timestamps.monotonic() : time
          let isFirst = state.withLock { [answer] state in
            state.answered.append((ticket, sent, time, freed, answer))
            return state.answered.count == 1
          }
          // The driver takes all answers at once.
          if isFirst { answers.signal() }
        }
      }
    }
  }

  private func add(_ given: [Given?]) {
    state.withLock { $0.given += given }
    for _ in given { work.signal() }
  }

  /// Ends the threads after the requests on their way.
  package func end() { add(Array(repeating: nil, count: count)) }

  /// Drives an engine until its load is over.
  package func drive(_ engine: inout LoadEngine, _ tick: (UInt64, LoadEngine) -> Bool) {
    let start = Timestamps.monotonic()
    while true {
      let now = Timestamps.monotonic().saturatingSubtract(start)
      takeAnswers(into: &engine, since: start)
      if !tick(now, engine) { engine.stop(at: now) }
      add(engine.start(at: now).map { (ticket: $0, time: Timestamps.monotonic()) })
      if engine.isOver { break }
      // A tick is due ten times per second.
      let left = engine.nextWake.map { $0.saturatingSubtract(now) } ?? .max
      _ = answers.wait(timeout: .now() + .nanoseconds(Int(min(left, 100_000_000))))
    }
    // A late answer must not count in the next step.
    while engine.open > 0 {
      answers.wait()
      takeAnswers(into: &engine, since: start)
    }
  }

  private func takeAnswers(into engine: inout LoadEngine, since start: UInt64) {
    let answered = state.withLock { state in
      defer { state.answered = [] }
      return state.answered
    }
    for each in answered.sorted(by: { $0.time < $1.time }) {
      engine.finish(
        each.ticket, sent: each.sent - start, at: each.time - start, freed: each.freed - start,
        each.answer)
    }
  }
}

/// The statistics that Linux keeps of the calling thread.
final class ThreadSchedule {
  private let file = try? FileDescriptor.open(
    FilePath("/proc/thread-self/schedstat"), .readOnly, options: .closeOnExec)

  deinit { try? file?.close() }

  /// The nanoseconds so far for which the thread was ready to run, but did not: the second of three numbers.
  var delay: UInt64 {
    var bytes = [UInt8](repeating: 0, count: 64)
    let size = try? bytes.withUnsafeMutableBytes { try file?.read(fromAbsoluteOffset: 0, into: $0) }
    let numbers = bytes.prefix(size ?? 0).split(separator: UInt8(ascii: " "))
    return numbers.count == 3 ? UInt64(String(decoding: numbers[1], as: UTF8.self)) ?? 0 : 0
  }
}
