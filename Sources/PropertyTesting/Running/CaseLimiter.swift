internal import Synchronization

/// Runs work that may take only so long, and leaves behind what takes longer.
///
/// Work runs on threads of its own, so that what never suspends blocks none of the threads that
/// the concurrency runtime shares. What is left behind is cancelled and keeps its task, and its
/// thread while it does not suspend, until it ends or the process does; nothing in Swift can end
/// it. Work that moves to an actor and does not suspend there blocks a shared thread.
final class CaseLimiter: Sendable {
  let limit: Duration
  private let idle = Mutex<[CaseThread]>([])
  private let leftBehind = Atomic(0)

  init(limit: Duration) { self.limit = limit }

  /// Whether so much was left behind and still runs that no more should be begun.
  ///
  /// Eight threads that never end slow a machine down; each more would slow what is measured.
  var isExhausted: Bool { leftBehind.load(ordering: .relaxed) >= 8 }

  /// The result of the work, or nil when it did not end in time.
  func run<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result? {
    let thread = idle.withLock { $0.popLast() } ?? CaseThread()
    let race = Race<Result>()
    let runner = Task(executorPreference: thread) {
      let wasInTime = race.finish(await work())
      if !wasInTime { self.leftBehind.subtract(1, ordering: .relaxed) }
      // Holds the thread until the last of the work has run on it.
      _ = thread
    }
    let timer = Task {
      do { try await Task.sleep(for: limit) } catch { return }
      // Counted first, for the work may end right after.
      self.leftBehind.add(1, ordering: .relaxed)
      if !race.finish(nil) { self.leftBehind.subtract(1, ordering: .relaxed) }
    }
    let result = await withTaskCancellationHandler {
      await race.winner
    } onCancel: {
      // Work that heeds the cancellation ends at once, and the limit ends any other.
      runner.cancel()
    }
    timer.cancel()
    if result == nil {
      runner.cancel()
    } else {
      idle.withLock { $0.append(thread) }
    }
    return result
  }

  /// Keeps the first of two results.
  private final class Race<Result: Sendable>: Sendable {
    private enum State {
      case running
      case awaited(CheckedContinuation<Result?, Never>)
      case finished(Result?)
    }

    private let state = Mutex(State.running)

    /// Offers a result; tells whether it is the first.
    @discardableResult
    func finish(_ result: Result?) -> Bool {
      let (isFirst, waiting) = state.withLock {
        state -> (Bool, CheckedContinuation<Result?, Never>?) in
        switch state {
        case .running:
          state = .finished(result)
          return (true, nil)
        case .awaited(let continuation):
          state = .finished(result)
          return (true, continuation)
        case .finished: return (false, nil)
        }
      }
      waiting?.resume(returning: result)
      return isFirst
    }

    /// The first result; awaited once.
    var winner: Result? {
      get async {
        await withCheckedContinuation { continuation in
          let finished = state.withLock { state -> Result?? in
            guard case .finished(let result) = state else {
              state = .awaited(continuation)
              return nil
            }
            return .some(result)
          }
          if let finished { continuation.resume(returning: finished) }
        }
      }
    }
  }
}
