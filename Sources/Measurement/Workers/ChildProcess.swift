#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A process whose output is read with limits and deadlines, and which ends with its descendants.
///
/// It is used by one thread at a time. Reads block in `poll`, because a thread pool adds latency. Of 9,000
/// lines echoed by `cat` on two busy virtual cores, half took 5 µs and one in twenty more than 9; with
/// swift-subprocess 1.0 the median was 27 to 31 µs, and one in twenty took more than 42.
package final class ChildProcess {
  /// The reason for missing output.
  ///
  /// Except for `cannotStart`, the process has then been ended.
  package enum Failure: Error, Sendable, Hashable {
    /// The system's code, such as ENOENT.
    case cannotStart(code: Int32)
    /// It ended, or closed its input or output.
    case ended(WorkerError.Ending)
    /// The deadline has passed.
    case late
    /// A line or the whole output exceeds its limit.
    case overlong
  }

  /// The number of bytes kept from the end of standard error, unless another limit is given.
  package static let logLimit = 8192

  /// The milliseconds after which the end of a silent process is noticed.
  private static let glance: UInt64 = 500

  private let process: SpawnedProcess
  private let mark: MarkedProcesses
  private let logLimit: Int
  private var output: LineBuffer
  private var logBytes: [UInt8] = []
  private var logIsOpen = true
  private var inputIsOpen = true
  package private(set) var isRunning = true
  /// Called before each wait, which then lasts at most a millisecond.
  package var watch: (() -> Void)?
  /// Whether programs that it started in other process groups survive its normal end.
  private var sparesDescendants = false

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - lineLimit: The most bytes of a line, including its separator.
  ///   - separator: The byte that ends a line of output.
  ///   - logLimit: The number of bytes kept from the end of standard error.
  ///   - account: The account to which its CPU time is added.
  ///   - mark: The mark by which its descendants are found.
  /// - Throws: `cannotStart`.
  package init(
    _ command: WorkerCommand, lineLimit: Int = WorkerRequest.lineLimit,
    separator: UInt8 = UInt8(ascii: "\n"), logLimit: Int = ChildProcess.logLimit,
    account: ProcessorAccount = ProcessorAccount(), mark: MarkedProcesses = MarkedProcesses()
  ) throws(Failure) {
    output = LineBuffer(limit: lineLimit, chunk: 1 << 16, separator: separator)
    (self.logLimit, self.mark) = (logLimit, mark)
    do {
      process = try SpawnedProcess.start(command, as: mark, account: account)
    } catch {
      throw .cannotStart(code: error.code)
    }
  }

  deinit { end() }

  package var identifier: Int32 { process.identifier }

  /// The processes that it and its descendants have started.
  package var descendants: [Int32] { mark.descendants(of: process) }

  /// The end of its standard error, with invalid UTF-8 replaced.
  package var log: String { String(decoding: logBytes.suffix(logLimit), as: UTF8.self) }

  package var unreadCount: Int { output.count }

  package var hasUnread: Bool {
    guard output.count == 0, isRunning else { return output.count > 0 }
    let events = Self.events(of: [process.output], milliseconds: 0)
    return events.map { $0[0] & Int16(POLLIN) != 0 } ?? false
  }

  /// Returns unread output without waiting, with invalid UTF-8 replaced; it reads at most once.
  package func unread() -> String {
    if output.count == 0, hasUnread { _ = output.fill(from: process.output) }
    return String(decoding: output.take(output.count) ?? [], as: UTF8.self)
  }

  package func send(_ text: String, until deadline: UInt64 = .max) throws(Failure) {
    guard isRunning, inputIsOpen else { throw hasGone() }
    guard !PipeWriting.sendQuietly(text, to: process.input, until: deadline) else { return }
    throw errno == ETIMEDOUT ? ended(.late) : hasGone()
  }

  package func closeInput() {
    if inputIsOpen { _ = close(process.input) }
    inputIsOpen = false
  }

  /// Returns the next line without its separator.
  package func line(until deadline: UInt64) throws(Failure) -> [UInt8] {
    guard let line = try lineIfAny(until: deadline) else { throw ended(.late) }
    return line
  }

  /// Returns the next line, or nil if the deadline passes first; the process then goes on.
  package func lineIfAny(until deadline: UInt64) throws(Failure) -> [UInt8]? {
    while true {
      switch output.take() {
      case .line(let line): return line
      case .overlong: throw ended(.overlong)
      case nil: break
      }
      guard let isOpen = try fillIfAny(until: deadline) else { return nil }
      guard isOpen else { throw hasGone() }
    }
  }

  /// Returns the next `count` bytes.
  package func take(_ count: Int, until deadline: UInt64) throws(Failure) -> [UInt8] {
    output.reserve(count)
    while true {
      if let bytes = output.take(count) { return bytes }
      guard try fill(until: deadline) else { throw hasGone() }
    }
  }

  /// Waits for its end, and returns the rest of its output, at most `limit` bytes.
  package func rest(
    limit: Int, until deadline: UInt64
  ) throws(Failure) -> (output: [UInt8], ending: WorkerError.Ending) {
    while try fill(until: deadline) {
      guard output.count <= limit else { throw ended(.overlong) }
    }
    // Some programs close their output before they end, and go on writing to standard error.
    while logIsOpen, Timestamps.monotonic() < deadline, !LiveWorkers.hasEnded(identifier) {
      if Self.events(of: [process.log], milliseconds: Self.glance) != nil { readLog() }
    }
    let ending = end(patience: deadline.saturatingSubtract(Timestamps.monotonic()))
    if ending == .unknown, Timestamps.monotonic() >= deadline { throw .late }
    return (output.take(output.count) ?? [], ending)
  }

  /// Ends the process and its descendants, and closes the pipes.
  ///
  /// - Parameter patience: The nanoseconds in which it may end without being killed.
  /// - Returns: How it ended, unless it was killed here or earlier.
  @discardableResult package func end(patience: UInt64 = 0) -> WorkerError.Ending {
    guard isRunning else { return .unknown }
    isRunning = false
    closeInput()
    let ending = LiveWorkers.end(process.identifier, patience: patience)
    if !sparesDescendants || ending == .unknown { mark.end(after: process) }
    // The last output usually has the reason. The amount is limited, because a child may hold the pipe and
    // never stop writing.
    for _ in 0..<8192 {
      guard logIsOpen, Self.events(of: [process.log], milliseconds: 0) != nil else { break }
      readLog()
    }
    for descriptor in [process.output, process.log] { _ = close(descriptor) }
    return ending
  }

  /// Reads once; returns false at the end of the output.
  private func fill(until deadline: UInt64) throws(Failure) -> Bool {
    guard let isOpen = try fillIfAny(until: deadline) else { throw ended(.late) }
    return isOpen
  }

  /// Reads once; returns false at the end of the output, nil if the deadline passes first.
  private func fillIfAny(until deadline: UInt64) throws(Failure) -> Bool? {
    guard isRunning else { throw .ended(.unknown) }
    while true {
      let left = deadline.saturatingSubtract(Timestamps.monotonic())
      if left == 0 { return nil }
      let pipes = logIsOpen ? [process.output, process.log] : [process.output]
      watch?()
      // Rounded up; otherwise the last millisecond would be a busy loop.
      let wait = min(left.addingSaturating(999_999) / 1_000_000, watch == nil ? Self.glance : 1)
      var found = Self.events(of: pipes, milliseconds: wait)
      // A process that inherited a pipe keeps it open after the program's end.
      if found == nil, LiveWorkers.hasEnded(process.identifier) {
        // The program may have written after the first look, and then ended.
        found = Self.events(of: pipes, milliseconds: 0)
        if found == nil { return false }
      }
      guard let events = found else { continue }
      if events.count > 1, events[1] != 0 { readLog() }
      if events[0] != 0 { return output.fill(from: process.output) }
    }
  }

  /// Waits until one of the pipes can be read, and returns what `poll` reports of each; nil if none can.
  private static func events(of pipes: [Int32], milliseconds: UInt64) -> [Int16]? {
    var entries = pipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&entries, nfds_t(entries.count), Int32(milliseconds))
    return count > 0 ? entries.map(\.revents) : nil
  }

  private func readLog() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(process.log, &chunk, chunk.count)
    if count > 0 {
      logBytes += chunk[..<count]
      // Rarely, because this moves the rest.
      if logBytes.count > 2 * logLimit { logBytes.removeFirst(logBytes.count - logLimit) }
    } else if count == 0 || errno != EINTR {
      logIsOpen = false
    }
  }

  private func hasGone() -> Failure {
    // A process that has closed its input or output usually ends soon, and then has an exit status.
    .ended(end(patience: 200_000_000))
  }

  private func ended(_ failure: Failure) -> Failure {
    end()
    return failure
  }
}

