#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Synchronization

/// Runs work with a time limit, and abandons work that exceeds it.
///
/// Work runs on separate threads, so that work that never suspends does not block the shared threads of the concurrency
/// runtime. Abandoned work is cancelled. Swift cannot end it, so it keeps its task, and its thread unless it suspends,
/// until it ends or the process exits. Work that moves to an actor and does not suspend there blocks a shared thread.
final class CaseLimiter: Sendable {
  let limit: Duration
  private let idle = Mutex<[CaseThread]>([])
  private let leftBehind = Atomic(0)

  init(limit: Duration) { self.limit = limit }

  /// Whether so much abandoned work is still running that no more should start.
  ///
  /// Eight threads that never end slow a machine down; more of them would distort what is measured.
  var isExhausted: Bool { leftBehind.load(ordering: .relaxed) >= 8 }

  /// Runs work; returns nil if a step of it exceeds the time limit.
  ///
  /// - Parameters:
  ///   - progress: counts the steps; without it the work is a single step.
  ///   - work: runs on a separate thread.
  /// - Returns: The result of the work.
  func run<Result: Sendable>(
    watching progress: Progress? = nil, _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let thread = idle.withLock { $0.popLast() } ?? CaseThread()
    let race = Race<Result>()
    let runner = Task(executorPreference: thread) {
      let wasInTime = race.finish(await work())
      if !wasInTime { self.leftBehind.subtract(1, ordering: .relaxed) }
      // Retains the thread until all jobs of the work have run on it.
      _ = thread
    }
    let timer = Task {
      // If a step spans two polls, it has run at least for the time between them.
      var seen: Int
      repeat {
        seen = progress?.count ?? 0
        do { try await Task.sleep(for: limit) } catch { return }
      } while seen != progress?.count ?? 0
      // Counts the work before the race is decided, because the work may end immediately afterwards.
      self.leftBehind.add(1, ordering: .relaxed)
      if !race.finish(nil) { self.leftBehind.subtract(1, ordering: .relaxed) }
    }
    let result = await withTaskCancellationHandler {
      await race.winner
    } onCancel: {
      // Work that checks for cancellation ends at once; the time limit applies to all other work.
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

  /// A counter of the steps of work.
  final class Progress: Sendable {
    private let steps = Atomic(0)

    var count: Int { steps.load(ordering: .relaxed) }
    func step() { steps.add(1, ordering: .relaxed) }
  }

  /// A race that keeps the first of two results.
  private final class Race<Result: Sendable>: Sendable {
    private enum State {
      case running
      case awaited(CheckedContinuation<Result?, Never>)
      case finished(Result?)
    }

    private let state = Mutex(State.running)

    /// Offers a result; returns whether it is the first.
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

    /// The first result; must be awaited exactly once.
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

/// A thread that runs the jobs of a task in order.
///
/// The thread ends once this object is released and its jobs are done.
final class CaseThread: TaskExecutor {
  private let queue = Queue()

  init() {
    let box = Unmanaged.passRetained(queue)
    guard Self.start(box.toOpaque()) else {
      // Without a thread, jobs run where they are enqueued, and the time limit takes effect only after them.
      box.release()
      queue.runsInPlace.store(true, ordering: .relaxed)
      return
    }
  }

  deinit { queue.end() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if queue.runsInPlace.load(ordering: .relaxed) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    } else {
      queue.append(job, on: asUnownedTaskExecutor())
    }
  }

  private static func start(_ box: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(
      &thread, nil,
      { box in
        #if canImport(Darwin)
          let pointer: UnsafeMutableRawPointer? = box
        #else
          let pointer = box
        #endif
        if let pointer {
          Unmanaged<Queue>.fromOpaque(pointer).takeRetainedValue().runToTheEnd()
        }
        return nil
      }, box)
    guard status == 0 else { return false }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  /// The pending jobs.
  ///
  /// The thread retains the queue, so that the queue outlives the executor.
  private final class Queue: @unchecked Sendable {
    // Unchecked: `jobs` and `isEnding` are accessed only under `lock`, whose address is fixed.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [(UnownedJob, UnownedTaskExecutor)] = []
    private var isEnding = false
    let runsInPlace = Atomic(false)

    init() {
      lock = .allocate(capacity: 1)
      change = .allocate(capacity: 1)
      pthread_mutex_init(lock, nil)
      pthread_cond_init(change, nil)
    }

    deinit {
      pthread_cond_destroy(change)
      pthread_mutex_destroy(lock)
      change.deallocate()
      lock.deallocate()
    }

    func append(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
      pthread_mutex_lock(lock)
      jobs.append((job, executor))
      pthread_cond_signal(change)
      pthread_mutex_unlock(lock)
    }

    func end() {
      pthread_mutex_lock(lock)
      isEnding = true
      pthread_cond_signal(change)
      pthread_mutex_unlock(lock)
    }

    func runToTheEnd() {
      while let (job, executor) = next() { job.runSynchronously(on: executor) }
    }

    private func next() -> (UnownedJob, UnownedTaskExecutor)? {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      while jobs.isEmpty {
        if isEnding { return nil }
        pthread_cond_wait(change, lock)
      }
      return jobs.removeFirst()
    }
  }
}
