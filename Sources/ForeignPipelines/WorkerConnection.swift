internal import SystemPackage
internal import Synchronization
internal import ZoomGeometry
internal import ZoomPipeline

/// Processes without a picture that wait for one: starting an interpreter takes longer than most answers.
final class IdleWorkers: Sendable {
  private let processes = Mutex<[ForeignProcess]>([])
  /// The most idle processes; on most machines no more of them work at the same time.
  private static let most = 4

  func take() -> ForeignProcess? { processes.withLock { $0.popLast() } }

  func keep(_ process: ForeignProcess) {
    let surplus = processes.withLock { processes -> ForeignProcess? in
      if processes.count >= Self.most { return process }
      processes.append(process)
      return nil
    }
    surplus?.end()
  }
}

/// A process that has a picture open and answers region requests; Documentation/PipelineWorkers.md describes
/// the protocol.
///
///     zoombench 1                  zoombench 1 pyvips 3.2.0, libvips 8.18.7
///     open /pictures/photo.jpg     ok 3264 4896
///     read 0 0 375 375             pixels 375 375 3 uint8        and 421,875 bytes
///     close                        ok
///
/// The next request restarts it after a crash, hang or invalid answer. Used by one thread at a time, as
/// `ForeignConnection` requires: hence `@unchecked Sendable`.
final class WorkerConnection: ForeignConnection, @unchecked Sendable {
  static let version = "zoombench 1"

  private let words: [String]
  private let session: ForeignSession
  private let idle: IdleWorkers
  private var process: ForeignProcess?
  private var hasAnswered = false

  init(_ words: [String], _ session: ForeignSession, _ idle: IdleWorkers) {
    (self.words, self.session, self.idle) = (words, session, idle)
  }

  /// The time limit for closing a picture, in seconds; a slower process is ended.
  private static let secondsToClose = 2.0

  deinit {
    guard let process else { return }
    let deadline = AnswerDeadline(
      seconds: min(session.options.seconds, Self.secondsToClose),
      end: session.options.runEnd.time)
    do {
      guard !process.hasUnread else { return process.end() }
      try process.send("close")
      guard try process.line(until: deadline) == "ok" else {
        return process.end()
      }
      idle.keep(process)
    } catch { process.end() }
  }

  var state: SourceState { process == nil ? .nothing : .openFile }

  func forget() { stop() }

  func start(until deadline: AnswerDeadline) throws(PipelineError) {
    let path = session.picture.path.string
    guard !path.contains("\n") else {
      throw session.error(
        "a worker reads the name of a file as one line", .unsupported, "open",
        advice: "rename the file")
    }
    let request = "open \(path)"
    // A failure of an idle process is not a failure to open this picture, so a fresh process is tried.
    if let kept = idle.take(), !kept.hasUnread,
      let answer = try? ask(kept, request, until: deadline)
    {
      return try begin(kept, answer)
    }
    let process: ForeignProcess
    do { process = try ForeignProcess(words, session) } catch { throw failed(error) }
    // The idle process may have used up the time.
    let deadline = deadline.left > 0 ? deadline : session.options.deadline()
    let greeting = try ask(process, Self.version, until: deadline)
    guard greeting == Self.version || greeting.hasPrefix(Self.version + " ") else {
      throw fault(
        process.broken("it greeted with '\(greeting.prefix(100))' instead of '\(Self.version)'")
          .reason)
    }
    try begin(process, try ask(process, request, until: deadline))
  }

  /// Checks the answer to `open` and keeps the process.
  private func begin(_ process: ForeignProcess, _ answer: String) throws(PipelineError) {
    let numbers = answer.split(separator: " ").dropFirst().map { Int($0) }
    guard answer.hasPrefix("ok "), numbers.count == 2 else {
      let refusal = refusal(answer)
      if refusal.isWorkers { idle.keep(process) } else { process.end() }
      throw refusal.error
    }
    let size = session.size
    guard numbers == [size.width, size.height] else {
      process.end()
      throw fault(
        "it opened a picture of another size: '\(answer)' instead of 'ok \(size.width) \(size.height)'"
      )
    }
    process.countDescendants()
    self.process = process
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    if process == nil { try start(until: deadline) }
    guard let process else { throw fault("it could not be started") }
    do {
      let answer = try read(region, from: process, until: deadline)
      // Some programs start their workers with the first answer.
      if !hasAnswered { process.countDescendants() }
      hasAnswered = true
      return answer
    } catch {
      // Later output might be the answer to this request.
      stop()
      throw error
    }
  }

  private func read(
    _ region: PixelRegion, from process: ForeignProcess, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    guard !process.hasUnread else { throw fault("it wrote without being asked") }
    let answer = try ask(
      process, "read \(region.x) \(region.y) \(region.width) \(region.height)", until: deadline)
    var fields = answer.split(separator: " ").map(String.init)
    let isLossy = fields.last == "lossy"
    if isLossy { fields.removeLast() }
    guard fields.count == 5, fields[0] == "pixels", let width = Int(fields[1]),
      let height = Int(fields[2]), let bands = Int(fields[3]),
      let format = SampleFormat(rawValue: fields[4])
    else { throw refusal(answer).error }
    guard width == region.width, height == region.height else {
      throw fault("it answered '\(answer)' for a region of \(region.width) by \(region.height)")
    }
    let limits = AnswerLimits(region.size, of: session.picture)
    if let refusal = limits.refusal(size: region.size, bands: bands, format: format) {
      throw fault(refusal)
    }
    let count = region.area * bands * format.byteCount
    do {
      let bytes = try process.take(count, until: deadline)
      return ForeignAnswer(
        pixels: Pixels(
          size: region.size, bands: bands, format: format,
          interpretation: bands < 3 ? .grey : .srgb, bytes: bytes),
        isLossy: isLossy)
    } catch {
      throw failed(error)
    }
  }

  private func ask(
    _ process: ForeignProcess, _ line: String, until deadline: AnswerDeadline
  ) throws(PipelineError) -> String {
    do {
      try process.send(line)
      return try process.line(until: deadline)
    } catch {
      throw failed(error)
    }
  }

  private func stop() {
    process?.end()
    (process, hasAnswered) = (nil, false)
  }

  /// Returns the error of a refusal: `unsupported TEXT` for the picture, `error TEXT` for a failure.
  ///
  /// - Returns: the error, and whether the worker reported it by the protocol and can be asked again.
  private func refusal(_ answer: String) -> (error: PipelineError, isWorkers: Bool) {
    for (word, code, verb) in [
      ("unsupported ", PipelineError.Code.unsupported, " refuses it"), ("error ", .misbehaved, ""),
    ] where answer.hasPrefix(word) {
      return (
        session.error("\(words[0])\(verb): \(answer.dropFirst(word.count))", code), isWorkers: true
      )
    }
    return (fault("it answered '\(answer.prefix(100))'"), isWorkers: false)
  }

  private func failed(_ failure: AnswerFailure) -> PipelineError {
    session.error(failure, of: words[0])
  }

  private func fault(_ reason: String) -> PipelineError { failed(AnswerFailure(reason)) }
}
