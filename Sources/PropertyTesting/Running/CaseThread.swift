#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Synchronization

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