extension ChildProcess.Failure: CustomStringConvertible {
  /// One clause for people, without a full stop.
  package var description: String {
    switch self {
    case .cannotStart(let code): "it cannot be started: \(Self.message(of: code))"
    case .ended: "it has ended"
    case .late: "it did not end in time"
    case .overlong: "it wrote too much"
    }
  }

  /// Returns the system's message for one of its codes.
  static func message(of code: Int32) -> String { String(cString: strerror(code)) }
}

extension ChildProcess {
  /// Runs a program until it ends; it and all programs that it has started are killed if this throws.
  ///
  /// Otherwise, programs that it leaves in other process groups go on, as in a shell.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - input: Its standard input: up to 4,096 bytes, which any pipe holds.
  ///   - limit: The most bytes of its output, and the number kept from the end of standard error.
  ///   - deadline: The time on the monotonic clock at which it is killed.
  /// - Returns: How it ended, its output, and the end of its standard error.
  /// - Throws: `Failure`, but not for an exit code other than 0.
  package static func run(
    _ command: WorkerCommand, input: String = "", limit: Int = 16 << 20,
    until deadline: UInt64 = .max
  ) throws(Failure) -> (ending: WorkerError.Ending, output: [UInt8], log: String) {
    let child = try ChildProcess(
      command, logLimit: limit,
      mark: MarkedProcesses(variable: MarkedProcesses.uncachedVariable))
    child.sparesDescendants = true
    // A program may end without reading.
    _ = PipeWriting.sendQuietly(input, to: child.process.input)
    child.closeInput()
    let (output, ending) = try child.rest(limit: limit, until: deadline)
    return (ending, output, child.log)
  }
}
