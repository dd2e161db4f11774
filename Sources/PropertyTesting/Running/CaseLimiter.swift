#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Synchronization

/// A runner of work with a time limit, which abandons work that exceeds it.
///
/// Work runs on separate threads, so that even work that never suspends blocks no shared thread of the concurrency
/// runtime, unless it moves to an actor. Abandoned work is cancelled, but Swift cannot stop it. Until the
/// work or the process ends, its task remains, and so does its thread if the work never suspends.
final class CaseLimiter: Sendable {
  let limit: Duration
  private let idle = Mutex<[CaseThread]>([])
  private let leftBehind = Atomic(0)

  init(limit: Duration) { self.limit = limit }

  /// Whether so much abandoned work is still running that no more may be started.
  ///
  /// Eight endless threads already slow a machine down; more of them would distort measurements.
  var isExhausted: Bool { leftBehind.load(ordering: .relaxed) >= 8 }

  /// Runs work; returns nil if a step of it exceeds the time limit, or if it continues after `end`.
  ///
  /// `progress` counts the steps; without it the work is a single step.
  func run<Result: Sendable>(
    until end: ContinuousClock.Instant? = nil, watching progress: Counter? = nil,
    _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let thread = idle.withLock { $0.popLast() } ?? CaseThread()
    let ends = Counter()
    let runner = Task(executorPreference: thread) {
      // Retains the thread until all jobs of the work have run on it.
      defer { withExtendedLifetime(thread) {} }
      return await work()
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result?, Never>) in
        let timer = Task {
          // If the count is the same at two polls, one step has run for the whole time between them.
          var seen: Int
          repeat {
            seen = progress?.count ?? 0
            let next = ContinuousClock.now + self.limit
            do { try await Task.sleep(until: min(next, end ?? next)) } catch { return }
          } while seen != progress?.count ?? 0 && end.map { .now < $0 } ?? true
          guard ends.advance(by: 1) == 0 else { return }
          self.leftBehind.add(1, ordering: .relaxed)
          continuation.resume(returning: nil)
        }
        Task {
          let result = await runner.value
          timer.cancel()
          if ends.advance(by: 1) == 0 {
            continuation.resume(returning: result)
          } else {
            self.leftBehind.subtract(1, ordering: .relaxed)
          }
        }
      }
    } onCancel: {
      // Work that checks for cancellation ends at once; the time limit applies to all other work.
      runner.cancel()
    }
    if result == nil {
      runner.cancel()
    } else {
      idle.withLock { $0.append(thread) }
    }
    return result
  }
}

final class Counter: Sendable {
  private let number: Atomic<Int>

  init(_ number: Int = 0) { self.number = Atomic(number) }

  var count: Int { number.load(ordering: .relaxed) }

  /// Adds to the counter and returns its former value.
  @discardableResult
  func advance(by count: Int) -> Int {
    number.add(count, ordering: .acquiringAndReleasing).oldValue
  }
}

/// A thread that runs the jobs of a task in order, and ends once this object is released and its jobs are done.
final class CaseThread: TaskExecutor {
  private let queue = Queue()

  init() {
    let box = Unmanaged.passRetained(queue)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(
      &thread, nil,
      { box in
        let box: UnsafeMutableRawPointer? = box
        if let box { Unmanaged<Queue>.fromOpaque(box).takeRetainedValue().runToTheEnd() }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      // Without a thread, jobs run where they are enqueued, and the time limit takes effect only after they end.
      box.release()
      queue.runsInPlace.store(true, ordering: .relaxed)
      return
    }
    let started: pthread_t? = thread
    if let started { pthread_detach(started) }
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

  /// The pending jobs, which the thread retains, so that they outlive the executor.
  private final class Queue: @unchecked Sendable {
    // Unchecked: `jobs` and `isEnding` are accessed only under `lock`, whose address is fixed.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [(UnownedJob, UnownedTaskExecutor)] = []
    private var isEnding = false
    let runsInPlace = Atomic(false)

    init() {
      pthread_mutex_init(lock, nil)
      pthread_cond_init(change, nil)
    }

    deinit {
      pthread_cond_destroy(change)
      pthread_mutex_destroy(lock)
      change.deallocate()
      lock.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return body()
    }

    func append(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
      locked {
        jobs.append((job, executor))
        pthread_cond_signal(change)
      }
    }

    func end() {
      locked {
        isEnding = true
        pthread_cond_signal(change)
      }
    }

    func runToTheEnd() {
      while let (job, executor) = next() { job.runSynchronously(on: executor) }
    }

    private func next() -> (UnownedJob, UnownedTaskExecutor)? {
      locked {
        while jobs.isEmpty, !isEnding { pthread_cond_wait(change, lock) }
        return jobs.isEmpty ? nil : jobs.removeFirst()
      }
    }
  }
}
