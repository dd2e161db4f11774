#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
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

  /// The result of the work, or nil when a step of it did not end in time.
  ///
  /// - Parameters:
  ///   - progress: counts the steps; without it the work is one.
  ///   - work: runs on a thread of its own.
  /// - Returns: What came of the work.
  func run<Result: Sendable>(
    watching progress: Progress? = nil, _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let thread = idle.withLock { $0.popLast() } ?? CaseThread()
    let race = Race<Result>()
    let runner = Task(executorPreference: thread) {
      let wasInTime = race.finish(await work())
      if !wasInTime { self.leftBehind.subtract(1, ordering: .relaxed) }
      // Holds the thread until the last of the work has run on it.
      _ = thread
    }
    let timer = Task {
      // A step that is under way at two looks has taken as long as lies between them.
      var seen: Int
      repeat {
        seen = progress?.count ?? 0
        do { try await Task.sleep(for: limit) } catch { return }
      } while seen != progress?.count ?? 0
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

  /// Counts the steps of work.
  final class Progress: Sendable {
    private let steps = Atomic(0)

    var count: Int { steps.load(ordering: .relaxed) }
    func step() { steps.add(1, ordering: .relaxed) }
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

/// One thread that runs the jobs of a task one after the other.
///
/// The thread ends when this object does and its jobs are done.
final class CaseThread: TaskExecutor {
  private let queue = Queue()

  init() {
    let box = Unmanaged.passRetained(queue)
    guard Self.start(box.toOpaque()) else {
      // Without a thread jobs run where they are given, and the limit is found out afterwards.
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

  /// The jobs that wait.
  ///
  /// The thread keeps it, so that it outlives the executor.
  private final class Queue: @unchecked Sendable {
    // Unchecked: `jobs` and `isEnding` are touched only under `lock`, whose address is fixed.
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
